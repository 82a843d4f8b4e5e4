package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.NotCovered;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;

/** Runs the trees of whole queries otherwise than by gpDB's operators, for comparing answers. */
public interface WholeTrees {
  /** The sources of tables. */
  @FunctionalInterface
  interface Tables {
    /** The rows of a table, those that do not exist among them. */
    Source of(TableScan scan) throws NotCovered;
  }

  /**
   * A source for a tree.
   *
   * @param mapper for queries within it
   */
  Source of(RelNode tree, Function<RelNode, Source> mapper, Tables tables) throws NotCovered;
}
