package io.gpdb.planner.rewrite;

import io.gpdb.sql.tree.Raising;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on single inputs that follow from those of a region of inner joins: a comparison with
 * a constant holds of all equal fields, and a row of an input fulfils one alternative of an OR.
 *
 * <pre>
 *   a.x = b.y AND a.x &lt; 5                       =>   b.y &lt; 5
 *   a.x = b.y AND a.z = b.y                        =>   a.x = a.z
 *   (a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)   =>   a.x IN (1, 3), b.y IN (2, 4)
 * </pre>
 */
final class ImpliedConditions {
  private final JoinRegion region;
  private final EqualFields equal;
  private final RexBuilder builder;
  private final List<Set<RexNode>> implied = new ArrayList<>();

  private ImpliedConditions(JoinRegion region, EqualFields equal) {
    this.region = region;
    this.equal = equal;
    this.builder = region.inputs.getFirst().getCluster().getRexBuilder();
    region.inputs.forEach(_ -> implied.add(new LinkedHashSet<>()));
  }

  /** The conditions of each input, over its fields. */
  static List<Set<RexNode>> of(JoinRegion region, EqualFields equal) {
    ImpliedConditions all = new ImpliedConditions(region, equal);
    if (region.isInner()) {
      all.fromClasses();
      all.fromComparisons();
      region.conditions.forEach(c -> all.fromAlternatives(c.condition()));
    }
    return all.implied;
  }

  /** Fields of one input that others make equal: joins ask for one equality of each class. */
  private void fromClasses() {
    for (List<RexInputRef> fields : equal.classes()) {
      for (int a = 0; a < fields.size(); a++) {
        for (int b = a + 1; b < fields.size(); b++) {
          int input = region.inputOf(fields.get(a).getIndex());
          if (input == region.inputOf(fields.get(b).getIndex())) {
            RexNode same =
                builder.makeCall(SqlStdOperatorTable.EQUALS, fields.get(a), fields.get(b));
            implied.get(input).add(RexUtil.shift(same, -region.first.get(input)));
          }
        }
      }
    }
  }

  private void fromComparisons() {
    for (int i = 0; i < region.inputs.size(); i++) {
      RelNode input = region.inputs.get(i);
      if (input instanceof Filter filter) {
        for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
          RexInputRef field = compared(condition);
          if (field != null) {
            addOfOthers(condition, region.first.get(i) + field.getIndex());
          }
        }
      }
    }
  }

  private void addOfOthers(RexNode condition, int field) {
    for (RexInputRef other : equal.others(field)) {
      int input = region.inputOf(other.getIndex());
      int index = other.getIndex() - region.first.get(input);
      RelNode rows = region.inputs.get(input);
      RexNode moved =
          condition.accept(
              new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef known) {
                  return builder.makeInputRef(rows, index);
                }
              });
      if (!(rows instanceof Filter filter)
          || !RelOptUtil.conjunctions(filter.getCondition()).contains(moved)) {
        implied.get(input).add(moved);
      }
    }
  }

  /**
   * The field that a condition compares with constants and parameters, null where it is another.
   */
  private static @Nullable RexInputRef compared(RexNode condition) {
    boolean comparison =
        switch (condition.getKind()) {
          case EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> true;
          case SEARCH -> true;
          default -> false;
        };
    if (!comparison || Raising.mayRaise(condition) || !RexUtil.isDeterministic(condition)) {
      return null;
    }
    List<RexNode> operands = ((RexCall) condition).getOperands();
    RexNode side = operands.get(0) instanceof RexInputRef ? operands.get(0) : operands.get(1);
    return side instanceof RexInputRef field
            && RelOptUtil.InputFinder.bits(condition).cardinality() == 1
            && operands.stream().filter(o -> !RelOptUtil.InputFinder.bits(o).isEmpty()).count() == 1
        ? field
        : null;
  }

  /** Whether conditions on single inputs are made of those of a condition's alternatives. */
  static boolean isSplit(RexNode condition) {
    return condition.getKind() == SqlKind.OR
        && !Raising.mayRaise(condition)
        && RexUtil.isDeterministic(condition);
  }

  private void fromAlternatives(RexNode condition) {
    if (!isSplit(condition)) {
      return;
    }
    List<RexNode> alternatives = RelOptUtil.disjunctions(condition);
    long inputs = region.inputsOf(condition);
    for (int i = 0; i < region.inputs.size(); i++) {
      if ((inputs & (1L << i)) != 0 && inputs != 1L << i) {
        RexNode own = ofInput(alternatives, i);
        if (own != null) {
          implied.get(i).add(RexUtil.shift(own, -region.first.get(i)));
        }
      }
    }
  }

  private @Nullable RexNode ofInput(List<RexNode> alternatives, int input) {
    List<RexNode> own = new ArrayList<>();
    for (RexNode alternative : alternatives) {
      List<RexNode> parts = region.partsOf(alternative, input);
      if (parts.isEmpty()) {
        return null;
      }
      own.add(RexUtil.composeConjunction(builder, parts));
    }
    return RexUtil.composeDisjunction(builder, own);
  }
}
