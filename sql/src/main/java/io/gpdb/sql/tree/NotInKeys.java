package io.gpdb.sql.tree;

import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * The two fields that an anti join for NOT IN compares: its condition is {@code (left = right) IS
 * NOT FALSE}. A left row comes out if the right input is empty, or else if it is not NULL, equals
 * no right row, and no right row is NULL.
 *
 * @param left field of the left input
 * @param right field of the right input
 */
public record NotInKeys(int left, int right) {
  /** The keys, or null where the join is not one for NOT IN. */
  public static @Nullable NotInKeys of(Join join) {
    RexNode condition = join.getCondition();
    if (join.getJoinType() != JoinRelType.ANTI || condition.getKind() != SqlKind.IS_NOT_FALSE) {
      return null;
    }
    RexNode equal = ((RexCall) condition).getOperands().getFirst();
    if (equal.getKind() != SqlKind.EQUALS
        || !(((RexCall) equal).getOperands().get(0) instanceof RexInputRef a)
        || !(((RexCall) equal).getOperands().get(1) instanceof RexInputRef b)) {
      return null;
    }
    int fields = join.getLeft().getRowType().getFieldCount();
    int left = Math.min(a.getIndex(), b.getIndex());
    int right = Math.max(a.getIndex(), b.getIndex());
    return left < fields && right >= fields ? new NotInKeys(left, right - fields) : null;
  }
}
