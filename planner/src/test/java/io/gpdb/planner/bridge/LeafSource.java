package io.gpdb.planner.bridge;

import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/** Supplies the rows of the leaves of a {@link BridgeQuery} while it runs. */
public interface LeafSource {
  /**
   * The rows of a leaf, one array element for each of its fields, as {@link BridgeValues} describes
   * them. May be asked several times, each time from the first row.
   */
  Enumerable<@Nullable Object[]> rows(RelNode leaf);
}
