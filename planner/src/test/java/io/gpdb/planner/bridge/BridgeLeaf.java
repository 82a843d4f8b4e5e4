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
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.util.BuiltInMethod;

/** A leaf of the tree that Calcite runs; its rows come from the {@link BridgeContext}. */
final class BridgeLeaf extends AbstractRelNode implements EnumerableRel {
  /** Beginning of the names of recursive queries in the data context. */
  static final String RECURSION = "gpdb.recursion.";

  private static final double ROWS_ASSUMED = 1000;

  private final String key;

  private BridgeLeaf(RelOptCluster cluster, RelDataType rowType, String key) {
    super(cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE));
    this.key = key;
    this.rowType = rowType;
  }

  /** A leaf whose rows come from the planner. */
  static BridgeLeaf ofPlanner(RelNode subtree, int number) {
    return new BridgeLeaf(subtree.getCluster(), subtree.getRowType(), plannerKey(number));
  }

  /** The rows that a recursive query has found so far. */
  static BridgeLeaf ofRecursion(TableScan scan) {
    String name = scan.getTable().getQualifiedName().getLast();
    return new BridgeLeaf(scan.getCluster(), scan.getRowType(), RECURSION + name);
  }

  /** The same leaf with the types that its fields have in generated code. */
  BridgeLeaf stored(BridgeExpressions types) {
    return new BridgeLeaf(getCluster(), types.storedRow(getRowType()), key);
  }

  /** Name of a leaf of the planner in the data context. */
  static String plannerKey(int number) {
    return "gpdb.leaf." + number;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("rows", key);
  }

  @Override
  public double estimateRowCount(RelMetadataQuery query) {
    return ROWS_ASSUMED;
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery query) {
    return planner.getCostFactory().makeCost(ROWS_ASSUMED, ROWS_ASSUMED, 0);
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
                Expressions.constant(key)),
            Enumerable.class);
    return implementor.result(type, Blocks.toBlock(rows));
  }
}
