package io.gpdb.planner.rewrite;

import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * One of several places of a tree that have the same rows: they are found once. No rule moves
 * anything into it or out of it.
 */
public final class SharedTree extends SingleRel {
  private final Rows rows;

  /** The rows of all these places. */
  public static final class Rows {
    private final RelNode tree;
    private final BitSet read = new BitSet();

    Rows(RelNode tree) {
      this.tree = tree;
    }

    /** What has them, its joins in no order yet. */
    public RelNode tree() {
      return tree;
    }

    /** The fields that any of the places reads, as far as the tree says. */
    public BitSet read() {
      return (BitSet) read.clone();
    }

    void reads(BitSet fields) {
      read.or(fields);
    }
  }

  /**
   * @param place equal to the tree of the rows, but for the names of fields
   */
  SharedTree(RelNode place, Rows rows) {
    super(place.getCluster(), place.getTraitSet(), place);
    this.rows = rows;
    rowType = place.getRowType();
  }

  public Rows rows() {
    return rows;
  }

  /** Whether there is any in a tree. */
  public static boolean isIn(RelNode tree) {
    return tree instanceof SharedTree || tree.getInputs().stream().anyMatch(SharedTree::isIn);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SharedTree(inputs.getFirst(), rows);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("rows", System.identityHashCode(rows));
  }
}
