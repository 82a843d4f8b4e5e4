package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.Wrappers;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.ShardingKeyBuilder;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens connections to one URL. */
public final class GpdbDataSource implements DataSource {
  private String url;
  private @Nullable PrintWriter logWriter;
  private int loginTimeoutSeconds;

  public GpdbDataSource() {
    this(JdbcUrl.PREFIX + "mem:");
  }

  public GpdbDataSource(String url) {
    this.url = url;
  }

  public String getUrl() {
    return url;
  }

  public void setUrl(String newUrl) {
    this.url = newUrl;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return GpdbConnection.open(JdbcUrl.parse(url, null));
  }

  /** An embedded database knows no users; the names are not looked at. */
  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return logWriter;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    logWriter = out;
  }

  @Override
  public void setLoginTimeout(int seconds) {
    loginTimeoutSeconds = seconds;
  }

  @Override
  public int getLoginTimeout() {
    return loginTimeoutSeconds;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.gpdb");
  }

  @Override
  public ConnectionBuilder createConnectionBuilder() throws SQLException {
    throw SqlErrors.notSupported("a connection builder");
  }

  @Override
  public ShardingKeyBuilder createShardingKeyBuilder() throws SQLException {
    throw SqlErrors.notSupported("a sharding key");
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
