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

  private static final long SECONDS_MAX = 9_000_000_000_000L;

  private final GpdbPreparedStatement insert;
  private final ParameterColumns values;
  private final List<String> columns;
  private int column;
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
    String message = place() + ", column " + (column + 1) + " (" + columns.get(column) + "): ";
    return SqlErrors.of(cause.code(), message + cause.getMessage(), cause);
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
      throw new SQLException(
          place()
              + ", column "
              + (column + 1)
              + " ("
              + columns.get(column)
              + "): "
              + e.getMessage(),
          e.getSQLState(),
          e);
    }
    column++;
    return this;
  }

  /** Ends the row, all of whose columns have values. */
  public void endRow() throws SQLException {
    requireOpen();
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

  /** Forgets the values of the row that is not ended. */
  public void dropRow() throws SQLException {
    requireOpen();
    column = 0;
  }

  /**
   * Inserts the rows that were ended since the last flush, all or none; they are forgotten either
   * way.
   */
  public void flush() throws SQLException {
    requireOpen();
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
      flush();
      if (column > 0) {
        throw SqlErrors.of(
            ErrorCode.INVALID_ARGUMENT, place() + " was not ended, and is not inserted");
      }
    } finally {
      closed = true;
    }
  }
}
