package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a result set that reads columns named by label, and the types there are none of. */
abstract class LabelGetters extends RowUpdates {
  @Override
  public void updateObject(int column, @Nullable Object value, SQLType type) throws SQLException {
    set(column, (to, at) -> to.setObject(at, value, type));
  }

  @Override
  public void updateObject(int column, @Nullable Object value, SQLType type, int scaleOrLength)
      throws SQLException {
    set(column, (to, at) -> to.setObject(at, value, type, scaleOrLength));
  }

  @Override
  public void updateObject(String label, @Nullable Object value, SQLType type) throws SQLException {
    updateObject(findColumn(label), value, type);
  }

  @Override
  public void updateObject(String label, @Nullable Object value, SQLType type, int scaleOrLength)
      throws SQLException {
    updateObject(findColumn(label), value, type, scaleOrLength);
  }

  @Override
  public @Nullable String getString(String label) throws SQLException {
    return getString(findColumn(label));
  }

  @Override
  public boolean getBoolean(String label) throws SQLException {
    return getBoolean(findColumn(label));
  }

  @Override
  public byte getByte(String label) throws SQLException {
    return getByte(findColumn(label));
  }

  @Override
  public short getShort(String label) throws SQLException {
    return getShort(findColumn(label));
  }

  @Override
  public int getInt(String label) throws SQLException {
    return getInt(findColumn(label));
  }

  @Override
  public long getLong(String label) throws SQLException {
    return getLong(findColumn(label));
  }

  @Override
  public float getFloat(String label) throws SQLException {
    return getFloat(findColumn(label));
  }

  @Override
  public double getDouble(String label) throws SQLException {
    return getDouble(findColumn(label));
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(String label) throws SQLException {
    return getBigDecimal(findColumn(label));
  }

  @Override
  public byte @Nullable [] getBytes(String label) throws SQLException {
    return getBytes(findColumn(label));
  }

  @Override
  public @Nullable Date getDate(String label) throws SQLException {
    return getDate(findColumn(label));
  }

  @Override
  public @Nullable Time getTime(String label) throws SQLException {
    return getTime(findColumn(label));
  }

  @Override
  public @Nullable Timestamp getTimestamp(String label) throws SQLException {
    return getTimestamp(findColumn(label));
  }

  @Override
  public @Nullable Object getObject(String label) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public @Nullable InputStream getAsciiStream(String label) throws SQLException {
    return getAsciiStream(findColumn(label));
  }

  @Override
  public @Nullable InputStream getBinaryStream(String label) throws SQLException {
    return getBinaryStream(findColumn(label));
  }

  @Override
  public @Nullable Reader getCharacterStream(String label) throws SQLException {
    return getCharacterStream(findColumn(label));
  }

  @Override
  public @Nullable Reader getNCharacterStream(String label) throws SQLException {
    return getNCharacterStream(findColumn(label));
  }

  @Override
  public @Nullable String getNString(String label) throws SQLException {
    return getNString(findColumn(label));
  }

  @Override
  public @Nullable Blob getBlob(String label) throws SQLException {
    return getBlob(findColumn(label));
  }

  @Override
  public @Nullable Clob getClob(String label) throws SQLException {
    return getClob(findColumn(label));
  }

  @Override
  public @Nullable NClob getNClob(String label) throws SQLException {
    return getNClob(findColumn(label));
  }

  @Override
  public @Nullable Array getArray(String label) throws SQLException {
    return getArray(findColumn(label));
  }

  @Override
  public @Nullable Ref getRef(String label) throws SQLException {
    return getRef(findColumn(label));
  }

  @Override
  public @Nullable RowId getRowId(String label) throws SQLException {
    return getRowId(findColumn(label));
  }

  @Override
  public @Nullable SQLXML getSQLXML(String label) throws SQLException {
    return getSQLXML(findColumn(label));
  }

  @Override
  public @Nullable URL getURL(String label) throws SQLException {
    return getURL(findColumn(label));
  }

  @Override
  public @Nullable Date getDate(String label, @Nullable Calendar calendar) throws SQLException {
    return getDate(findColumn(label), calendar);
  }

  @Override
  public @Nullable Time getTime(String label, @Nullable Calendar calendar) throws SQLException {
    return getTime(findColumn(label), calendar);
  }

  @Override
  public @Nullable Timestamp getTimestamp(String label, @Nullable Calendar calendar)
      throws SQLException {
    return getTimestamp(findColumn(label), calendar);
  }

  @Override
  public <T> @Nullable T getObject(String label, Class<T> type) throws SQLException {
    return getObject(findColumn(label), type);
  }

  @Override
  public @Nullable Object getObject(String label, @Nullable Map<String, Class<?>> map)
      throws SQLException {
    return getObject(findColumn(label), map);
  }

  @Override
  public @Nullable Array getArray(int column) throws SQLException {
    throw SqlErrors.notSupported("getArray");
  }

  @Override
  public @Nullable Ref getRef(int column) throws SQLException {
    throw SqlErrors.notSupported("getRef");
  }

  @Override
  public @Nullable RowId getRowId(int column) throws SQLException {
    throw SqlErrors.notSupported("getRowId");
  }

  @Override
  public @Nullable URL getURL(int column) throws SQLException {
    throw SqlErrors.notSupported("getURL");
  }

  @Override
  @Deprecated(since = "1.2")
  public @Nullable BigDecimal getBigDecimal(String label, int scale) throws SQLException {
    return getBigDecimal(findColumn(label), scale);
  }

  @Override
  @Deprecated(since = "1.2")
  public @Nullable InputStream getUnicodeStream(String label) throws SQLException {
    throw SqlErrors.notSupported("getUnicodeStream");
  }

  @Override
  @Deprecated(since = "1.2")
  public @Nullable InputStream getUnicodeStream(int column) throws SQLException {
    throw SqlErrors.notSupported("getUnicodeStream");
  }
}
