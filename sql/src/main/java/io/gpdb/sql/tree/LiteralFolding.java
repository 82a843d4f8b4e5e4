package io.gpdb.sql.tree;

import io.gpdb.sql.type.TemporalText;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Constant folding while Calcite simplifies: only casts of character literals to dates and times,
 * in gpDB's own arithmetic. Calcite's executor would compile Java code for each and round to
 * milliseconds.
 */
public final class LiteralFolding implements RexExecutor {
  public static final LiteralFolding INSTANCE = new LiteralFolding();

  private LiteralFolding() {}

  /**
   * The tree with those casts, and sums of literals ({@link ConstantArithmetic}), replaced in all
   * its expressions, those of its subqueries included: what is folded there cannot raise an error,
   * which decides whether a subquery may become a join.
   */
  public RelNode apply(RelNode tree) {
    return tree.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode other) {
            RelNode node = super.visit(other);
            return node.accept(new Casts(node.getCluster().getRexBuilder()));
          }
        });
  }

  private final class Casts extends RexShuttle {
    private final RexBuilder builder;

    Casts(RexBuilder builder) {
      this.builder = builder;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexNode known = TemporalText.folded(builder, super.visitCall(call));
      return known instanceof RexCall sum ? ConstantArithmetic.folded(builder, sum) : known;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      RexSubQuery known = (RexSubQuery) super.visitSubQuery(query);
      return known.clone(LiteralFolding.this.apply(known.rel));
    }
  }

  @Override
  public void reduce(RexBuilder builder, List<RexNode> constants, List<RexNode> reduced) {
    for (RexNode constant : constants) {
      reduced.add(TemporalText.folded(builder, constant));
    }
  }
}
