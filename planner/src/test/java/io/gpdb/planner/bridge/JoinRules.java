package io.gpdb.planner.bridge;

import io.gpdb.sql.tree.Raising;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.rules.FilterJoinRule;
import org.apache.calcite.rel.rules.JoinPushExpressionsRule;

/**
 * Calcite's rules that move conditions to the inputs of a join, except for joins with conditions
 * that may raise an error: such a condition is meant for pairs of rows, and an input has rows that
 * are in no pair.
 */
final class JoinRules {
  /** Conditions above a join go into it and below it. */
  static final RelOptRule FILTER_INTO =
      FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig.DEFAULT
          .withOperandSupplier(
              above ->
                  above
                      .operand(Filter.class)
                      .oneInput(
                          below ->
                              below
                                  .operand(Join.class)
                                  .predicate(join -> !Raising.isPairwise(join))
                                  .anyInputs()))
          .as(FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig.class)
          .toRule();

  /** Conditions of a join on one of its inputs go below it. */
  static final RelOptRule CONDITION_PUSH =
      FilterJoinRule.JoinConditionPushRule.JoinConditionPushRuleConfig.DEFAULT
          .withOperandSupplier(
              top ->
                  top.operand(Join.class).predicate(join -> !Raising.isPairwise(join)).anyInputs())
          .as(FilterJoinRule.JoinConditionPushRule.JoinConditionPushRuleConfig.class)
          .toRule();

  /** What a join compares becomes fields of its inputs. */
  static final RelOptRule PUSH_EXPRESSIONS =
      JoinPushExpressionsRule.Config.DEFAULT
          .withOperandSupplier(
              top ->
                  top.operand(LogicalJoin.class)
                      .predicate(join -> !Raising.isPairwise(join))
                      .anyInputs())
          .as(JoinPushExpressionsRule.Config.class)
          .toRule();

  private JoinRules() {}
}
