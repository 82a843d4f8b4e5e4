package io.gpdb.planner.rewrite;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * The right input of a semi or anti join that has another place than in the query. Its errors are
 * raised if the left input that the query has there returns a row; else it may return any rows,
 * since none of them makes a row of the query's join.
 */
public final class AskedForTree extends SingleRel {
  private final RelNode askedBy;

  /**
   * @param askedBy the left input of the join in the query
   */
  AskedForTree(RelNode input, RelNode askedBy) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.askedBy = askedBy;
  }

  public RelNode askedBy() {
    return askedBy;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new AskedForTree(inputs.getFirst(), askedBy);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("askedBy", System.identityHashCode(askedBy));
  }
}
