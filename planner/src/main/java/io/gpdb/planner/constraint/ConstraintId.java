package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.TableDef;

/** What tells a constraint from others, also when its table gets another store. */
record ConstraintId(String schema, String table, String name) {
  static ConstraintId of(TableDef table, String name) {
    return new ConstraintId(table.schema(), table.name(), name);
  }
}
