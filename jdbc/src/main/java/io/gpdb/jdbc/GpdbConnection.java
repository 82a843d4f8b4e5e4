package io.gpdb.jdbc;

import io.gpdb.jdbc.value.Arguments;
import io.gpdb.jdbc.value.JdbcEscapes;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.session.Session;
import io.gpdb.session.SessionSavepoints;
import io.gpdb.session.database.DatabaseOptions;
import io.gpdb.session.database.Databases;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.sql.ClientInfoStatus;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A connection: one session on a database that others in this process may share. */
public final class GpdbConnection extends ConnectionRefusals {
  private final JdbcUrl url;
  private final boolean isNewDatabase;
  private final Session session;
  private final ConnectionState state;
  private final Properties clientInfo = new Properties();
  private volatile int networkTimeoutMillis;

  /** Whether READ UNCOMMITTED was the last level set, which is run as READ COMMITTED. */
  private volatile boolean askedUncommitted;

  private volatile int holdability = ResultSet.CLOSE_CURSORS_AT_COMMIT;
  private volatile @Nullable SQLWarning warnings;

  private GpdbConnection(JdbcUrl url, Databases.Lease lease) throws SQLException {
    this.url = url;
    this.isNewDatabase = lease.database().isNew();
    this.session = new Session(lease.database(), url.readOnly(), url.fileAccess());
    session.current().lockTimeoutMillis(url.lockTimeoutMillis());
    this.state =
        new ConnectionState(this, url.text(), lease, session, GpdbPreparedStatement::unplannedRow);
  }

  @Override
  void requireOpen() throws SQLException {
    state.requireOpen();
  }

  static GpdbConnection open(JdbcUrl url) throws SQLException {
    DatabaseOptions options = url.databaseOptions();
    url.lockTimeoutMillis();
    url.fileAccess();
    Databases.Lease lease = acquire(options);
    try {
      return new GpdbConnection(url, lease);
    } catch (SQLException | RuntimeException | Error e) {
      lease.close();
      throw e;
    }
  }

  private static Databases.Lease acquire(DatabaseOptions options) throws SQLException {
    try {
      return Databases.acquire(options);
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  Session session() {
    return session;
  }

  /** Every problem of the database's files; reads all of them. */
  public java.util.List<String> check() throws SQLException {
    return state.ask(() -> session.database().transactions().check());
  }

  /**
   * Opens the fastest way to add rows to a table.
   *
   * @param table its name as in SQL, with its schema and in quotes where needed
   * @param columns those that values are appended for, in this order; none are all of the table's
   *     but those that are generated
   */
  public GpdbAppender appender(String table, String... columns) throws SQLException {
    state.requireOpen();
    return AppenderTarget.open(state, table, columns);
  }

  /** The listener that is called with the progress of a COPY of this connection. */
  public void onCopyProgress(io.gpdb.session.copy.CopyProgress listener) {
    session.onCopyProgress(listener);
  }

  /** Whether the database is in memory only. */
  public boolean isInMemory() {
    return url.place().inMemory();
  }

  /** The absolute path of the database's directory, or its name in memory. */
  public String place() throws SQLException {
    return isInMemory() ? url.place().text() : url.path().toAbsolutePath().normalize().toString();
  }

  /** Whether the database was made by the first connection to it, and there was none before. */
  public boolean isNewDatabase() {
    return isNewDatabase;
  }

  /** Whether a transaction is open: BEGIN ran, or a statement did without autocommit. */
  public boolean inTransaction() {
    return session.current().isOpen();
  }

  @Override
  public Statement createStatement() throws SQLException {
    state.requireOpen();
    return new GpdbStatement(state, defaultKind());
  }

  @Override
  public Statement createStatement(int type, int concurrency) throws SQLException {
    return createStatement(type, concurrency, holdability);
  }

  @Override
  public Statement createStatement(int type, int concurrency, int overCommit) throws SQLException {
    return new GpdbStatement(state, kind(type, concurrency, overCommit));
  }

  private CursorKind defaultKind() {
    return holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT
        ? CursorKind.FORWARD
        : new CursorKind(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, holdability);
  }

  /** A result set that can do less comes with a warning, as JDBC requires, never in silence. */
  private CursorKind kind(int type, int concurrency, int overCommit) throws SQLException {
    state.requireOpen();
    CursorKind kind = CursorKind.of(type, concurrency, overCommit);
    if (kind.isSensitive()) {
      warn("result sets do not see what others change: they are TYPE_SCROLL_INSENSITIVE");
    }
    return kind.insensitive();
  }

  private synchronized void warn(String message) {
    SQLWarning warning = new SQLWarning(message, "01000");
    SQLWarning first = warnings;
    if (first == null) {
      warnings = warning;
    } else {
      first.setNextWarning(warning);
    }
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    return prepare(sql, null);
  }

  private PreparedStatement prepare(String sql, @Nullable KeyRequest keys) throws SQLException {
    state.requireOpen();
    return prepare(sql, defaultKind(), keys);
  }

  private PreparedStatement prepare(String sql, CursorKind kind, @Nullable KeyRequest keys)
      throws SQLException {
    String text = SqlErrors.given("the statement", sql);
    return state.ask(() -> GpdbPreparedStatement.prepare(state, text, kind, keys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency)
      throws SQLException {
    return prepareStatement(sql, type, concurrency, holdability);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int type, int concurrency, int overCommit)
      throws SQLException {
    return prepare(sql, kind(type, concurrency, overCommit), null);
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int generatedKeys) throws SQLException {
    return prepare(sql, KeyRequests.of(generatedKeys));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, int[] keyColumns) throws SQLException {
    return prepare(sql, KeyRequests.of(keyColumns));
  }

  @Override
  public PreparedStatement prepareStatement(String sql, String[] keyColumns) throws SQLException {
    return prepare(sql, KeyRequests.of(keyColumns));
  }

  @Override
  public String nativeSQL(String sql) throws SQLException {
    state.requireOpen();
    return JdbcEscapes.translated(SqlErrors.given("the statement", sql));
  }

  @Override
  public void setAutoCommit(boolean autoCommit) throws SQLException {
    state.act(() -> session.setAutoCommit(autoCommit));
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    state.requireOpen();
    return session.isAutoCommit();
  }

  @Override
  public void commit() throws SQLException {
    state.act(
        () -> {
          session.requireManual("commit()");
          session.commit();
        });
  }

  @Override
  public void rollback() throws SQLException {
    state.act(
        () -> {
          session.requireManual("rollback()");
          session.rollback();
        });
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return state.ask(() -> new GpdbSavepoint(session.setSavepoint(null)));
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    String given = SqlErrors.given("the savepoint's name", name);
    return state.ask(() -> new GpdbSavepoint(session.setSavepoint(given)));
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    state.act(() -> session.rollbackTo(entry(savepoint)));
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    state.act(() -> session.release(entry(savepoint)));
  }

  private static SessionSavepoints.Entry entry(Savepoint savepoint) {
    if (savepoint instanceof GpdbSavepoint own) {
      return own.entry();
    }
    throw new GpdbException(
        ErrorCode.SAVEPOINT_UNKNOWN, savepoint + " is no savepoint of this driver");
  }

  @Override
  public void close() throws SQLException {
    if (state.shut()) {
      state.closeSession();
    }
  }

  @Override
  public boolean isClosed() {
    return state.isClosed();
  }

  @Override
  public void abort(Executor executor) throws SQLException {
    if (state.isClosed()) {
      return;
    }
    Executor closer = SqlErrors.given("the executor", executor);
    state.shut();
    try {
      Arguments.converted(
          "the executor",
          () -> {
            closer.execute(this::closeAborted);
            return this;
          });
    } catch (SQLException e) {
      closeAborted();
      throw e;
    }
  }

  private void closeAborted() {
    try {
      state.closeSession();
    } catch (SQLException e) {
      System.getLogger("io.gpdb").log(System.Logger.Level.WARNING, "abort", e);
    }
  }

  @Override
  public boolean isValid(int timeoutSeconds) throws SQLException {
    Arguments.requireNotNegative("timeout", timeoutSeconds);
    return !state.isClosed() && session.answers();
  }

  @Override
  public DatabaseMetaData getMetaData() throws SQLException {
    state.requireOpen();
    return new GpdbDatabaseMetaData(state);
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    state.act(
        () -> {
          if (readOnly != session.isReadOnly() && inTransaction()) {
            throw new GpdbException(
                ErrorCode.TRANSACTION_STATE, "setReadOnly is not for an open transaction");
          }
          session.setReadOnly(readOnly);
        });
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    state.requireOpen();
    return session.isReadOnly();
  }

  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    state.act(() -> session.isolation().set(IsolationLevels.of(level)));
    askedUncommitted = level == TRANSACTION_READ_UNCOMMITTED;
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    int level = state.ask(() -> IsolationLevels.number(session.isolation().ofSession()));
    return level == TRANSACTION_READ_COMMITTED && askedUncommitted
        ? TRANSACTION_READ_UNCOMMITTED
        : level;
  }

  /** There are no catalogs; JDBC wants the name ignored. */
  @Override
  public void setCatalog(@Nullable String catalog) throws SQLException {
    state.requireOpen();
  }

  @Override
  public @Nullable String getCatalog() throws SQLException {
    state.requireOpen();
    return null;
  }

  @Override
  public void setSchema(@Nullable String schema) throws SQLException {
    state.requireOpen();
    if (schema != null) {
      try {
        session.schema().set(schema);
      } catch (RuntimeException e) {
        throw SqlErrors.translate(e);
      }
    }
  }

  @Override
  public String getSchema() throws SQLException {
    state.requireOpen();
    return session.schema().name();
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    state.requireOpen();
    return warnings;
  }

  @Override
  public synchronized void clearWarnings() throws SQLException {
    state.requireOpen();
    warnings = null;
  }

  @Override
  public Map<String, Class<?>> getTypeMap() throws SQLException {
    state.requireOpen();
    return Collections.emptyMap();
  }

  @Override
  public void setTypeMap(@Nullable Map<String, Class<?>> map) throws SQLException {
    state.requireOpen();
    if (map != null && !map.isEmpty()) {
      throw SqlErrors.notSupported("a type map");
    }
  }

  @Override
  public void setHoldability(int overCommit) throws SQLException {
    state.requireOpen();
    CursorKind.requireHoldability(overCommit);
    holdability = overCommit;
  }

  @Override
  public int getHoldability() throws SQLException {
    state.requireOpen();
    return holdability;
  }

  /** An embedded database waits for no network; the number is remembered for pools that ask. */
  @Override
  public void setNetworkTimeout(@Nullable Executor executor, int millis) throws SQLException {
    state.requireOpen();
    SqlErrors.given("the executor", executor);
    Arguments.requireNotNegative("timeout", millis);
    networkTimeoutMillis = millis;
  }

  @Override
  public int getNetworkTimeout() throws SQLException {
    state.requireOpen();
    return networkTimeoutMillis;
  }

  @Override
  public void setClientInfo(@Nullable String name, @Nullable String value)
      throws SQLClientInfoException {
    if (state.isClosed()) {
      throw new SQLClientInfoException(
          "the connection is closed",
          ErrorCode.CLOSED.sqlState(),
          Map.of(String.valueOf(name), ClientInfoStatus.REASON_UNKNOWN));
    }
    if (name == null || !ClientInfo.NAMES.contains(name)) {
      warn("client info " + name + " is not known and not kept");
    } else if (value == null) {
      clientInfo.remove(name);
    } else {
      clientInfo.setProperty(name, value);
    }
  }

  @Override
  public void setClientInfo(@Nullable Properties properties) throws SQLClientInfoException {
    for (String name : ClientInfo.NAMES) {
      setClientInfo(name, properties == null ? null : properties.getProperty(name));
    }
  }

  @Override
  public @Nullable String getClientInfo(@Nullable String name) throws SQLException {
    state.requireOpen();
    return name == null ? null : clientInfo.getProperty(name);
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    state.requireOpen();
    Properties copy = new Properties();
    copy.putAll(clientInfo);
    return copy;
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
