package io.gpdb.sql.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

/**
 * What all alternatives of an OR have in common, as conditions of their own, which can be keys of
 * joins. What may raise an error is not taken out: it is asked of the rows that the rest leaves.
 *
 * <pre>
 *   (a AND b) OR (a AND c)   =>   a AND (b OR c)
 * </pre>
 */
public final class CommonFactors {
  private CommonFactors() {}

  /**
   * The condition with what its alternatives have in common taken out; itself where that is
   * nothing.
   *
   * @param mayRaise says what may raise an error, and so stays where it is
   */
  public static RexNode extracted(
      RexBuilder builder, RexNode condition, Predicate<RexNode> mayRaise) {
    List<RexNode> parts = RelOptUtil.conjunctions(condition);
    if (parts.stream().noneMatch(part -> part.getKind() == SqlKind.OR)) {
      return condition;
    }
    List<RexNode> all = new ArrayList<>();
    parts.forEach(part -> all.addAll(ofAlternatives(builder, part, mayRaise)));
    return RexUtil.composeConjunction(builder, all);
  }

  private static List<RexNode> ofAlternatives(
      RexBuilder builder, RexNode part, Predicate<RexNode> mayRaise) {
    if (part.getKind() != SqlKind.OR
        || ((RexCall) part).getOperands().stream().noneMatch(o -> o.getKind() == SqlKind.AND)) {
      return List.of(part);
    }
    List<List<RexNode>> alternatives = new ArrayList<>();
    for (RexNode alternative : RelOptUtil.disjunctions(part)) {
      alternatives.add(new ArrayList<>(RelOptUtil.conjunctions(alternative)));
    }
    List<RexNode> common = new ArrayList<>(alternatives.getFirst());
    alternatives.forEach(common::retainAll);
    common.removeIf(c -> mayRaise.test(c) || !RexUtil.isDeterministic(c));
    if (common.isEmpty()) {
      return List.of(part);
    }
    List<RexNode> rest = new ArrayList<>();
    for (List<RexNode> alternative : alternatives) {
      alternative.removeAll(common);
      rest.add(RexUtil.composeConjunction(builder, alternative));
    }
    List<RexNode> result = new ArrayList<>(common);
    if (rest.stream().noneMatch(RexNode::isAlwaysTrue)) {
      result.add(RexUtil.composeDisjunction(builder, rest));
    }
    return result;
  }
}
