package io.gpdb.jdbc;

import io.gpdb.planner.RowSet;
import io.gpdb.sql.OutputColumn;
import io.gpdb.sql.SqlTypeSpec;
import io.gpdb.storage.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.rowset.serial.SerialBlob;
import javax.sql.rowset.serial.SerialClob;
import org.jspecify.annotations.Nullable;

/** Rows of a query, read forward; getters read the engine's columns and box nothing. */
final class GpdbResultSet extends ForwardResultSet {
  private final @Nullable GpdbStatement statement;
  private final ResultOwner owner;
  private final List<OutputColumn> columns;
  private final SqlTypeSpec[] types;
  private final long rowsMax;
  private RowSet cursor;
  private @Nullable Map<String, Integer> labels;
  private long row;
  private boolean onRow;
  private boolean afterLast;
  private boolean wasNull;
  private boolean released;
  private boolean closed;

  /** Is told when the rows are no longer read, so that what they need can be let go. */
  interface ResultOwner {
    ResultOwner NONE = result -> {};

    void released(GpdbResultSet result);
  }

  /** {@code rowsMax} 0 is no limit. */
  GpdbResultSet(
      @Nullable GpdbStatement statement,
      List<OutputColumn> columns,
      SqlTypeSpec[] types,
      RowSet cursor,
      long rowsMax,
      ResultOwner owner) {
    this.statement = statement;
    this.columns = columns;
    this.types = types;
    this.cursor = cursor;
    this.rowsMax = rowsMax;
    this.owner = owner;
  }

  static SqlTypeSpec[] types(List<OutputColumn> columns) {
    SqlTypeSpec[] types = new SqlTypeSpec[columns.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = columns.get(i).type();
    }
    return types;
  }

  @Override
  public boolean next() throws SQLException {
    requireOpen();
    if (afterLast) {
      return false;
    }
    boolean more;
    try {
      if (statement != null) {
        statement.cancellation().check();
      }
      more = (rowsMax == 0 || row < rowsMax) && cursor.next();
    } catch (RuntimeException | Error e) {
      release();
      throw statement == null ? SqlErrors.translate(e) : statement.cancellation().translate(e);
    }
    onRow = more;
    if (more) {
      row++;
    } else {
      afterLast = true;
      release();
    }
    return more;
  }

  /** Copies the rows not yet read, because what they come from is about to change. */
  void detach() {
    if (!closed && !afterLast && !(cursor instanceof BufferedRows)) {
      RowSet before = cursor;
      cursor = BufferedRows.copy(before, types, onRow);
      before.close();
    }
  }

  /** Lets the rows' source go, once; the result set stays open, at its end. */
  private void release() throws SQLException {
    if (released) {
      return;
    }
    released = true;
    if (statement != null) {
      statement.cancellation().detach();
    }
    try {
      try {
        cursor.close();
      } finally {
        owner.released(this);
      }
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (!closed) {
      closed = true;
      onRow = false;
      release();
      if (statement != null) {
        statement.resultClosed();
      }
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  private void requireOpen() throws SQLException {
    if (closed) {
      throw SqlErrors.of(ErrorCode.CLOSED, "the result set is closed");
    }
  }

  /** Position of the column from 0, after all checks; sets wasNull. */
  private int at(int column) throws SQLException {
    if (!onRow) {
      requireOpen();
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT,
          afterLast ? "the result set is behind its last row" : "next() was not called");
    }
    if (column < 1 || column > types.length) {
      throw SqlErrors.of(
          ErrorCode.COLUMN_NOT_FOUND, "column " + column + " is not between 1 and " + types.length);
    }
    wasNull = cursor.isNull(column - 1);
    return column - 1;
  }

  @Override
  public boolean wasNull() {
    return wasNull;
  }

  @Override
  public int findColumn(String label) throws SQLException {
    requireOpen();
    String name = SqlErrors.given("the column's label", label);
    Map<String, Integer> known = labels;
    if (known == null) {
      known = new HashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        known.putIfAbsent(columns.get(i).name(), i + 1);
      }
      for (int i = 0; i < columns.size(); i++) {
        known.putIfAbsent(columns.get(i).name().toUpperCase(Locale.ROOT), i + 1);
      }
      labels = known;
    }
    Integer column = known.get(name);
    if (column == null) {
      column = known.get(name.toUpperCase(Locale.ROOT));
    }
    if (column == null) {
      throw SqlErrors.of(ErrorCode.COLUMN_NOT_FOUND, "the result has no column " + label);
    }
    return column;
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    int at = at(column);
    return !wasNull && ColumnReader.bool(types[at], cursor, at);
  }

  @Override
  public byte getByte(int column) throws SQLException {
    int at = at(column);
    return wasNull
        ? 0
        : (byte)
            ColumnReader.whole(types[at], cursor, at, Byte.MIN_VALUE, Byte.MAX_VALUE, "TINYINT");
  }

  @Override
  public short getShort(int column) throws SQLException {
    int at = at(column);
    return wasNull
        ? 0
        : (short)
            ColumnReader.whole(types[at], cursor, at, Short.MIN_VALUE, Short.MAX_VALUE, "SMALLINT");
  }

  @Override
  public int getInt(int column) throws SQLException {
    int at = at(column);
    return wasNull
        ? 0
        : (int)
            ColumnReader.whole(
                types[at], cursor, at, Integer.MIN_VALUE, Integer.MAX_VALUE, "INTEGER");
  }

  @Override
  public long getLong(int column) throws SQLException {
    int at = at(column);
    return wasNull ? 0 : ColumnReader.whole(types[at], cursor, at);
  }

  @Override
  public float getFloat(int column) throws SQLException {
    int at = at(column);
    return wasNull ? 0 : (float) ColumnReader.real(types[at], cursor, at);
  }

  @Override
  public double getDouble(int column) throws SQLException {
    int at = at(column);
    return wasNull ? 0 : ColumnReader.real(types[at], cursor, at);
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : ColumnReader.decimal(types[at], cursor, at);
  }

  @Override
  @Deprecated(since = "1.2")
  public @Nullable BigDecimal getBigDecimal(int column, int scale) throws SQLException {
    BigDecimal value = getBigDecimal(column);
    return value == null ? null : value.setScale(scale, RoundingMode.HALF_UP);
  }

  @Override
  public @Nullable String getString(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : ValueText.of(types[at], cursor, at);
  }

  @Override
  public @Nullable String getNString(int column) throws SQLException {
    return getString(column);
  }

  @Override
  public byte @Nullable [] getBytes(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : ColumnReader.bytes(types[at], cursor, at);
  }

  @Override
  public @Nullable Date getDate(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : Date.valueOf(ColumnReader.date(types[at], cursor, at));
  }

  @Override
  public @Nullable Time getTime(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : Time.valueOf(ColumnReader.time(types[at], cursor, at));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : Timestamp.valueOf(ColumnReader.timestamp(types[at], cursor, at));
  }

  @Override
  public @Nullable Date getDate(int column, @Nullable Calendar calendar) throws SQLException {
    int at = at(column);
    if (wasNull || calendar == null) {
      return getDate(column);
    }
    LocalDateTime value = ColumnReader.date(types[at], cursor, at).atStartOfDay();
    return new Date(CalendarZones.millis(value, calendar));
  }

  @Override
  public @Nullable Time getTime(int column, @Nullable Calendar calendar) throws SQLException {
    int at = at(column);
    if (wasNull || calendar == null) {
      return getTime(column);
    }
    LocalDateTime value =
        ColumnReader.time(types[at], cursor, at).atDate(java.time.LocalDate.EPOCH);
    return new Time(CalendarZones.millis(value, calendar));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
      throws SQLException {
    int at = at(column);
    if (wasNull || calendar == null) {
      return getTimestamp(column);
    }
    LocalDateTime value = ColumnReader.timestamp(types[at], cursor, at);
    Timestamp timestamp = new Timestamp(CalendarZones.millis(value, calendar));
    timestamp.setNanos(value.get(ChronoField.NANO_OF_SECOND));
    return timestamp;
  }

  @Override
  public @Nullable Object getObject(int column) throws SQLException {
    int at = at(column);
    return wasNull ? null : ColumnReader.natural(types[at], cursor, at);
  }

  @Override
  public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
    int at = at(column);
    if (wasNull) {
      return null;
    }
    Object value = ColumnReader.as(type, types[at], cursor, at);
    // A primitive class has no instances; its wrapper is what reflection gives for it too.
    @SuppressWarnings("unchecked")
    T typed = type.isPrimitive() ? (T) value : type.cast(value);
    return typed;
  }

  @Override
  public @Nullable Object getObject(int column, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    if (map != null && !map.isEmpty()) {
      throw SqlErrors.notSupported("getObject with a type map");
    }
    return getObject(column);
  }

  @Override
  public @Nullable InputStream getAsciiStream(int column) throws SQLException {
    String value = getString(column);
    return value == null
        ? null
        : new ByteArrayInputStream(value.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public @Nullable InputStream getBinaryStream(int column) throws SQLException {
    byte[] value = getBytes(column);
    return value == null ? null : new ByteArrayInputStream(value);
  }

  @Override
  public @Nullable Reader getCharacterStream(int column) throws SQLException {
    String value = getString(column);
    return value == null ? null : new StringReader(value);
  }

  @Override
  public @Nullable Reader getNCharacterStream(int column) throws SQLException {
    return getCharacterStream(column);
  }

  @Override
  public @Nullable Blob getBlob(int column) throws SQLException {
    byte[] value = getBytes(column);
    return value == null ? null : new SerialBlob(value);
  }

  @Override
  public @Nullable Clob getClob(int column) throws SQLException {
    String value = getString(column);
    return value == null ? null : new SerialClob(value.toCharArray());
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    requireOpen();
    return new GpdbResultSetMetaData(columns);
  }

  @Override
  public @Nullable Statement getStatement() throws SQLException {
    requireOpen();
    return statement;
  }

  @Override
  public int getRow() throws SQLException {
    requireOpen();
    return onRow ? (int) Math.min(row, Integer.MAX_VALUE) : 0;
  }

  @Override
  public boolean isBeforeFirst() throws SQLException {
    throw SqlErrors.notSupported("isBeforeFirst in a forward-only result set");
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    requireOpen();
    return afterLast && row > 0;
  }

  @Override
  public boolean isFirst() throws SQLException {
    requireOpen();
    return onRow && row == 1;
  }

  @Override
  public boolean isLast() throws SQLException {
    throw SqlErrors.notSupported("isLast in a forward-only result set");
  }

  @Override
  public int getFetchSize() throws SQLException {
    requireOpen();
    return statement == null ? 0 : statement.getFetchSize();
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    requireOpen();
    if (rows < 0) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "fetch size " + rows + " is below 0");
    }
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    requireOpen();
    return null;
  }

  @Override
  public void clearWarnings() throws SQLException {
    requireOpen();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(this, type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return Wrappers.isOf(this, type);
  }
}
