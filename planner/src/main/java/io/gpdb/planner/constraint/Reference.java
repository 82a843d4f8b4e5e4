package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.Deferrability;
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

  ConstraintId id() {
    return ConstraintId.of(child, key.name());
  }

  Deferrability deferrability() {
    return Deferrability.of(key.deferrable(), key.deferred());
  }

  int width() {
    return columns.length;
  }

  boolean isString(int part) {
    return child.column(columns[part]).type().kind().isString();
  }
}
