package io.gpdb.sql.plain;

import io.gpdb.sql.definition.TableDef;
import org.apache.calcite.rel.RelNode;

/**
 * A table in FROM.
 *
 * @param name by which columns are qualified
 * @param first the field of the joined row that is its first column
 */
record PlainTable(String name, TableDef table, RelNode scan, int first) {
  /** The field of the joined row that is a column of the table, or -1. */
  int field(String column) {
    int index = table.indexOf(column);
    return index < 0 ? -1 : first + index;
  }
}
