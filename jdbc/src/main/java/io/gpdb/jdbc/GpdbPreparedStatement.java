package io.gpdb.jdbc;

import io.gpdb.jdbc.metadata.GpdbParameterMetaData;
import io.gpdb.jdbc.metadata.GpdbResultSetMetaData;
import io.gpdb.jdbc.value.JdbcEscapes;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.LastPlan;
import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.session.BatchBinding;
import io.gpdb.session.Binding;
import io.gpdb.session.DeferredParameters;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.txn.Transaction;
import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A statement planned once; its batch is carried out by one call of the engine. */
final class GpdbPreparedStatement extends ObjectSetters {
  private final String sql;
  private final Prepared prepared;
  private final LastPlan last = new LastPlan();

  /** The row being bound, of parameters whose types the text says. */
  private final Binding typed;

  private GpdbPreparedStatement(
      ConnectionState connection,
      CursorKind kind,
      String sql,
      Prepared prepared,
      @Nullable KeyRequest keys) {
    super(connection, kind, prepared.parameters());
    askKeys(keys);
    this.sql = sql;
    this.prepared = prepared;
    this.typed = typed(columns(), last);
  }

  /**
   * @param keys what executions return as generated keys; null for none
   */
  static GpdbPreparedStatement prepare(
      ConnectionState connection, String sql, CursorKind kind, @Nullable KeyRequest keys)
      throws SQLException {
    String text = JdbcEscapes.translated(sql);
    return new GpdbPreparedStatement(
        connection, kind, text, connection.session().describe(text, null), keys);
  }

  /** A row that is only bound, for what setters make of values. */
  static BoundRow unplannedRow(ConnectionState connection, List<ParameterDef> columns) {
    GpdbPreparedStatement setters =
        new GpdbPreparedStatement(connection, CursorKind.FORWARD, "", new Unplanned(columns), null);
    return new BoundRow(setters, Objects.requireNonNull(setters.columns()));
  }

  private record Unplanned(List<ParameterDef> parameters) implements Prepared {
    @Override
    public StatementKind kind() {
      return StatementKind.CHANGE;
    }

    @Override
    public Analyzed analyzed() {
      throw new IllegalStateException("never to be run");
    }

    @Override
    public Result execute(Transaction tx, ParameterValues values) {
      throw new IllegalStateException("never to be run");
    }
  }

  private Binding binding() {
    DeferredParameters waiting = deferred();
    return waiting == null ? typed : waiting.current();
  }

  private static Binding typed(@Nullable ParameterColumns columns, LastPlan last) {
    return columns == null || columns.count() == 0 ? Binding.NONE : Binding.of(columns, last);
  }

  private void executeOnce() throws SQLException {
    if (!runNamed(sql)) {
      run(sql, binding());
    }
    advance();
  }

  @Override
  public boolean execute() throws SQLException {
    return act(
        () -> {
          executeOnce();
          return hasRows();
        });
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    if (prepared.changesOnly()) {
      throw SqlErrors.of(SqlCondition.INVALID_STATEMENT, "the statement returns no rows: " + sql);
    }
    return act(
        () -> {
          executeOnce();
          return requireRows(sql);
        });
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    if (prepared.returnsRows()) {
      throw SqlErrors.of(
          SqlCondition.INVALID_STATEMENT, "the statement returns rows and no count: " + sql);
    }
    return act(
        () -> {
          executeOnce();
          return requireCount(sql);
        });
  }

  @Override
  public int executeUpdate() throws SQLException {
    return asInt(executeLargeUpdate());
  }

  @Override
  public void clearParameters() throws SQLException {
    held(
        () -> {
          ParameterColumns direct = columns();
          DeferredParameters waiting = deferred();
          if (direct != null) {
            direct.clearBound();
          }
          if (waiting != null) {
            waiting.clear();
          }
          return this;
        });
  }

  @Override
  public void addBatch() throws SQLException {
    held(
        () -> {
          ParameterColumns direct = columns();
          DeferredParameters waiting = deferred();
          if (direct != null) {
            direct.addRow();
          } else if (waiting != null) {
            waiting.addRow();
          }
          return this;
        });
  }

  @Override
  public void clearBatch() throws SQLException {
    held(
        () -> {
          ParameterColumns direct = columns();
          DeferredParameters waiting = deferred();
          if (direct != null) {
            direct.clearRows();
          }
          if (waiting != null) {
            waiting.clearRows();
          }
          return this;
        });
  }

  /** All rows of the batch or none of them. */
  @Override
  public long[] executeLargeBatch() throws SQLException {
    int[] rows = new int[1];
    try {
      return act(() -> executeRows(rows));
    } catch (SQLException e) {
      throw SqlErrors.ofBatch(e, rows[0]);
    }
  }

  /** Sets the first of {@code count} to the number of rows. */
  private long[] executeRows(int[] count) throws SQLException {
    ParameterColumns direct = columns();
    DeferredParameters waiting = deferred();
    if (direct == null) {
      return waiting == null ? new long[0] : executeDeferred(waiting, count);
    }
    count[0] = direct.rows();
    try {
      if (!direct.isHeld()) {
        return executeEach(rows(direct));
      }
      return direct.rows() == 0
          ? new long[0]
          : runBatch(sql, BatchBinding.of(direct)).orElseThrow();
    } finally {
      direct.clearRows();
    }
  }

  private long[] executeDeferred(DeferredParameters waiting, int[] count) throws SQLException {
    count[0] = waiting.rows();
    try {
      BatchBinding together = waiting.together();
      Optional<long[]> counts = together == null ? Optional.empty() : runBatch(sql, together);
      return counts.isPresent() ? counts.get() : executeEach(waiting.bindings());
    } finally {
      waiting.clearRows();
    }
  }

  private List<Binding> rows(ParameterColumns batch) {
    return IntStream.range(0, batch.rows()).mapToObj(row -> Binding.of(batch, row, last)).toList();
  }

  /** A statement whose plan depends on the values is carried out row by row. */
  private long[] executeEach(List<Binding> rows) throws SQLException {
    return executeEach(rows.size(), i -> run(sql, rows.get(i)), i -> sql);
  }

  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    requireOpen();
    return prepared.columns().isEmpty() ? null : new GpdbResultSetMetaData(prepared.columns());
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    requireOpen();
    Map<Integer, Integer> modes = new HashMap<>();
    for (ReturnedParameter returned : returnedParameters()) {
      modes.put(
          returned.position(),
          returned.takesValue()
              ? ParameterMetaData.parameterModeInOut
              : ParameterMetaData.parameterModeOut);
    }
    return new GpdbParameterMetaData(prepared.parameters(), modes);
  }

  /** The parameters that a procedure returns; there are none of other statements. */
  final List<ReturnedParameter> returnedParameters() {
    Analyzed.Call call = called();
    return call == null ? List.of() : ReturnedParameter.of(call);
  }

  /** The procedure that it calls; null for other statements. */
  final Analyzed.@Nullable Call called() {
    return prepared.analyzed() instanceof Analyzed.Call call ? call : null;
  }

  /** Its parameters behind the value that it returns, as those of a call. */
  final ParameterMetaData parametersOfCall() throws SQLException {
    requireOpen();
    return GpdbParameterMetaData.ofCall(
        prepared.columns().getFirst().type(), prepared.parameters());
  }

  private static SQLException noText(String method) {
    return SqlErrors.of(
        SqlCondition.INVALID_STATEMENT, method + " with a text is for statements not prepared");
  }

  @Override
  public boolean execute(String text) throws SQLException {
    throw noText("execute");
  }

  @Override
  public ResultSet executeQuery(String text) throws SQLException {
    throw noText("executeQuery");
  }

  @Override
  public long executeLargeUpdate(String text) throws SQLException {
    throw noText("executeUpdate");
  }

  @Override
  public void addBatch(String text) throws SQLException {
    throw noText("addBatch");
  }
}
