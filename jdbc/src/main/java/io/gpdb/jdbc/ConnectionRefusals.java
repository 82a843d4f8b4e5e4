package io.gpdb.jdbc;

import io.gpdb.jdbc.value.BytesObject;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.TextObject;
import io.gpdb.jdbc.value.XmlText;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.NClob;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.ShardingKey;
import java.sql.Struct;
import org.jspecify.annotations.Nullable;

/** What a connection of gpDB does not have, but for large objects and calls of functions. */
abstract class ConnectionRefusals implements Connection {
  /** Fails where the connection is closed. */
  abstract void requireOpen() throws SQLException;

  @Override
  public CallableStatement prepareCall(String sql) throws SQLException {
    return CalledFunction.prepare(sql, this::prepareStatement);
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
    return CalledFunction.prepare(sql, text -> prepareStatement(text, type, concurrency));
  }

  @Override
  public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability)
      throws SQLException {
    return CalledFunction.prepare(
        sql, text -> prepareStatement(text, type, concurrency, holdability));
  }

  @Override
  public boolean setShardingKeyIfValid(
      @Nullable ShardingKey key, @Nullable ShardingKey superKey, int timeoutSeconds)
      throws SQLException {
    throw SqlErrors.notSupported("a sharding key");
  }

  @Override
  public boolean setShardingKeyIfValid(@Nullable ShardingKey key, int timeoutSeconds)
      throws SQLException {
    throw SqlErrors.notSupported("a sharding key");
  }

  @Override
  public void setShardingKey(@Nullable ShardingKey key, @Nullable ShardingKey superKey)
      throws SQLException {
    throw SqlErrors.notSupported("a sharding key");
  }

  @Override
  public void setShardingKey(@Nullable ShardingKey key) throws SQLException {
    throw SqlErrors.notSupported("a sharding key");
  }

  @Override
  public Clob createClob() throws SQLException {
    return createNClob();
  }

  @Override
  public Blob createBlob() throws SQLException {
    requireOpen();
    return new BytesObject(new byte[0]);
  }

  @Override
  public NClob createNClob() throws SQLException {
    requireOpen();
    return new TextObject("");
  }

  @Override
  public SQLXML createSQLXML() throws SQLException {
    requireOpen();
    return new XmlText();
  }

  @Override
  public Array createArrayOf(String type, @Nullable Object[] elements) throws SQLException {
    throw SqlErrors.notSupported("ARRAY");
  }

  @Override
  public Struct createStruct(String type, @Nullable Object[] attributes) throws SQLException {
    throw SqlErrors.notSupported("STRUCT");
  }
}
