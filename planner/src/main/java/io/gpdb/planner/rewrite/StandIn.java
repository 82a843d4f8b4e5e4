package io.gpdb.planner.rewrite;

import org.apache.calcite.rel.RelNode;

/** A leaf of a tree in the place of rows that are read elsewhere. */
public interface StandIn extends RelNode {
  /** The tree whose rows these are, more or less: some of its conditions may have been met. */
  RelNode stoodFor();
}
