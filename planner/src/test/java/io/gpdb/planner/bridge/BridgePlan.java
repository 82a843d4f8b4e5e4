package io.gpdb.planner.bridge;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.tree.DependentCalc;
import io.gpdb.sql.tree.DependentJoin;
import io.gpdb.sql.tree.SubQueryFunction;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Calc;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.metadata.RelMetadataQueryBase;
import org.apache.calcite.rel.rules.CalcMergeRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.jspecify.annotations.Nullable;

/**
 * Plans a tree for the enumerable convention: unused fields are trimmed, filters are pushed into
 * joins, the planner's leaves are cut off, expressions get gpDB's arithmetic, and a small Volcano
 * with nothing but converter rules chooses the operators.
 */
record BridgePlan(
    EnumerableRel root, RelNode logical, List<RelNode> leaves, List<SubQueryFunction> functions) {
  private static final HepProgram PUSH_DOWN =
      new HepProgramBuilder()
          .addRuleInstance(JoinRules.FILTER_INTO)
          .addRuleInstance(JoinRules.CONDITION_PUSH)
          .addRuleInstance(CoreRules.PROJECT_MERGE)
          .addRuleInstance(CoreRules.PROJECT_REMOVE)
          .addRuleInstance(CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES)
          .build();

  private static final HepProgram WINDOWS_AND_KEYS =
      new HepProgramBuilder()
          .addRuleInstance(CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW)
          .addRuleInstance(JoinRules.PUSH_EXPRESSIONS)
          .build();

  /**
   * A row that a calculation leaves out must not reach the subqueries or the condition of the one
   * above it, for generated code evaluates all operands of AND.
   */
  private static final RelOptRule MERGE_CALCS =
      CalcMergeRule.Config.DEFAULT
          .withOperandSupplier(
              top ->
                  top.operand(Calc.class)
                      .predicate(calc -> !isSecondFilter(calc))
                      .oneInput(
                          below ->
                              below
                                  .operand(Calc.class)
                                  .predicate(calc -> !SubQueryCalls.areIn(calc.getProgram()))
                                  .anyInputs()))
          .as(CalcMergeRule.Config.class)
          .toRule();

  /** Calcite runs projections and filters only as Calc. */
  private static final HepProgram CALCS =
      new HepProgramBuilder()
          .addRuleInstance(CoreRules.FILTER_TO_CALC)
          .addRuleInstance(CoreRules.PROJECT_TO_CALC)
          .addRuleInstance(MERGE_CALCS)
          .build();

  /** Converters to operators only: nothing here may change what a query means. */
  private static final List<RelOptRule> CONVERTERS =
      List.of(
          EnumerableRules.ENUMERABLE_JOIN_RULE,
          EnumerableRules.ENUMERABLE_CORRELATE_RULE,
          EnumerableRules.ENUMERABLE_CALC_RULE,
          EnumerableRules.ENUMERABLE_AGGREGATE_RULE,
          EnumerableRules.ENUMERABLE_SORT_RULE,
          EnumerableRules.ENUMERABLE_LIMIT_RULE,
          EnumerableRules.ENUMERABLE_LIMIT_SORT_RULE,
          EnumerableRules.ENUMERABLE_UNION_RULE,
          EnumerableRules.ENUMERABLE_INTERSECT_RULE,
          EnumerableRules.ENUMERABLE_MINUS_RULE,
          EnumerableRules.ENUMERABLE_REPEAT_UNION_RULE,
          EnumerableRules.ENUMERABLE_TABLE_SPOOL_RULE,
          EnumerableRules.ENUMERABLE_TABLE_SCAN_RULE,
          EnumerableRules.ENUMERABLE_VALUES_RULE,
          EnumerableRules.ENUMERABLE_WINDOW_RULE,
          EnumerableRules.ENUMERABLE_COLLECT_RULE,
          EnumerableRules.ENUMERABLE_UNCOLLECT_RULE);

  static BridgePlan of(RelNode tree, LeafChoice choice) {
    RelOptPlanner planner = tree.getCluster().getPlanner();
    synchronized (planner) { // it belongs to the statement, which may be compiled twice
      estimate(tree.getCluster());
      List<RelNode> leaves = new ArrayList<>();
      RelNode known = tree.accept(new PlainProjections());
      RelNode apart = hasRecursion(known) ? known.accept(new RecursionNames()) : trimmed(known);
      RelNode cut = cut(improved(PUSH_DOWN, apart), choice, leaves);
      TreeRewrite rewrite = new TreeRewrite(cut.getCluster());
      RelNode own = rewrite.apply(cut);
      RelNode ready = improved(CALCS, improved(WINDOWS_AND_KEYS, own));
      return new BridgePlan(converted(planner, ready), cut, leaves, rewrite.functions());
    }
  }

  /** Calcite's planner asks for costs, which the statement's own facts do not know. */
  private static void estimate(RelOptCluster cluster) {
    cluster.setMetadataQuerySupplier(
        () -> {
          RelMetadataQueryBase.THREAD_PROVIDERS.set(
              JaninoRelMetadataProvider.of(DefaultRelMetadataProvider.INSTANCE));
          return RelMetadataQuery.instance();
        });
    cluster.invalidateMetadataQuery();
  }

  private static boolean isSecondFilter(Calc calc) {
    return SubQueryCalls.areIn(calc.getProgram())
        || (calc.getProgram().getCondition() != null
            && calc.getInput().stripped() instanceof Calc below
            && below.getProgram().getCondition() != null);
  }

  private static EnumerableRel converted(RelOptPlanner planner, RelNode tree) {
    planner.clear();
    CONVERTERS.forEach(planner::addRule);
    RelTraitSet wanted = tree.getTraitSet().replace(EnumerableConvention.INSTANCE).simplify();
    planner.setRoot(tree.getTraitSet().equals(wanted) ? tree : planner.changeTraits(tree, wanted));
    EnumerableRel best = (EnumerableRel) planner.findBestExp();
    planner.clear();
    return best;
  }

  private static RelNode improved(HepProgram program, RelNode tree) {
    HepPlanner planner = new HepPlanner(program);
    planner.setExecutor(tree.getCluster().getPlanner().getExecutor());
    planner.setRoot(tree);
    return planner.findBestExp();
  }

  /** Makes projections with subqueries such that those can be left out that nobody reads. */
  private static final class PlainProjections extends RelHomogeneousShuttle {
    @Override
    public RelNode visit(RelNode other) {
      RelNode node = super.visit(other);
      return node instanceof DependentCalc calc && calc.condition() == null
          ? calc.plain(calc.getInput(), new RexShuttle())
          : node;
    }
  }

  /** Reads only the fields that are used. */
  private static RelNode trimmed(RelNode tree) {
    return new RelFieldTrimmer(null, RelFactories.LOGICAL_BUILDER.create(tree.getCluster(), null))
        .trim(tree);
  }

  private static boolean hasRecursion(RelNode tree) {
    boolean[] found = new boolean[1];
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        found[0] |= node instanceof RepeatUnion;
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    return found[0];
  }

  private static RelNode cut(RelNode tree, LeafChoice choice, List<RelNode> leaves) {
    return tree.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            boolean always =
                node instanceof DependentJoin
                    || (node instanceof TableScan && node.getTable().unwrap(GpTable.class) != null);
            if (always || (RelOptUtil.getVariablesUsed(node).isEmpty() && choice.isLeaf(node))) {
              leaves.add(node);
              return BridgeLeaf.ofPlanner(node, leaves.size() - 1);
            }
            return super.visit(node);
          }
        });
  }
}
