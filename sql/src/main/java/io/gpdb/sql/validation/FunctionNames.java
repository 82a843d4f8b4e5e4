package io.gpdb.sql.validation;

import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.syntax.SequenceCalls;
import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Names of functions: those that gpDB has, and those that an expression calls. */
public final class FunctionNames {
  private FunctionNames() {}

  /** Whether a function of that name is part of the dialect. */
  public static boolean isBuiltIn(String name) {
    return GpOperatorTable.INSTANCE.getOperatorList().stream()
            .anyMatch(operator -> operator.getName().equals(name))
        || FunctionSpellings.isSpelling(name)
        || SequenceCalls.isFunction(name);
  }

  /** The last parts of the names of functions that an expression calls. */
  public static Set<String> in(SqlNode expression) {
    Set<String> names = new HashSet<>();
    expression.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            if (call.getOperator() instanceof SqlUnresolvedFunction function) {
              names.add(function.getNameAsId().names.getLast());
            }
            return super.visit(call);
          }
        });
    return names;
  }
}
