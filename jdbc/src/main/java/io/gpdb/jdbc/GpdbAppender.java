package io.gpdb.jdbc;

import io.gpdb.jdbc.value.DriverCondition;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fastest way to add rows to a table: values are converted as they are appended, kept by column
 * outside the heap, and inserted by one call of the engine for many rows.
 *
 * <pre>{@code
 * try (GpdbAppender rows = connection.unwrap(GpdbConnection.class).appender("measured")) {
 *   for (Measure m : measures) {
 *     rows.appendInt(m.id()).appendString(m.place()).appendDouble(m.degrees()).endRow();
 *   }
 * }
 * }</pre>
 *
 * <p>Who has the values of many rows as arrays appends an array for each column and ends all of
 * these rows together; a copy of an array is all that is done to numbers of the column's own type:
 *
 * <pre>{@code
 * rows.appendInts(ids).appendStrings(places).appendDoubles(degrees).endRows();
 * }</pre>
 *
 * <p>A flush inserts all rows ended since the one before, or none of them: as a part of the
 * transaction that is open, or under autocommit as a transaction of its own. It happens by {@link
 * #flush()}, by {@link #close()} and by itself after {@link #ROWS_PER_FLUSH} rows. A value that its
 * column cannot take is refused at once, with the numbers of row and column; the row then goes on
 * with another value, or is begun again after {@link #dropRow()}. What constraints refuse is
 * refused by the flush, whose rows are then forgotten.
 *
 * <p>One thread uses it at a time. Other statements of the connection may run meanwhile.
 */
public final class GpdbAppender implements AutoCloseable {
  /** Rows after which they are inserted without being asked. */
  public static final int ROWS_PER_FLUSH = 65_536;

  private static final int NO_ARRAY = -1;
  private static final long SECONDS_MAX = 9_000_000_000_000L;

  private final GpdbPreparedStatement insert;
  private final ParameterColumns values;
  private final List<String> columns;
  private int column;

  /** Rows of the arrays that were appended and not ended; negative: none was appended. */
  private int arrayRows = NO_ARRAY;

  private long rowsFlushed;
  private boolean closed;

  GpdbAppender(GpdbPreparedStatement insert, ParameterColumns values, List<String> columns) {
    this.insert = insert;
    this.values = values;
    this.columns = columns;
  }

  /** The columns of a row, in the order in which their values are appended. */
  public List<String> columns() {
    return columns;
  }

  /** Rows that were inserted, those not yet committed included. */
  public long rowsFlushed() {
    return rowsFlushed;
  }

  /** Stores a value for a column. */
  private interface Setting {
    void to(ParameterColumns values, int column);
  }

  private GpdbAppender append(Setting setting) throws SQLException {
    requireColumn();
    try {
      setting.to(values, column);
    } catch (GpdbException e) {
      throw refused(e);
    }
    column++;
    return this;
  }

  private void requireColumn() throws SQLException {
    requireOpen();
    requireNoArrays();
    requireColumnLeft();
  }

  private void requireNoArrays() throws SQLException {
    if (arrayRows != NO_ARRAY) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, place() + " is of arrays, which endRows() ends");
    }
  }

  private void requireColumnLeft() throws SQLException {
    if (column == columns.size()) {
      throw SqlErrors.of(
          SqlCondition.PARAMETER_COUNT,
          place() + " has values for all of its " + columns.size() + " columns");
    }
  }

  private void requireOpen() throws SQLException {
    if (closed) {
      throw SqlErrors.of(DriverCondition.STATEMENT_CLOSED, "the appender is closed");
    }
  }

  private String place() {
    return "row " + (rowsFlushed + values.rows() + 1);
  }

  private SQLException refused(GpdbException cause) {
    return refused(cause, 0);
  }

  private SQLException refused(GpdbException cause, int rowsBefore) {
    return SqlErrors.of(cause.code(), valuePlace(rowsBefore) + cause.getMessage(), cause);
  }

  private String valuePlace(int rowsBefore) {
    long row = rowsFlushed + values.rows() + rowsBefore + 1;
    return "row " + row + ", column " + (column + 1) + " (" + columns.get(column) + "): ";
  }

  /** An integer, for a column of any type that takes numbers. */
  public GpdbAppender appendLong(long value) throws SQLException {
    requireColumn();
    try {
      values.setLong(column, value);
    } catch (GpdbException e) {
      throw refused(e);
    }
    column++;
    return this;
  }

  public GpdbAppender appendInt(int value) throws SQLException {
    return appendLong(value);
  }

  public GpdbAppender appendDouble(double value) throws SQLException {
    return append((to, at) -> to.setDouble(at, value));
  }

  public GpdbAppender appendFloat(float value) throws SQLException {
    return append((to, at) -> to.setFloat(at, value));
  }

  public GpdbAppender appendBoolean(boolean value) throws SQLException {
    return append((to, at) -> to.setBoolean(at, value));
  }

  public GpdbAppender appendDecimal(@Nullable BigDecimal value) throws SQLException {
    return value == null ? appendNull() : append((to, at) -> to.setDecimal(at, value));
  }

  /** A text: as it is, or for a column of another type read as {@code CAST} reads it. */
  public GpdbAppender appendString(@Nullable String value) throws SQLException {
    return value == null ? appendNull() : append((to, at) -> to.setString(at, value));
  }

  public GpdbAppender appendBytes(byte @Nullable [] value) throws SQLException {
    return value == null
        ? appendNull()
        : append((to, at) -> to.setBytes(at, value, 0, value.length));
  }

  public GpdbAppender appendDate(@Nullable LocalDate value) throws SQLException {
    if (value == null) {
      return appendNull();
    }
    int day = Math.clamp(value.toEpochDay(), Integer.MIN_VALUE, Integer.MAX_VALUE);
    return append((to, at) -> to.setDate(at, day));
  }

  public GpdbAppender appendTime(@Nullable LocalTime value) throws SQLException {
    if (value == null) {
      return appendNull();
    }
    long micros = value.toNanoOfDay() / 1000;
    return append((to, at) -> to.setTime(at, micros));
  }

  /** A timestamp without a time zone; nanoseconds are rounded half up to microseconds. */
  public GpdbAppender appendTimestamp(@Nullable LocalDateTime value) throws SQLException {
    return value == null ? appendNull() : append((to, at) -> to.setTimestamp(at, micros(value)));
  }

  /** Years that no column has are far beyond in any unit. */
  private static long micros(LocalDateTime value) {
    long seconds = Math.clamp(value.toEpochSecond(ZoneOffset.UTC), -SECONDS_MAX, SECONDS_MAX);
    return seconds * 1_000_000 + (value.get(ChronoField.NANO_OF_SECOND) + 500) / 1000;
  }

  public GpdbAppender appendNull() throws SQLException {
    return append(ParameterColumns::setNull);
  }

  /** Any value that {@code setObject} of a prepared statement takes. */
  public GpdbAppender appendObject(@Nullable Object value) throws SQLException {
    requireColumn();
    try {
      insert.setObject(column + 1, value);
    } catch (SQLException e) {
      throw new SQLException(valuePlace(0) + e.getMessage(), e.getSQLState(), e);
    }
    column++;
    return this;
  }

  /** Adds the values of many rows to one column. */
  private interface Adding {
    void to(ParameterColumns values, int column);
  }

  private GpdbAppender appendArray(int n, boolean @Nullable [] nulls, Adding adding)
      throws SQLException {
    requireOpen();
    if (column > 0 && arrayRows == NO_ARRAY) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, place() + " was begun, and is not ended");
    }
    requireColumnLeft();
    if (arrayRows != NO_ARRAY && n != arrayRows) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT,
          "column %d (%s) has %d values, the columns before have %d"
              .formatted(column + 1, columns.get(column), n, arrayRows));
    }
    if (nulls != null && nulls.length != n) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, n + " values, but " + nulls.length + " of them may be NULL");
    }
    int at = column;
    try {
      adding.to(values, at);
    } catch (GpdbException e) {
      SQLException refused = refused(e, values.added(at));
      values.dropAdded(at);
      throw refused;
    } catch (RuntimeException | Error e) {
      values.dropAdded(at);
      throw SqlErrors.translate(e);
    }
    arrayRows = n;
    column++;
    return this;
  }

  /** The next column's values of as many rows as the array has elements. */
  public GpdbAppender appendInts(int... elements) throws SQLException {
    return appendInts(elements, null);
  }

  /**
   * @param nulls for each element, whether the row's value is NULL instead; null: none is
   */
  public GpdbAppender appendInts(int[] elements, boolean @Nullable [] nulls) throws SQLException {
    return appendArray(elements.length, nulls, (to, at) -> to.addInts(at, elements, nulls));
  }

  /** As {@link #appendInts(int[])}. */
  public GpdbAppender appendLongs(long... elements) throws SQLException {
    return appendLongs(elements, null);
  }

  /** As {@link #appendInts(int[], boolean[])}. */
  public GpdbAppender appendLongs(long[] elements, boolean @Nullable [] nulls) throws SQLException {
    return appendArray(elements.length, nulls, (to, at) -> to.addLongs(at, elements, nulls));
  }

  /** As {@link #appendInts(int[])}. */
  public GpdbAppender appendFloats(float... elements) throws SQLException {
    return appendFloats(elements, null);
  }

  /** As {@link #appendInts(int[], boolean[])}. */
  public GpdbAppender appendFloats(float[] elements, boolean @Nullable [] nulls)
      throws SQLException {
    return appendArray(elements.length, nulls, (to, at) -> to.addFloats(at, elements, nulls));
  }

  /** As {@link #appendInts(int[])}. */
  public GpdbAppender appendDoubles(double... elements) throws SQLException {
    return appendDoubles(elements, null);
  }

  /** As {@link #appendInts(int[], boolean[])}. */
  public GpdbAppender appendDoubles(double[] elements, boolean @Nullable [] nulls)
      throws SQLException {
    return appendArray(elements.length, nulls, (to, at) -> to.addDoubles(at, elements, nulls));
  }

  /** As {@link #appendInts(int[])}, of texts and NULLs, as {@link #appendString} takes them. */
  public GpdbAppender appendStrings(@Nullable String... elements) throws SQLException {
    return appendArray(
        elements.length,
        null,
        (to, at) -> to.addEach(at, elements.length, null, i -> set(to, at, elements[i])));
  }

  private static void set(ParameterColumns to, int column, @Nullable String element) {
    if (element == null) {
      to.setNull(column);
    } else {
      to.setString(column, element);
    }
  }

  /** The next column is NULL in all of these rows. */
  public GpdbAppender appendNulls(int rows) throws SQLException {
    return appendArray(rows, null, (to, at) -> to.addEach(at, rows, null, _ -> to.setNull(at)));
  }

  /** Ends the rows of arrays, of which each column has one. */
  public void endRows() throws SQLException {
    requireOpen();
    if (arrayRows == NO_ARRAY || column < columns.size()) {
      throw SqlErrors.of(
          SqlCondition.PARAMETER_COUNT,
          "%s has arrays for %d of %d columns"
              .formatted(place(), arrayRows == NO_ARRAY ? 0 : column, columns.size()));
    }
    values.endAdded();
    arrayRows = NO_ARRAY;
    column = 0;
    if (values.rows() >= ROWS_PER_FLUSH) {
      flush();
    }
  }

  /** Ends the row, all of whose columns have values. */
  public void endRow() throws SQLException {
    requireOpen();
    requireNoArrays();
    if (column < columns.size()) {
      throw SqlErrors.of(
          SqlCondition.PARAMETER_COUNT,
          place() + " has values for " + column + " of " + columns.size() + " columns");
    }
    try {
      values.addRow();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
    column = 0;
    if (values.rows() >= ROWS_PER_FLUSH) {
      flush();
    }
  }

  /** Forgets the values of the row, or of the rows of arrays, that are not ended. */
  public void dropRow() throws SQLException {
    requireOpen();
    for (int i = 0; arrayRows != NO_ARRAY && i < column; i++) {
      values.dropAdded(i);
    }
    arrayRows = NO_ARRAY;
    column = 0;
  }

  /**
   * Inserts the rows that were ended since the last flush, all or none; they are forgotten either
   * way.
   */
  public void flush() throws SQLException {
    requireOpen();
    requireNoArrays();
    int rows = values.rows();
    if (rows == 0) {
      return;
    }
    try {
      insert.executeLargeBatch();
    } catch (BatchUpdateException e) {
      throw e.getCause() instanceof SQLException cause ? cause : e;
    }
    rowsFlushed += rows;
  }

  /** Inserts the rows that were ended; one that was not is an error, unless it was dropped. */
  @Override
  public void close() throws SQLException {
    if (closed) {
      return;
    }
    try (insert) {
      boolean ended = column == 0;
      dropRow();
      flush();
      if (!ended) {
        throw SqlErrors.of(
            ErrorCode.INVALID_ARGUMENT, place() + " was not ended, and is not inserted");
      }
    } finally {
      closed = true;
    }
  }
}
