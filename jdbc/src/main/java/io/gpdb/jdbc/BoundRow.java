package io.gpdb.jdbc;

import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.statement.ParameterDef;
import java.sql.PreparedStatement;
import java.util.List;

/**
 * A row of values as parameters are bound.
 *
 * @param setters bring values to the columns' types
 * @param values where they are then
 */
record BoundRow(PreparedStatement setters, ParameterColumns values) {
  /** Makes rows that nothing is set in. */
  interface Maker {
    BoundRow make(ConnectionState connection, List<ParameterDef> columns);
  }
}
