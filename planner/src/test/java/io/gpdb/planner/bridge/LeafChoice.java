package io.gpdb.planner.bridge;

import org.apache.calcite.rel.RelNode;

/**
 * Decides which parts of a tree the planner computes by itself. Asked from the top down, only for
 * subtrees without correlation; scans of tables are leaves in any case.
 */
public interface LeafChoice {
  /** Only scans are leaves. */
  LeafChoice SCANS = subtree -> false;

  boolean isLeaf(RelNode subtree);
}
