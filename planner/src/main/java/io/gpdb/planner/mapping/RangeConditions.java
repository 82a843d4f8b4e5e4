package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.run.join.PairRanges;
import io.gpdb.planner.run.join.PairRanges.Order;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a join's condition that ask for fields of its inputs in an order.
 *
 * <pre>
 *   Filter(v &gt;= lo AND v &lt;= hi AND c)  AllPairs  A(v), B(lo, hi)
 *     =&gt;  Filter(v &gt;= lo AND v &lt;= hi AND c)  Pairs(v &gt;= lo, v &lt;= hi)  A(v), B(lo, hi)
 * </pre>
 */
final class RangeConditions {
  private final List<SourceColumn> left;
  private final List<SourceColumn> right;
  private final List<Order> atMost = new ArrayList<>();
  private final List<Order> atLeast = new ArrayList<>();

  private RangeConditions(List<SourceColumn> left, List<SourceColumn> right) {
    this.left = left;
    this.right = right;
  }

  /** What a condition over the fields of both inputs says, or null where it says nothing. */
  static @Nullable PairRanges of(
      RexNode condition, List<SourceColumn> left, List<SourceColumn> right) {
    RangeConditions found = new RangeConditions(left, right);
    found.add(condition, false);
    return found.best();
  }

  /** What holds where a condition is true, or where its opposite is. */
  private void add(RexNode condition, boolean opposite) {
    if (!(condition instanceof RexCall call)) {
      return;
    }
    List<RexNode> operands = call.getOperands();
    switch (call.getKind()) {
      case NOT -> add(operands.getFirst(), !opposite);
      case AND, OR -> {
        if (opposite == (call.getKind() == SqlKind.OR)) {
          operands.forEach(operand -> add(operand, opposite));
        }
      }
      case LESS_THAN, LESS_THAN_OR_EQUAL -> add(operands.get(0), operands.get(1), opposite);
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> add(operands.get(1), operands.get(0), opposite);
      default -> {}
    }
  }

  private void add(RexNode less, RexNode greater, boolean opposite) {
    add(opposite ? greater : less, opposite ? less : greater);
  }

  /** One operand is at most the other. */
  private void add(RexNode less, RexNode greater) {
    if (less instanceof RexInputRef a && greater instanceof RexInputRef b) {
      int width = left.size();
      if (a.getIndex() < width && b.getIndex() >= width) {
        add(atMost, new Order(a.getIndex(), b.getIndex() - width));
      } else if (b.getIndex() < width && a.getIndex() >= width) {
        add(atLeast, new Order(b.getIndex(), a.getIndex() - width));
      }
    }
  }

  private void add(List<Order> orders, Order order) {
    if (areOrderedAlike(left.get(order.left()).type(), right.get(order.right()).type())) {
      orders.add(order);
    }
  }

  /** Whether the bits of two types' values say which value is greater. */
  private static boolean areOrderedAlike(SqlTypeSpec a, SqlTypeSpec b) {
    return switch (a.kind().form()) {
      case WHOLE -> a.kind() == b.kind() || (a.kind().isInteger() && b.kind().isInteger());
      case SCALED -> a.kind() == b.kind() && a.scale() == b.scale();
      case REAL, DOUBLE -> a.kind() == b.kind();
      case TRUTH, CODE -> false;
    };
  }

  /** Two that bound one field from both sides, if there are such; else the first of each kind. */
  private @Nullable PairRanges best() {
    for (Order most : atMost) {
      for (Order least : atLeast) {
        if (most.left() == least.left() || most.right() == least.right()) {
          return new PairRanges(most, least);
        }
      }
    }
    return atMost.isEmpty() && atLeast.isEmpty()
        ? null
        : new PairRanges(first(atMost), first(atLeast));
  }

  private static @Nullable Order first(List<Order> orders) {
    return orders.isEmpty() ? null : orders.getFirst();
  }
}
