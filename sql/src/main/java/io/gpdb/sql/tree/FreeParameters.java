package io.gpdb.sql.tree;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.jspecify.annotations.Nullable;

/** The parameters for outer values that a query reads and does not bind itself. */
final class FreeParameters extends RelVisitor {
  private final TreeSet<Integer> read = new TreeSet<>();

  private final RexShuttle expressions =
      new RexShuttle() {
        @Override
        public RexNode visitDynamicParam(RexDynamicParam parameter) {
          if (parameter instanceof OuterParameter) {
            read.add(parameter.getIndex());
          }
          return parameter;
        }

        @Override
        public RexNode visitCall(RexCall call) {
          if (call.getOperator() instanceof SubQueryFunction function) {
            read.addAll(function.outer());
          }
          return super.visitCall(call);
        }
      };

  private FreeParameters() {}

  /** Those of the query except those bound. */
  static List<Integer> of(RelNode query, Collection<Integer> bound) {
    FreeParameters search = new FreeParameters();
    search.go(query);
    search.read.removeAll(bound);
    return List.copyOf(search.read);
  }

  @Override
  public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
    if (node instanceof DependentJoin join) {
      read.addAll(join.outer());
    }
    node.accept(expressions);
    super.visit(node, ordinal, parent);
  }
}
