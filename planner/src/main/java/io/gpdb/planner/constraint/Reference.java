package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.TableDef;

/**
 * A foreign key with both of its tables.
 *
 * @param parentColumns of the parent, in the order of the foreign key's columns
 * @param referenced the parent's key over these columns
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Reference(
    TableDef child,
    ForeignKeyDef key,
    int[] columns,
    TableDef parent,
    int[] parentColumns,
    ReferencedKey referenced) {

  /** What tells it from others, also when the table gets another store. */
  record Id(String schema, String child, String name) {}

  Id id() {
    return new Id(child.schema(), child.name(), key.name());
  }

  int width() {
    return columns.length;
  }

  boolean isString(int part) {
    return child.column(columns[part]).type().kind().isString();
  }
}
