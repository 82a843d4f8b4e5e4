package io.gpdb.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import org.jspecify.annotations.Nullable;

/** The part of a result set that changes rows: refused, results are read only. */
abstract class ReadOnlyResultSet implements ResultSet {
  private static SQLException readOnly() {
    return SqlErrors.notSupported("changing a row through its result set");
  }

  @Override
  public void updateArray(String label, @Nullable Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateArray(int column, @Nullable Array value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String label, @Nullable InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String label, @Nullable InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(String label, @Nullable InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateAsciiStream(int column, @Nullable InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBigDecimal(String label, @Nullable BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBigDecimal(int column, @Nullable BigDecimal value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String label, @Nullable InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String label, @Nullable InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(String label, @Nullable InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBinaryStream(int column, @Nullable InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String label, @Nullable InputStream value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String label, @Nullable InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(String label, @Nullable Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, @Nullable InputStream value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, @Nullable InputStream value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBlob(int column, @Nullable Blob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBoolean(String label, boolean value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBoolean(int column, boolean value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateByte(String label, byte value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateByte(int column, byte value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBytes(String label, byte @Nullable [] value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateBytes(int column, byte @Nullable [] value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String label, @Nullable Reader value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String label, @Nullable Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(String label, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader value, int length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateCharacterStream(int column, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String label, @Nullable Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String label, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(String label, @Nullable Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, @Nullable Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateClob(int column, @Nullable Clob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDate(String label, @Nullable Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDate(int column, @Nullable Date value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDouble(String label, double value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateDouble(int column, double value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateFloat(String label, float value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateFloat(int column, float value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateInt(String label, int value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateInt(int column, int value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateLong(String label, long value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateLong(int column, long value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(String label, @Nullable Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(String label, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(int column, @Nullable Reader value, long length)
      throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNCharacterStream(int column, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String label, @Nullable Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String label, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(String label, @Nullable NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, @Nullable Reader value, long length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, @Nullable Reader value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNClob(int column, @Nullable NClob value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNString(String label, @Nullable String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNString(int column, @Nullable String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNull(String label) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateNull(int column) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String label, @Nullable Object value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(String label, @Nullable Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, @Nullable Object value, int length) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateObject(int column, @Nullable Object value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRef(String label, @Nullable Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRef(int column, @Nullable Ref value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRowId(String label, @Nullable RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateRowId(int column, @Nullable RowId value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateSQLXML(String label, @Nullable SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateSQLXML(int column, @Nullable SQLXML value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateShort(String label, short value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateShort(int column, short value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateString(String label, @Nullable String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateString(int column, @Nullable String value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTime(String label, @Nullable Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTime(int column, @Nullable Time value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTimestamp(String label, @Nullable Timestamp value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void updateTimestamp(int column, @Nullable Timestamp value) throws SQLException {
    throw readOnly();
  }

  @Override
  public void insertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void deleteRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void cancelRowUpdates() throws SQLException {
    throw readOnly();
  }

  @Override
  public void moveToInsertRow() throws SQLException {
    throw readOnly();
  }

  @Override
  public void moveToCurrentRow() throws SQLException {
    throw readOnly();
  }
}
