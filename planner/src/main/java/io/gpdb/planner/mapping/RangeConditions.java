package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.run.join.PairRanges;
import io.gpdb.planner.run.join.PairRanges.Order;
import io.gpdb.planner.run.join.ProductSource;
import io.gpdb.sql.tree.TotalBound;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a join's condition that ask for values of its inputs in an order. A value that is
 * computed becomes a field of its input.
 *
 * <pre>
 *   Filter(v &gt;= lo AND v &lt;= lo + 5 AND c)  AllPairs  A(v), B(lo)
 *     =&gt;  Filter(v &gt;= lo AND v &lt;= lo + 5 AND c)
 *           Pairs(v &gt;= lo, v &lt;= bound)  A(v), Project(lo, lo + 5 as bound)  B(lo)
 * </pre>
 */
final class RangeConditions {
  private final TreeMapper mapper;
  private final RexBuilder rexBuilder;
  private final ComputedFields left;
  private final ComputedFields right;
  private final int leftFields;
  private final List<Bound> atMost = new ArrayList<>();
  private final List<Bound> atLeast = new ArrayList<>();

  /** Values of either input that are in an order. */
  private record Bound(Value left, Value right) {}

  /** An expression over an input, as it is computed and as the query says it. */
  private record Value(RexNode computed, RexNode written) {
    Value shifted(int fields) {
      return new Value(RexUtil.shift(computed, fields), RexUtil.shift(written, fields));
    }
  }

  private RangeConditions(TreeMapper mapper, Pipeline left, Pipeline right) {
    this.mapper = mapper;
    rexBuilder = mapper.rexBuilder();
    leftFields = left.columns().size();
    this.left = new ComputedFields(rexBuilder, left);
    this.right = new ComputedFields(rexBuilder, right);
  }

  /** Pairs of rows, and what is known of those that are left out. */
  record Pairs(Pipeline pipeline, boolean areInRanges) {}

  /**
   * All pairs of rows but for some that a condition over the fields of both leaves out. It is still
   * to be asked of the others.
   */
  static Pairs pairs(TreeMapper mapper, Pipeline left, Pipeline right, RexNode condition)
      throws NotCovered {
    RangeConditions found = new RangeConditions(mapper, left, right);
    found.add(condition, false);
    return found.pairs();
  }

  /** What holds where a condition is true, or where its opposite is. */
  private void add(RexNode condition, boolean opposite) throws NotCovered {
    if (!(condition instanceof RexCall call)) {
      return;
    }
    List<RexNode> operands = call.getOperands();
    switch (call.getKind()) {
      case NOT -> add(operands.getFirst(), !opposite);
      case AND, OR -> {
        if (opposite == (call.getKind() == SqlKind.OR)) {
          for (RexNode operand : operands) {
            add(operand, opposite);
          }
        }
      }
      case LESS_THAN, LESS_THAN_OR_EQUAL -> add(operands.get(0), operands.get(1), opposite);
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> add(operands.get(1), operands.get(0), opposite);
      default -> {}
    }
  }

  private void add(RexNode less, RexNode greater, boolean opposite) throws NotCovered {
    add(opposite ? greater : less, opposite ? less : greater);
  }

  /** One operand is at most the other. */
  private void add(RexNode less, RexNode greater) throws NotCovered {
    ImmutableBitSet ofLess = RelOptUtil.InputFinder.bits(less);
    ImmutableBitSet ofGreater = RelOptUtil.InputFinder.bits(greater);
    if (ofLess.isEmpty() || ofGreater.isEmpty()) {
      return;
    }
    boolean isAtMost = ofLess.length() <= leftFields && ofGreater.nth(0) >= leftFields;
    boolean isAtLeast = ofGreater.length() <= leftFields && ofLess.nth(0) >= leftFields;
    if (!isAtMost && !isAtLeast) {
      return;
    }
    RexNode least = TotalBound.of(less, false, rexBuilder);
    RexNode most = TotalBound.of(greater, true, rexBuilder);
    if (least == null
        || most == null
        || !areOrderedAlike(RexValues.spec(least.getType()), RexValues.spec(most.getType()))) {
      return;
    }
    Value low = new Value(least, less);
    Value high = new Value(most, greater);
    if (isAtMost) {
      atMost.add(new Bound(low, high.shifted(-leftFields)));
    } else {
      atLeast.add(new Bound(high, low.shifted(-leftFields)));
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

  private Pairs pairs() throws NotCovered {
    PairRanges ranges = best();
    Source ofLeft = mapper.dense(left.pipeline());
    Source ofRight = mapper.dense(right.pipeline());
    Pipeline pairs = mapper.identity(new ProductSource(mapper.device(), ofLeft, ofRight, ranges));
    int rightFields = right.inputFields();
    if (ofLeft.columns().size() == leftFields && ofRight.columns().size() == rightFields) {
      return new Pairs(pairs, ranges != null);
    }
    List<RexNode> fields = new ArrayList<>();
    List<SourceColumn> columns = new ArrayList<>();
    for (int i = 0; i < leftFields + rightFields; i++) {
      int field = i < leftFields ? i : i - leftFields + ofLeft.columns().size();
      SourceColumn column = pairs.columns().get(field);
      fields.add(mapper.ref(column, field));
      columns.add(column);
    }
    return new Pairs(pairs.projected(fields, columns), ranges != null);
  }

  /** Two that bound one value from both sides, if there are such; else the first of each kind. */
  private @Nullable PairRanges best() throws NotCovered {
    for (Bound most : atMost) {
      for (Bound least : atLeast) {
        if (most.left.equals(least.left) || most.right.equals(least.right)) {
          return new PairRanges(order(most), order(least));
        }
      }
    }
    return atMost.isEmpty() && atLeast.isEmpty()
        ? null
        : new PairRanges(first(atMost), first(atLeast));
  }

  private @Nullable Order first(List<Bound> bounds) throws NotCovered {
    return bounds.isEmpty() ? null : order(bounds.getFirst());
  }

  private Order order(Bound bound) throws NotCovered {
    return new Order(
        left.of(bound.left.computed, bound.left.written),
        right.of(bound.right.computed, bound.right.written));
  }
}
