package io.gpdb.jdbc;

import io.gpdb.jdbc.value.Arguments;
import io.gpdb.jdbc.value.JdbcEscapes;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.storage.error.ErrorCode;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** What can be set on a statement and asked of it, apart from running it. */
abstract class StatementOptions implements Statement {
  private static final int NAME_MAX = 128;

  private final ConnectionState connection;
  private final CursorKind kind;
  private volatile @Nullable SQLWarning warning;
  private volatile @Nullable String cursorName;
  private volatile int maxFieldBytes;
  private volatile boolean escapes = true;
  private volatile int fetchDirection = ResultSet.FETCH_FORWARD;
  private volatile long maxRows;
  private volatile int fetchSize;
  private volatile int timeoutSeconds;
  private volatile boolean poolable = this instanceof PreparedStatement;

  StatementOptions(ConnectionState connection, CursorKind kind) {
    this.connection = connection;
    this.kind = kind;
  }

  /** What its result sets are asked to do. */
  final CursorKind kind() {
    return kind;
  }

  final ConnectionState connection() {
    return connection;
  }

  abstract void requireOpen() throws SQLException;

  static int asInt(long count) {
    return count > Integer.MAX_VALUE ? SUCCESS_NO_INFO : (int) count;
  }

  @Override
  public int getMaxRows() throws SQLException {
    return (int) Math.min(getLargeMaxRows(), Integer.MAX_VALUE);
  }

  @Override
  public void setMaxRows(int max) throws SQLException {
    setLargeMaxRows(max);
  }

  @Override
  public long getLargeMaxRows() throws SQLException {
    requireOpen();
    return maxRows;
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    requireOpen();
    Arguments.requireNotNegative("max rows", max);
    maxRows = max;
  }

  @Override
  public int getFetchSize() throws SQLException {
    requireOpen();
    return fetchSize;
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    requireOpen();
    Arguments.requireNotNegative("fetch size", rows);
    fetchSize = rows;
  }

  /** Seconds that a call may take; 0 is no limit. */
  final int timeoutSeconds() {
    return timeoutSeconds;
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    requireOpen();
    return timeoutSeconds;
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    requireOpen();
    Arguments.requireNotNegative("timeout", seconds);
    timeoutSeconds = seconds;
  }

  @Override
  public int getMaxFieldSize() throws SQLException {
    requireOpen();
    return maxFieldBytes;
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    requireOpen();
    Arguments.requireNotNegative("max field size", max);
    maxFieldBytes = max;
  }

  /** The parser always knows most escapes of JDBC; this is about the others. */
  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    requireOpen();
    escapes = enable;
  }

  final String translated(String sql) {
    return escapes && sql.indexOf('{') >= 0 ? JdbcEscapes.translated(sql) : sql;
  }

  /** The name of the cursors of the queries to come, as SQL has it. */
  @Override
  public void setCursorName(@Nullable String name) throws SQLException {
    requireOpen();
    cursorName = name == null ? null : enquoteIdentifier(name, false);
  }

  /** Null where the next query has no named cursor. */
  final @Nullable String cursorName() {
    return kind.isStreamed() && maxFieldBytes == 0 ? cursorName : null;
  }

  /** A hint that the engine does not use. */
  @Override
  public void setFetchDirection(int direction) throws SQLException {
    requireOpen();
    CursorKind.requireDirection(direction);
    fetchDirection = direction;
  }

  /** For the result sets that are made, which are asked only for what they can. */
  final int fetchDirection() {
    return kind.isForwardOnly() ? ResultSet.FETCH_FORWARD : fetchDirection;
  }

  final int fetchSize() {
    return fetchSize;
  }

  @Override
  public int getFetchDirection() throws SQLException {
    requireOpen();
    return fetchDirection;
  }

  @Override
  public int getResultSetConcurrency() throws SQLException {
    requireOpen();
    return kind.concurrency();
  }

  @Override
  public int getResultSetType() throws SQLException {
    requireOpen();
    return kind.type();
  }

  @Override
  public int getResultSetHoldability() throws SQLException {
    requireOpen();
    return kind.holdability();
  }

  @Override
  public void setPoolable(boolean canBePooled) throws SQLException {
    requireOpen();
    poolable = canBePooled;
  }

  @Override
  public boolean isPoolable() throws SQLException {
    requireOpen();
    return poolable;
  }

  /** What the execution did less than was asked for; the next execution forgets it. */
  final void warn(@Nullable String message) {
    warning = message == null ? null : new SQLWarning(message, "01000");
  }

  @Override
  public @Nullable SQLWarning getWarnings() throws SQLException {
    requireOpen();
    return warning;
  }

  @Override
  public void clearWarnings() throws SQLException {
    requireOpen();
    warning = null;
  }

  @Override
  public String enquoteLiteral(String text) throws SQLException {
    return "'" + SqlErrors.given("the text", text).replace("'", "''") + "'";
  }

  @Override
  public String enquoteNCharLiteral(String text) throws SQLException {
    return "N" + enquoteLiteral(text);
  }

  /** A name as it is when it needs no quotes, else between them. */
  @Override
  public String enquoteIdentifier(String name, boolean alwaysQuote) throws SQLException {
    String text = SqlErrors.given("the name", name);
    if (text.isEmpty() || text.length() > NAME_MAX || text.indexOf('\0') >= 0) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "a name has 1 to " + NAME_MAX + " characters and no 0");
    }
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    if (quoted || (!alwaysQuote && isSimpleIdentifier(text))) {
      return text;
    }
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }

  @Override
  public boolean isSimpleIdentifier(String name) throws SQLException {
    return SqlErrors.given("the name", name).matches("[a-zA-Z][a-zA-Z0-9_]{0,127}");
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
