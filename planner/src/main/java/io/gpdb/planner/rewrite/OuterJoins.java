package io.gpdb.planner.rewrite;

import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.Strong;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Outer joins of which no row with the missing side's NULLs is wanted: such a row fulfils one of
 * the conditions above never.
 *
 * <pre>
 *   Filter(b.z &gt; 1)  LeftJoin  A, B   =&gt;   Filter(b.z &gt; 1)  Join  A, B
 *   Filter(b.z &gt; 1)  FullJoin  A, B   =&gt;   Filter(b.z &gt; 1)  RightJoin  A, B
 * </pre>
 */
final class OuterJoins {
  private OuterJoins() {}

  /** The type of the join below those conditions. */
  static JoinRelType simplified(Join join, List<RexNode> above) {
    JoinRelType type = join.getJoinType();
    int width = join.getLeft().getRowType().getFieldCount();
    int all = join.getRowType().getFieldCount();
    if (type.generatesNullsOnLeft() && rejects(above, ImmutableBitSet.range(0, width))) {
      type = type.cancelNullsOnLeft();
    }
    if (type.generatesNullsOnRight() && rejects(above, ImmutableBitSet.range(width, all))) {
      type = type.cancelNullsOnRight();
    }
    return type;
  }

  private static boolean rejects(List<RexNode> conditions, ImmutableBitSet fields) {
    for (RexNode condition : conditions) {
      if (RelOptUtil.InputFinder.bits(condition).intersects(fields)
          && Strong.isNotTrue(condition, fields)) {
        return true;
      }
    }
    return false;
  }
}
