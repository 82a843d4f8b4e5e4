package io.gpdb.jdbc;

import io.gpdb.jdbc.value.CutRows;
import io.gpdb.jdbc.value.DriverCondition;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.BatchBinding;
import io.gpdb.session.Binding;
import io.gpdb.session.Cancellation;
import io.gpdb.session.OpenResult;
import io.gpdb.session.Outcome;
import io.gpdb.session.SessionLock;
import io.gpdb.session.Timeouts;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.StopSignal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Runs SQL given as text; one text may hold several statements. */
class GpdbStatement extends KeyedExecutions {
  private static final long NO_COUNT = -1;

  private final Cancellation cancellation = new Cancellation(connection().session().stop());
  private final List<String> batch = new ArrayList<>();

  /** Results not yet looked at, a result set or a count each, after the current one. */
  private final Deque<Object> results = new ArrayDeque<>();

  /** Those that {@link #getMoreResults(int)} left open. */
  private final List<GpdbResultSet> kept = new ArrayList<>();

  private volatile @Nullable GpdbResultSet resultSet;
  private volatile long updateCount = NO_COUNT;
  private final KeptKeys keys = new KeptKeys();
  private @Nullable KeyRequest askedKeys;
  private volatile boolean closeOnCompletion;
  private volatile boolean closed;

  GpdbStatement(ConnectionState connection, CursorKind kind) {
    super(connection, kind);
  }

  @Override
  final void requireOpen() throws SQLException {
    if (closed) {
      throw SqlErrors.of(DriverCondition.STATEMENT_CLOSED, "the statement is closed");
    }
    connection().requireOpen();
  }

  /** An act of the engine, its errors made those of JDBC, its time limited when asked for. */
  interface Act<T> {
    T run() throws SQLException;
  }

  final <T> T act(Act<T> act) throws SQLException {
    requireOpen();
    cancellation.begin();
    ScheduledFuture<?> timer =
        getQueryTimeout() == 0 ? null : Timeouts.start(cancellation, getQueryTimeout());
    try {
      return inTurn(act);
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e, cancellation);
    } finally {
      cancellation.end();
      if (timer != null) {
        timer.cancel(false);
      }
    }
  }

  private <T> T inTurn(Act<T> act) throws SQLException {
    SessionLock lock = connection().session().lock();
    lock.lock(cancellation);
    try {
      requireOpen();
      clearResults();
      warn(null);
      return act.run();
    } finally {
      if (timeoutSeconds() > 0 && hasOpenRows()) {
        cancellation.watch(timeoutSeconds());
      }
      lock.unlock();
    }
  }

  /** Something quick that waits for the statements of other threads to end. */
  final <T> T held(Act<T> act) throws SQLException {
    SessionLock lock = connection().session().lock();
    lock.lock();
    try {
      requireOpen();
      return act.run();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    } finally {
      lock.unlock();
    }
  }

  private boolean hasOpenRows() {
    for (Object waiting : results) {
      if (waiting instanceof GpdbResultSet) {
        return true;
      }
    }
    return resultSet != null;
  }

  /** The keys that executions from now on return, null for none. */
  final void askKeys(@Nullable KeyRequest request) {
    askedKeys = request;
  }

  /**
   * One call of the engine for a batch, which keeps its keys. Does nothing and returns nothing
   * where the rows need more than one plan.
   */
  final Optional<long[]> runBatch(String sql, BatchBinding rows) {
    Optional<Outcome.Batch> batch =
        connection().session().executeBatch(sql, rows, cancellation, askedKeys);
    batch.ifPresent(done -> keys.add(done.keys()));
    return batch.map(Outcome.Batch::counts);
  }

  /** Runs one statement and keeps its outcome. */
  final void run(String sql, Binding binding) throws SQLException {
    cancellation.check();
    switch (connection().session().execute(sql, binding, cancellation, askedKeys)) {
      case Outcome.Count count -> {
        results.add(count.rows());
        keys.add(count.keys());
      }
      case Outcome.Rows rows -> {
        results.add(resultOf(rows));
      }
    }
  }

  /** Runs a query whose cursor has a name; false where it has none, or is no such query. */
  final boolean runNamed(String sql) throws SQLException {
    NamedRows rows =
        NamedRows.open(
            connection().session(), cursorName(), sql, kind().isHoldable(), cancellation);
    if (rows == null) {
      return false;
    }
    results.add(
        new GpdbResultSet(
            this,
            rows.columns(),
            Outcome.types(rows.columns()),
            rows,
            getLargeMaxRows(),
            kind(),
            OpenResult.Owner.NONE));
    return true;
  }

  private GpdbResultSet resultOf(Outcome.Rows rows) throws SQLException {
    SqlTypeSpec[] types = Outcome.types(rows.columns());
    RowSet cursor =
        getMaxFieldSize() == 0 ? rows.rows() : new CutRows(rows.rows(), types, getMaxFieldSize());
    if (!kind().isStreamed()) {
      return KeptResultSet.of(this, rows, cursor, kind(), getLargeMaxRows());
    }
    GpdbResultSet result =
        new GpdbResultSet(
            this, rows.columns(), types, cursor, getLargeMaxRows(), kind(), rows.owner());
    connection().session().opened(result, rows.ownTransaction());
    return result;
  }

  final Cancellation cancellation() {
    return cancellation;
  }

  /** Closes the results of the execution before, which does not complete the statement. */
  final void clearResults() {
    boolean closes = closeOnCompletion;
    closeOnCompletion = false;
    keys.clear();
    try {
      GpdbResultSet open = resultSet;
      resultSet = null;
      updateCount = NO_COUNT;
      if (open != null) {
        open.end();
      }
      while (!results.isEmpty()) {
        if (results.poll() instanceof GpdbResultSet waiting) {
          waiting.end();
        }
      }
      endKept();
    } finally {
      closeOnCompletion = closes;
    }
  }

  private void endKept() {
    kept.forEach(GpdbResultSet::end);
    kept.clear();
  }

  /** Makes the next result the current one. */
  final void advance() {
    resultSet = null;
    updateCount = NO_COUNT;
    Object next = results.poll();
    if (next instanceof GpdbResultSet rows) {
      resultSet = rows;
    } else if (next instanceof Long count) {
      updateCount = count;
    }
  }

  private List<String> split(String text) {
    try (StopSignal.Scope _ = cancellation.bind()) {
      return connection().session().database().engine().split(text);
    }
  }

  /** Runs all statements of a text, the first of which {@code first} may refuse. */
  private <T> T executeAll(String sql, Binding first, @Nullable KeyRequest request, Act<T> answer)
      throws SQLException {
    requireOpen();
    String text = translated(SqlErrors.given("the statement", sql));
    return act(
        () -> {
          boolean done = false;
          askKeys(request);
          try {
            List<String> statements = split(text);
            if (statements.size() != 1 || !runNamed(statements.getFirst())) {
              for (int i = 0; i < statements.size(); i++) {
                run(statements.get(i), i == 0 ? first : Binding.NONE);
              }
            }
            done = true;
          } finally {
            askKeys(null);
            if (!done) {
              clearResults();
            }
          }
          advance();
          return answer.run();
        });
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    return executeAll(sql, Binding.NONE, null, this::hasRows);
  }

  final boolean hasRows() {
    return resultSet != null;
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    return executeAll(sql, Binding.OF_ROWS, null, () -> requireRows(sql));
  }

  final ResultSet requireRows(String sql) throws SQLException {
    ResultSet rows = resultSet;
    if (rows == null) {
      throw SqlErrors.of(SqlCondition.INVALID_STATEMENT, "the statement returns no rows: " + sql);
    }
    return rows;
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    return executeAll(sql, Binding.OF_COUNT, null, () -> requireCount(sql));
  }

  final long requireCount(String sql) throws SQLException {
    if (resultSet != null) {
      clearResults();
      throw SqlErrors.of(
          SqlCondition.INVALID_STATEMENT, "the statement returns rows and no count: " + sql);
    }
    return Math.max(updateCount, 0);
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    return asInt(executeLargeUpdate(sql));
  }

  @Override
  final boolean executed(String sql, @Nullable KeyRequest request) throws SQLException {
    return executeAll(sql, Binding.NONE, request, this::hasRows);
  }

  @Override
  final long updated(String sql, @Nullable KeyRequest request) throws SQLException {
    return executeAll(sql, Binding.OF_COUNT, request, () -> requireCount(sql));
  }

  @Override
  public @Nullable ResultSet getResultSet() throws SQLException {
    requireOpen();
    return resultSet;
  }

  @Override
  public int getUpdateCount() throws SQLException {
    return asInt(getLargeUpdateCount());
  }

  @Override
  public long getLargeUpdateCount() throws SQLException {
    requireOpen();
    return updateCount;
  }

  @Override
  public boolean getMoreResults() throws SQLException {
    return getMoreResults(CLOSE_CURRENT_RESULT);
  }

  @Override
  public boolean getMoreResults(int current) throws SQLException {
    if (current < CLOSE_CURRENT_RESULT || current > CLOSE_ALL_RESULTS) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT,
          "what getMoreResults does with the current result is 1, 2 or 3, not " + current);
    }
    return held(
        () -> {
          GpdbResultSet open = resultSet;
          advance();
          if (current == CLOSE_ALL_RESULTS) {
            endKept();
          }
          if (open != null && current == KEEP_CURRENT_RESULT) {
            kept.add(open);
          } else if (open != null) {
            open.close();
          }
          return hasRows();
        });
  }

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    return held(keys::resultSet);
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    String text = translated(SqlErrors.given("the statement", sql));
    held(() -> batch.add(text));
  }

  @Override
  public void clearBatch() throws SQLException {
    takeBatch();
  }

  @Override
  public int[] executeBatch() throws SQLException {
    return UpdateCounts.asInts(executeLargeBatch());
  }

  /** The texts of the batch, which is then empty. */
  private List<String> takeBatch() throws SQLException {
    return held(
        () -> {
          List<String> taken = List.copyOf(batch);
          batch.clear();
          return taken;
        });
  }

  /** All statements of the batch, or none of them. */
  @Override
  public long[] executeLargeBatch() throws SQLException {
    List<String> statements = takeBatch();
    try {
      return act(
          () ->
              executeEach(
                  statements.size(), i -> run(statements.get(i), Binding.NONE), statements::get));
    } catch (SQLException e) {
      throw SqlErrors.ofBatch(e, statements.size());
    }
  }

  /** Runs one statement of several. */
  interface Numbered {
    void run(int number) throws SQLException;
  }

  /** All of the statements, which return counts, or none of them. */
  final long[] executeEach(int statements, Numbered each, IntFunction<String> sql)
      throws SQLException {
    long[] counts = new long[statements];
    return connection()
        .session()
        .atomicStatements()
        .run(
            () -> {
              for (int i = 0; i < counts.length; i++) {
                each.run(i);
                advance();
                counts[i] = requireCount(sql.apply(i));
              }
              return counts;
            });
  }

  /** A result set of this statement was closed. */
  final void resultClosed() {
    if (closeOnCompletion && results.isEmpty()) {
      end();
    }
  }

  @Override
  public void cancel() throws SQLException {
    requireOpen();
    cancellation.request();
  }

  @Override
  public void close() throws SQLException {
    try {
      end();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  private void end() {
    if (closed) {
      return;
    }
    closed = true;
    cancellation.request();
    connection()
        .session()
        .lock()
        .whenFree(
            () -> {
              closeOnCompletion = false;
              clearResults();
            });
  }

  @Override
  public boolean isClosed() {
    return closed || connection().isClosed();
  }

  @Override
  public Connection getConnection() throws SQLException {
    requireOpen();
    return connection().asJdbc();
  }

  @Override
  public void closeOnCompletion() throws SQLException {
    requireOpen();
    closeOnCompletion = true;
  }

  @Override
  public boolean isCloseOnCompletion() throws SQLException {
    requireOpen();
    return closeOnCompletion;
  }
}
