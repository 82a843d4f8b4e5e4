package io.gpdb.jdbc;

import io.gpdb.jdbc.value.Arguments;
import io.gpdb.jdbc.value.BytesObject;
import io.gpdb.jdbc.value.CalendarZones;
import io.gpdb.jdbc.value.CivilDates;
import io.gpdb.jdbc.value.ColumnReader;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.TextObject;
import io.gpdb.jdbc.value.XmlText;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.SessionLock;
import io.gpdb.session.ValueText;
import io.gpdb.sql.type.SqlTypeSpec;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The getters by position, which read the engine's columns, one call at a time, and box nothing.
 */
abstract class ColumnGetters extends LabelGetters {
  final SessionLock lock;
  final SqlTypeSpec[] types;
  private boolean wasNull;

  /**
   * Odd while the row that getters read is changing, and then another number than before; written
   * with the lock held. A number is read without the lock, and again with it when another thread
   * moved or closed the result set meanwhile; what was read first is then not used.
   */
  private volatile int changes;

  private static final VarHandle CHANGES = changesHandle();

  ColumnGetters(SessionLock lock, SqlTypeSpec[] types) {
    this.lock = lock;
    this.types = types;
  }

  private static VarHandle changesHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(ColumnGetters.class, "changes", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The row is about to change, or to be given back; the lock is held. */
  final void changing() {
    CHANGES.setOpaque(this, (int) CHANGES.getOpaque(this) | 1);
    VarHandle.storeStoreFence();
  }

  /** The row has changed. */
  final void changed() {
    CHANGES.setRelease(this, ((int) CHANGES.getOpaque(this) | 1) + 1);
  }

  private boolean isUnchangedSince(int before) {
    VarHandle.loadLoadFence();
    return (int) CHANGES.getOpaque(this) == before && (before & 1) == 0;
  }

  private boolean isFixedWidth(int column) {
    return column > 0 && column <= types.length && !types[column - 1].kind().isString();
  }

  /** Throws 24000 where the result set is closed. */
  abstract void requireOpen() throws SQLException;

  /** The row that the result set is on, which has that column, counted from 1. */
  abstract RowSet rowWith(int column) throws SQLException;

  @Override
  public boolean wasNull() throws SQLException {
    requireOpen();
    return wasNull;
  }

  private interface Whole {
    long of(SqlTypeSpec type, RowSet row, int column) throws SQLException;
  }

  private interface Real {
    double of(SqlTypeSpec type, RowSet row, int column) throws SQLException;
  }

  private interface Value<T> {
    T of(SqlTypeSpec type, RowSet row, int column) throws SQLException;
  }

  private long whole(int column, Whole value) throws SQLException {
    int before = changes;
    if (isFixedWidth(column)) {
      try {
        boolean isNull = rowWith(column).isNull(column - 1);
        long read = isNull ? 0 : value.of(types[column - 1], rowWith(column), column - 1);
        if (isUnchangedSince(before)) {
          wasNull = isNull;
          return read;
        }
      } catch (SQLException | RuntimeException e) {
        if (isUnchangedSince(before)) {
          throw SqlErrors.translate(e);
        }
      }
    }
    return wholeInTurn(column, value);
  }

  private long wholeInTurn(int column, Whole value) throws SQLException {
    lock.lock();
    try {
      RowSet row = rowWith(column);
      wasNull = row.isNull(column - 1);
      return wasNull ? 0 : value.of(types[column - 1], row, column - 1);
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    } finally {
      lock.unlock();
    }
  }

  private double real(int column, Real value) throws SQLException {
    return Double.longBitsToDouble(
        whole(column, (type, row, at) -> Double.doubleToRawLongBits(value.of(type, row, at))));
  }

  private <T> @Nullable T value(int column, Value<T> value) throws SQLException {
    lock.lock();
    try {
      RowSet row = rowWith(column);
      int at = column - 1;
      wasNull = row.isNull(at);
      return wasNull ? null : value.of(types[at], row, at);
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    return whole(column, (type, row, at) -> ColumnReader.bool(type, row, at) ? 1 : 0) != 0;
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return (byte) whole(column, ColumnReader::tinyint);
  }

  @Override
  public short getShort(int column) throws SQLException {
    return (short) whole(column, ColumnReader::smallint);
  }

  @Override
  public int getInt(int column) throws SQLException {
    return (int) whole(column, ColumnReader::integer);
  }

  @Override
  public long getLong(int column) throws SQLException {
    return whole(column, ColumnReader::whole);
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return (float) real(column, ColumnReader::real);
  }

  @Override
  public double getDouble(int column) throws SQLException {
    return real(column, ColumnReader::real);
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
    return value(column, ColumnReader::decimal);
  }

  @Override
  @Deprecated(since = "1.2")
  public @Nullable BigDecimal getBigDecimal(int column, int scale) throws SQLException {
    return value(
        column, (type, row, at) -> Arguments.scaled(ColumnReader.decimal(type, row, at), scale));
  }

  @Override
  public @Nullable String getString(int column) throws SQLException {
    return value(column, ValueText::of);
  }

  @Override
  public @Nullable String getNString(int column) throws SQLException {
    return getString(column);
  }

  @Override
  public byte @Nullable [] getBytes(int column) throws SQLException {
    return value(column, ColumnReader::bytes);
  }

  @Override
  public @Nullable Date getDate(int column) throws SQLException {
    return value(column, (type, row, at) -> CivilDates.date(ColumnReader.date(type, row, at)));
  }

  @Override
  public @Nullable Time getTime(int column) throws SQLException {
    return value(column, (type, row, at) -> Time.valueOf(ColumnReader.time(type, row, at)));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column) throws SQLException {
    return value(column, ColumnReader::sqlTimestamp);
  }

  @Override
  public @Nullable Date getDate(int column, @Nullable Calendar calendar) throws SQLException {
    return calendar == null
        ? getDate(column)
        : value(
            column,
            (type, row, at) ->
                new Date(
                    CalendarZones.millis(
                        ColumnReader.date(type, row, at).atStartOfDay(), calendar)));
  }

  @Override
  public @Nullable Time getTime(int column, @Nullable Calendar calendar) throws SQLException {
    return calendar == null
        ? getTime(column)
        : value(
            column,
            (type, row, at) ->
                new Time(
                    CalendarZones.millis(
                        ColumnReader.time(type, row, at).atDate(LocalDate.EPOCH), calendar)));
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
      throws SQLException {
    return calendar == null
        ? getTimestamp(column)
        : value(
            column,
            (type, row, at) ->
                type.kind() == SqlTypeSpec.Kind.TIMESTAMP_TZ
                    ? ColumnReader.sqlTimestamp(type, row, at)
                    : CalendarZones.timestamp(ColumnReader.timestamp(type, row, at), calendar));
  }

  @Override
  public @Nullable Object getObject(int column) throws SQLException {
    return value(column, ColumnReader::natural);
  }

  @Override
  public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
    Class<T> asked = SqlErrors.given("the class to read", type);
    Object value = value(column, (of, row, at) -> ColumnReader.as(asked, of, row, at));
    // A primitive class has no instances; its wrapper is what reflection returns for it too.
    @SuppressWarnings("unchecked")
    T typed = asked.isPrimitive() ? (T) value : asked.cast(value);
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
    return value == null ? null : new BytesObject(value);
  }

  @Override
  public @Nullable Clob getClob(int column) throws SQLException {
    return getNClob(column);
  }

  @Override
  public @Nullable NClob getNClob(int column) throws SQLException {
    String value = getString(column);
    return value == null ? null : new TextObject(value);
  }

  @Override
  public @Nullable SQLXML getSQLXML(int column) throws SQLException {
    String value = getString(column);
    return value == null ? null : new XmlText(value);
  }
}
