package io.gpdb.planner.bridge;

import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.util.BuiltInMethod;

/** A leaf of the tree that Calcite runs: its rows come from the planner's {@link LeafSource}. */
final class BridgeLeaf extends AbstractRelNode implements EnumerableRel {
  private static final double ROWS_ASSUMED = 1000;

  private final RelNode subtree;
  private final int number;

  BridgeLeaf(RelOptCluster cluster, RelNode subtree, int number) {
    super(cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE));
    this.subtree = subtree;
    this.number = number;
    this.rowType = subtree.getRowType();
  }

  /** Name under which the rows stand in the data context. */
  static String key(int number) {
    return "gpdb.leaf." + number;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("number", number);
  }

  @Override
  public double estimateRowCount(RelMetadataQuery query) {
    return ROWS_ASSUMED;
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery query) {
    return planner.getCostFactory().makeCost(ROWS_ASSUMED, ROWS_ASSUMED, 0);
  }

  RelNode subtree() {
    return subtree;
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    PhysType type =
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
    Expression rows =
        Expressions.convert_(
            Expressions.call(
                implementor.getRootExpression(),
                BuiltInMethod.DATA_CONTEXT_GET.method,
                Expressions.constant(key(number))),
            Enumerable.class);
    return implementor.result(type, Blocks.toBlock(rows));
  }
}
