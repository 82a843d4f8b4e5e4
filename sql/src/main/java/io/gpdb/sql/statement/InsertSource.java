package io.gpdb.sql.statement;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexNode;

/** Where the rows of an INSERT come from; the values are in the order of the insert's columns. */
public sealed interface InsertSource {
  /**
   * VALUES: expressions over literals and parameters, one list for each row.
   *
   * @param cluster where the expressions were made, for trees with them
   */
  record Rows(List<List<RexNode>> rows, RelOptCluster cluster) implements InsertSource {}

  /** A query whose fields are the columns of the insert. */
  record Select(RelRoot root) implements InsertSource {}
}
