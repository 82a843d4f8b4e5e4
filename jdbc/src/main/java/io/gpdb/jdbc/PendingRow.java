package io.gpdb.jdbc;

import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A row as it is to be: the columns that were set, brought to their types as parameters are, and
 * behind them the row as it is, or NULL in a row to be inserted.
 */
final class PendingRow implements RowSet {
  private final PreparedStatement setters;
  private final ParameterColumns values;
  private final BitSet given = new BitSet();
  private @Nullable RowSet base;

  PendingRow(ConnectionState connection, SqlTypeSpec[] types) {
    BoundRow row = connection.row(Arrays.stream(types).map(PendingRow::parameter).toList());
    setters = row.setters();
    values = row.values();
  }

  /** Lengths are checked by the table. */
  private static ParameterDef parameter(SqlTypeSpec type) {
    return new ParameterDef(
        switch (type.kind()) {
          case CHAR, VARCHAR -> SqlTypeSpec.VARCHAR;
          case VARBINARY -> SqlTypeSpec.VARBINARY;
          default -> type;
        });
  }

  /** Forgets what was set; unset columns are now those of {@code base}. */
  void clear(@Nullable RowSet unchanged) {
    values.clearBound();
    given.clear();
    base = unchanged;
  }

  void set(int column, RowUpdates.Setting setting) throws SQLException {
    setting.to(setters, column + 1);
    values.take(column);
    given.set(column);
  }

  boolean isEmpty() {
    return given.isEmpty();
  }

  /** The columns that were set, in order. */
  int[] columns() {
    return given.stream().toArray();
  }

  private ParameterValues row() {
    return values.row(values.rows());
  }

  @Override
  public boolean next() {
    return false;
  }

  @Override
  public boolean isNull(int column) {
    RowSet behind = base;
    return given.get(column) ? row().isNull(column) : behind == null || behind.isNull(column);
  }

  @Override
  public long raw(int column) {
    RowSet behind = base;
    return given.get(column) ? row().raw(column) : behind == null ? 0 : behind.raw(column);
  }

  @Override
  public byte[] bytes(int column) {
    RowSet behind = base;
    if (given.get(column)) {
      return row().bytes(column);
    }
    return behind == null ? new byte[0] : behind.bytes(column);
  }

  @Override
  public String string(int column) {
    return new String(bytes(column), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {}
}
