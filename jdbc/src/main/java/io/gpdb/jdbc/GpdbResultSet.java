package io.gpdb.jdbc;

import io.gpdb.jdbc.metadata.GpdbResultSetMetaData;
import io.gpdb.jdbc.value.Arguments;
import io.gpdb.jdbc.value.DriverCondition;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.BufferedRows;
import io.gpdb.session.OpenResult;
import io.gpdb.session.SessionLock;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a query, read forward as the engine makes them. States: before a row, on a row, after the
 * last, closed; an error of {@code next()} closes it.
 */
class GpdbResultSet extends ForwardMoves implements OpenResult {
  private final @Nullable GpdbStatement statement;
  private final Owner owner;
  private final List<OutputColumn> columns;
  private final CursorKind kind;
  private final long rowsMax;
  private RowSet cursor;
  private volatile @Nullable Map<String, Integer> labels;
  private volatile @Nullable SQLWarning warning;
  private volatile int fetchSize;
  private volatile int fetchDirection;
  private long row;

  /** Whether getters read a row. */
  boolean onRow;

  boolean afterLast;

  /** Whether the cursor is on the row that {@code next()} moves to, as isBeforeFirst asked. */
  private boolean ahead;

  private boolean released;
  private volatile boolean closed;

  /** Why the result set closed itself; null while it has not. */
  private volatile @Nullable String lostTo;

  /** {@code rowsMax} 0 is no limit. */
  GpdbResultSet(
      @Nullable GpdbStatement statement,
      List<OutputColumn> columns,
      SqlTypeSpec[] types,
      RowSet cursor,
      long rowsMax,
      CursorKind kind,
      Owner owner) {
    super(statement == null ? new SessionLock() : statement.connection().session().lock(), types);
    this.statement = statement;
    this.columns = columns;
    this.cursor = cursor;
    this.rowsMax = rowsMax;
    this.kind = kind;
    this.owner = owner;
    this.fetchSize = statement == null ? 0 : statement.fetchSize();
    this.fetchDirection = statement == null ? FETCH_FORWARD : statement.fetchDirection();
  }

  @Override
  public boolean next() throws SQLException {
    lock.lock();
    try {
      requireOpen();
      changing();
      return !afterLast && advance();
    } finally {
      changed();
      lock.unlock();
    }
  }

  private boolean advance() throws SQLException {
    boolean more;
    try {
      checkStop();
      more = (rowsMax == 0 || row < rowsMax) && fetched();
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
    onRow = more;
    if (more) {
      row++;
    } else {
      afterLast = true;
      releaseAtEnd();
    }
    return more;
  }

  private boolean fetched() {
    if (ahead) {
      ahead = false;
      return true;
    }
    return (statement != null && statement.timeoutSeconds() > 0)
        ? statement.cancellation().timed(cursor::next)
        : cursor.next();
  }

  /** Ends the result set, whose row is lost with the memory that it was read from. */
  private SQLException failed(Throwable cause) {
    SQLException failure =
        statement == null
            ? SqlErrors.translate(cause)
            : SqlErrors.translate(cause, statement.cancellation());
    lostTo = failure.getMessage();
    try {
      close();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /**
   * Copies the rows not yet read, because what they come from is about to change. An error among
   * them is for the reader of the rows; being cancelled is for the statement that runs, too.
   */
  @Override
  public void detach() {
    if (!closed && !afterLast && !(cursor instanceof BufferedRows)) {
      // Also the copying moves the row that getters of other threads read.
      changing();
      try {
        detachFrom(cursor);
      } finally {
        changed();
      }
    }
  }

  /** A holdable result set outlives the transaction: with a copy of the rows not yet read. */
  @Override
  public void beforeCommit() {
    if (kind.isHoldable()) {
      detach();
      owner.kept(this);
    } else {
      end();
    }
  }

  private void detachFrom(RowSet before) {
    BufferedRows copy = BufferedRows.copy(before, types, onRow || ahead, owner.memory());
    cursor = copy;
    before.close();
    GpdbException failure = copy.failure();
    if (failure != null && failure.code() == ErrorCode.CANCELLED) {
      throw failure;
    }
  }

  /** The rows are in memory from now on; their source is closed. */
  final void readFrom(RowSet kept) {
    RowSet source = cursor;
    cursor = kept;
    source.close();
  }

  final void checkStop() {
    if (statement != null) {
      statement.cancellation().check();
    }
  }

  private void releaseAtEnd() throws SQLException {
    try {
      release();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  /** Lets the rows' source go, once; the result set stays open, at its end. */
  private void release() {
    if (released) {
      return;
    }
    released = true;
    if (statement != null) {
      statement.cancellation().unwatch();
    }
    try {
      cursor.close();
    } finally {
      owner.released(this);
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      end();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  @Override
  public void end() {
    lock.lock();
    try {
      if (!closed) {
        changing();
        closed = true;
        onRow = false;
        release();
        if (statement != null) {
          statement.resultClosed();
        }
      }
    } finally {
      changed();
      lock.unlock();
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  final void requireOpen() throws SQLException {
    if (closed) {
      String cause = lostTo;
      throw SqlErrors.of(
          DriverCondition.CURSOR_STATE,
          "the result set is closed" + (cause == null ? "" : ", since it failed: " + cause));
    }
  }

  /** Refuses a column that is not there, and a row that the result set is not on. */
  @Override
  RowSet rowWith(int column) throws SQLException {
    if (!onRow) {
      requireOpen();
      throw SqlErrors.of(
          DriverCondition.CURSOR_STATE,
          afterLast ? "the result set is behind its last row" : "next() was not called");
    }
    if (column < 1 || column > types.length) {
      throw SqlErrors.of(
          SqlCondition.COLUMN_NOT_FOUND,
          "column " + column + " is not between 1 and " + types.length);
    }
    return cursor;
  }

  private static Map<String, Integer> labels(List<OutputColumn> columns) {
    Map<String, Integer> labels = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      labels.putIfAbsent(columns.get(i).name(), i + 1);
    }
    for (int i = 0; i < columns.size(); i++) {
      labels.putIfAbsent(columns.get(i).name().toUpperCase(Locale.ROOT), i + 1);
    }
    return Map.copyOf(labels);
  }

  @Override
  public int findColumn(String label) throws SQLException {
    requireOpen();
    String name = SqlErrors.given("the column's label", label);
    Map<String, Integer> known = labels;
    if (known == null) {
      known = labels(columns);
      labels = known;
    }
    Integer column = known.get(name);
    if (column == null) {
      column = known.get(name.toUpperCase(Locale.ROOT));
    }
    if (column == null) {
      throw SqlErrors.of(SqlCondition.COLUMN_NOT_FOUND, "the result has no column " + label);
    }
    return column;
  }

  @Override
  public String getCursorName() throws SQLException {
    requireOpen();
    if (cursor instanceof NamedRows rows) {
      return rows.name();
    }
    throw SqlErrors.notSupported("the name of a cursor that has none");
  }

  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    requireOpen();
    return new GpdbResultSetMetaData(columns);
  }

  @Override
  public @Nullable Statement getStatement() throws SQLException {
    requireOpen();
    return statement;
  }

  @Override
  public int getRow() throws SQLException {
    requireOpen();
    return onRow ? (int) Math.min(row, Integer.MAX_VALUE) : 0;
  }

  /** Fetches the first row, which {@code next()} then moves to. */
  @Override
  public boolean isBeforeFirst() throws SQLException {
    lock.lock();
    try {
      requireOpen();
      if (cursor instanceof NamedRows) {
        throw SqlErrors.notSupported("isBeforeFirst of a named cursor, whose row it would move");
      }
      if (row == 0 && !afterLast && !ahead) {
        changing();
        fetchAhead();
      }
      return ahead;
    } finally {
      changed();
      lock.unlock();
    }
  }

  private void fetchAhead() throws SQLException {
    try {
      checkStop();
      ahead = fetched();
    } catch (RuntimeException | Error e) {
      throw failed(e);
    }
    if (!ahead) {
      afterLast = true;
      releaseAtEnd();
    }
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    requireOpen();
    return afterLast && row > 0;
  }

  @Override
  public boolean isFirst() throws SQLException {
    requireOpen();
    return onRow && row == 1;
  }

  @Override
  public int getType() throws SQLException {
    requireOpen();
    return kind.type();
  }

  @Override
  public int getConcurrency() throws SQLException {
    requireOpen();
    return kind.concurrency();
  }

  @Override
  public int getHoldability() throws SQLException {
    requireOpen();
    return kind.holdability();
  }

  @Override
  public int getFetchDirection() throws SQLException {
    requireOpen();
    return fetchDirection;
  }

  /** A hint that the engine does not use; forward only is what a forward-only one takes. */
  @Override
  public void setFetchDirection(int direction) throws SQLException {
    requireOpen();
    CursorKind.requireDirection(direction);
    if (kind.type() == TYPE_FORWARD_ONLY && direction != FETCH_FORWARD) {
      throw SqlErrors.notSupported("a direction other than forward of a forward-only result set");
    }
    fetchDirection = direction;
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

  /** What the result set can do less than was asked for. */
  final void warn(String message) {
    warning = new SQLWarning(message, "01000");
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
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(this, type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return Wrappers.isOf(this, type);
  }
}
