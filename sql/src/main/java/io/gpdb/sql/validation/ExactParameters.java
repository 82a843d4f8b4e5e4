package io.gpdb.sql.validation;

import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the parameters that are operands. A value that is stored or cast is rounded to the type of
 * its place; one that is compared or computed with must not be: {@code i > 0.5} is not {@code i >
 * 1}.
 */
public final class ExactParameters extends SqlBasicVisitor<@Nullable Void> {
  private final Set<Integer> exact = new HashSet<>();
  private boolean operand;

  private ExactParameters() {}

  public static Set<Integer> in(SqlNode node) {
    ExactParameters search = new ExactParameters();
    node.accept(search);
    return search.exact;
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    boolean outside = operand;
    switch (call.getKind()) {
      case AS, ROW -> {}
      case CAST, VALUES -> operand = false;
      default -> operand = !call.isA(SqlKind.QUERY) && !call.isA(SqlKind.DML);
    }
    super.visit(call);
    operand = outside;
    return null;
  }

  @Override
  public @Nullable Void visit(SqlDynamicParam parameter) {
    if (operand) {
      exact.add(parameter.getIndex());
    }
    return null;
  }
}
