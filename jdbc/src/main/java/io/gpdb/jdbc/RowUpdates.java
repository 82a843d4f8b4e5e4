package io.gpdb.jdbc;

import io.gpdb.jdbc.value.Arguments;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** The part of a result set that changes columns by position: each is a parameter that is bound. */
abstract class RowUpdates extends LabelUpdates {
  /** Binds a value to the parameter of a column. */
  interface Setting {
    void to(PreparedStatement parameters, int column) throws SQLException;
  }

  /** Sets a column of the current row or of the row to insert. */
  abstract void set(int column, Setting setting) throws SQLException;

  @Override
  public void updateArray(int column, @Nullable Array value) throws SQLException {
    set(column, (to, at) -> to.setArray(at, value));
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream value, int length)
      throws SQLException {
    set(column, (to, at) -> to.setAsciiStream(at, value, length));
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream value, long length)
      throws SQLException {
    set(column, (to, at) -> to.setAsciiStream(at, value, length));
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream value) throws SQLException {
    set(column, (to, at) -> to.setAsciiStream(at, value));
  }

  @Override
  public void updateBigDecimal(int column, @Nullable BigDecimal value) throws SQLException {
    set(column, (to, at) -> to.setBigDecimal(at, value));
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream value, int length)
      throws SQLException {
    set(column, (to, at) -> to.setBinaryStream(at, value, length));
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream value, long length)
      throws SQLException {
    set(column, (to, at) -> to.setBinaryStream(at, value, length));
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream value) throws SQLException {
    set(column, (to, at) -> to.setBinaryStream(at, value));
  }

  @Override
  public void updateBlob(int column, @Nullable InputStream value, long length) throws SQLException {
    set(column, (to, at) -> to.setBlob(at, value, length));
  }

  @Override
  public void updateBlob(int column, @Nullable InputStream value) throws SQLException {
    set(column, (to, at) -> to.setBlob(at, value));
  }

  @Override
  public void updateBlob(int column, @Nullable Blob value) throws SQLException {
    set(column, (to, at) -> to.setBlob(at, value));
  }

  @Override
  public void updateBoolean(int column, boolean value) throws SQLException {
    set(column, (to, at) -> to.setBoolean(at, value));
  }

  @Override
  public void updateByte(int column, byte value) throws SQLException {
    set(column, (to, at) -> to.setByte(at, value));
  }

  @Override
  public void updateBytes(int column, byte @Nullable [] value) throws SQLException {
    set(column, (to, at) -> to.setBytes(at, value));
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader value, int length)
      throws SQLException {
    set(column, (to, at) -> to.setCharacterStream(at, value, length));
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader value, long length)
      throws SQLException {
    set(column, (to, at) -> to.setCharacterStream(at, value, length));
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader value) throws SQLException {
    set(column, (to, at) -> to.setCharacterStream(at, value));
  }

  @Override
  public void updateClob(int column, @Nullable Reader value, long length) throws SQLException {
    set(column, (to, at) -> to.setClob(at, value, length));
  }

  @Override
  public void updateClob(int column, @Nullable Reader value) throws SQLException {
    set(column, (to, at) -> to.setClob(at, value));
  }

  @Override
  public void updateClob(int column, @Nullable Clob value) throws SQLException {
    set(column, (to, at) -> to.setClob(at, value));
  }

  @Override
  public void updateDate(int column, @Nullable Date value) throws SQLException {
    set(column, (to, at) -> to.setDate(at, value));
  }

  @Override
  public void updateDouble(int column, double value) throws SQLException {
    set(column, (to, at) -> to.setDouble(at, value));
  }

  @Override
  public void updateFloat(int column, float value) throws SQLException {
    set(column, (to, at) -> to.setFloat(at, value));
  }

  @Override
  public void updateInt(int column, int value) throws SQLException {
    set(column, (to, at) -> to.setInt(at, value));
  }

  @Override
  public void updateLong(int column, long value) throws SQLException {
    set(column, (to, at) -> to.setLong(at, value));
  }

  @Override
  public void updateNCharacterStream(int column, @Nullable Reader value, long length)
      throws SQLException {
    set(column, (to, at) -> to.setNCharacterStream(at, value, length));
  }

  @Override
  public void updateNCharacterStream(int column, @Nullable Reader value) throws SQLException {
    set(column, (to, at) -> to.setNCharacterStream(at, value));
  }

  @Override
  public void updateNClob(int column, @Nullable Reader value, long length) throws SQLException {
    set(column, (to, at) -> to.setNClob(at, value, length));
  }

  @Override
  public void updateNClob(int column, @Nullable Reader value) throws SQLException {
    set(column, (to, at) -> to.setNClob(at, value));
  }

  @Override
  public void updateNClob(int column, @Nullable NClob value) throws SQLException {
    set(column, (to, at) -> to.setNClob(at, value));
  }

  @Override
  public void updateNString(int column, @Nullable String value) throws SQLException {
    set(column, (to, at) -> to.setNString(at, value));
  }

  @Override
  public void updateNull(int column) throws SQLException {
    set(column, (to, at) -> to.setNull(at, Types.NULL));
  }

  @Override
  public void updateObject(int column, @Nullable Object value, int length) throws SQLException {
    set(
        column,
        value instanceof BigDecimal number
            ? (to, at) -> to.setBigDecimal(at, Arguments.scaled(number, length))
            : (to, at) -> to.setObject(at, value));
  }

  @Override
  public void updateObject(int column, @Nullable Object value) throws SQLException {
    set(column, (to, at) -> to.setObject(at, value));
  }

  @Override
  public void updateRef(int column, @Nullable Ref value) throws SQLException {
    set(column, (to, at) -> to.setRef(at, value));
  }

  @Override
  public void updateRowId(int column, @Nullable RowId value) throws SQLException {
    set(column, (to, at) -> to.setRowId(at, value));
  }

  @Override
  public void updateSQLXML(int column, @Nullable SQLXML value) throws SQLException {
    set(column, (to, at) -> to.setSQLXML(at, value));
  }

  @Override
  public void updateShort(int column, short value) throws SQLException {
    set(column, (to, at) -> to.setShort(at, value));
  }

  @Override
  public void updateString(int column, @Nullable String value) throws SQLException {
    set(column, (to, at) -> to.setString(at, value));
  }

  @Override
  public void updateTime(int column, @Nullable Time value) throws SQLException {
    set(column, (to, at) -> to.setTime(at, value));
  }

  @Override
  public void updateTimestamp(int column, @Nullable Timestamp value) throws SQLException {
    set(column, (to, at) -> to.setTimestamp(at, value));
  }
}
