package io.gpdb.planner.mapping;

import io.gpdb.planner.rewrite.StandIn;
import io.gpdb.planner.run.KeptRows;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;

/** A leaf of a tree that stands for rows which an operator above has read already. */
final class KeptRowsNode extends AbstractRelNode implements StandIn {
  private final RelNode mapped;
  private final KeptRows rows;

  /** For rows of a tree that is mapped already. */
  KeptRowsNode(RelNode mapped, KeptRows rows) {
    super(mapped.getCluster(), mapped.getTraitSet());
    this.mapped = mapped;
    this.rows = rows;
    rowType = mapped.getRowType();
  }

  @Override
  public RelNode stoodFor() {
    return mapped;
  }

  KeptRows rows() {
    return rows;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("rows", System.identityHashCode(rows));
  }
}
