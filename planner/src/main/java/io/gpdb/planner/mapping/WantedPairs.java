package io.gpdb.planner.mapping;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A join without keys, with a condition that an operator above asks of its rows because it may
 * raise an error and so does not become a part of the join's own. Some pairs of which it would be
 * false may be left out.
 *
 * <pre>
 *   DependentCalc(v &lt;= lo + 5)  Join(true)  A(v), B(lo)
 *     =&gt;  DependentCalc(v &lt;= lo + 5)  WantedPairs(v &lt;= lo + 5)  Join(true)  A(v), B(lo)
 * </pre>
 */
final class WantedPairs extends SingleRel {
  private final Join join;
  private final RexNode condition;

  private WantedPairs(Join join, RexNode condition) {
    super(join.getCluster(), join.getTraitSet(), join);
    this.join = join;
    this.condition = condition;
  }

  Join join() {
    return join;
  }

  RexNode condition() {
    return condition;
  }

  /** A tree that may leave out rows of which a condition is false. */
  static RelNode in(RelNode tree, RexNode condition) {
    RelNode known = tree;
    for (RexNode part : RelOptUtil.conjunctions(condition)) {
      if (RexUtil.isDeterministic(part) && isOrder(part)) {
        known = asked(known, part);
      }
    }
    return known;
  }

  private static boolean isOrder(RexNode part) {
    return switch (part.getKind()) {
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> true;
      default -> false;
    };
  }

  private static RelNode asked(RelNode tree, RexNode part) {
    return switch (tree) {
      case Filter filter -> with(filter, 0, part);
      case Project project when areFields(project, part) ->
          with(project, 0, RelOptUtil.pushPastProject(part, project));
      case WantedPairs pairs -> new WantedPairs(pairs.join, both(pairs.condition, part, pairs));
      case Join join when join.getJoinType() == JoinRelType.INNER -> asked(join, part);
      default -> tree;
    };
  }

  private static RelNode asked(Join join, RexNode part) {
    ImmutableBitSet fields = RelOptUtil.InputFinder.bits(part);
    int middle = join.getLeft().getRowType().getFieldCount();
    if (fields.isEmpty()) {
      return join;
    }
    if (fields.length() <= middle) {
      return with(join, 0, part);
    }
    if (fields.nth(0) >= middle) {
      return with(join, 1, RexUtil.shift(part, -middle));
    }
    return join.analyzeCondition().leftKeys.isEmpty() ? new WantedPairs(join, part) : join;
  }

  private static boolean areFields(Project project, RexNode part) {
    return !project.containsOver()
        && RelOptUtil.InputFinder.bits(part).asList().stream()
            .allMatch(field -> project.getProjects().get(field).isA(SqlKind.INPUT_REF));
  }

  private static RelNode with(RelNode node, int input, RexNode part) {
    RelNode known = node.getInput(input);
    RelNode asked = asked(known, part);
    if (asked.equals(known)) {
      return node;
    }
    List<RelNode> inputs = new ArrayList<>(node.getInputs());
    inputs.set(input, asked);
    return node.copy(node.getTraitSet(), inputs);
  }

  private static RexNode both(RexNode a, RexNode b, RelNode tree) {
    RexBuilder builder = tree.getCluster().getRexBuilder();
    return RexUtil.composeConjunction(builder, List.of(a, b));
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new WantedPairs((Join) inputs.getFirst(), condition);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("condition", condition);
  }
}
