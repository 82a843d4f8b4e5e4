package io.gpdb.jdbc;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.Binding;
import io.gpdb.session.Cancellation;
import io.gpdb.session.OpenResult;
import io.gpdb.session.Outcome;
import io.gpdb.session.Session;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a cursor of SQL, one FETCH for each, so that the cursor is on the row that is read
 * and a change {@code WHERE CURRENT OF} it meets that row. The cursor is closed with them.
 */
final class NamedRows implements RowSet {
  private static final OpenResult NO_RESULT =
      new OpenResult() {
        @Override
        public void detach() {}

        @Override
        public void end() {}
      };

  private final Session session;
  private final String name;
  private final List<OutputColumn> columns;
  private final Cancellation cancellation;
  private @Nullable RowSet row;

  private NamedRows(
      Session session, String name, List<OutputColumn> columns, Cancellation cancellation) {
    this.session = session;
    this.name = name;
    this.columns = columns;
    this.cancellation = cancellation;
  }

  /**
   * Opens a cursor for a query; null without a name, or for what no cursor can be declared for.
   *
   * @param name as SQL has it, with quotes where it needs them
   */
  static @Nullable NamedRows open(
      Session session, @Nullable String name, String sql, boolean hold, Cancellation cancellation) {
    List<OutputColumn> columns = name == null ? null : columns(session, sql, cancellation);
    if (name == null || columns == null) {
      return null;
    }
    NamedRows rows = new NamedRows(session, name, columns, cancellation);
    String kind = hold ? " CURSOR WITH HOLD FOR " : " CURSOR FOR ";
    try {
      rows.run("DECLARE " + name + kind + sql, cancellation);
    } catch (GpdbException e) {
      if (e.code() == ErrorCode.NOT_SUPPORTED || e.code() == SqlCondition.SYNTAX) {
        return null;
      }
      throw e;
    }
    rows.run("OPEN " + name, cancellation);
    return rows;
  }

  /** Those of a query; its rows are locked where it says so, which its cursor does not do. */
  private static @Nullable List<OutputColumn> columns(
      Session session, String sql, Cancellation cancellation) {
    Prepared query = session.describe(sql, null);
    boolean locks = query.analyzed() instanceof Analyzed.LockingQuery;
    boolean reads = locks || query.analyzed() instanceof Analyzed.Query;
    if (!reads || !query.parameters().isEmpty()) {
      return null;
    }
    if (locks && !session.isAutoCommit()) {
      Outcome.Rows locked = (Outcome.Rows) session.execute(sql, Binding.NONE, cancellation);
      locked.rows().close();
      locked.owner().released(NO_RESULT);
    }
    return query.columns();
  }

  private Outcome run(String sql, Cancellation by) {
    return session.execute(sql, Binding.NONE, by);
  }

  /** The cursor's name, as SQL has it. */
  String name() {
    return name;
  }

  List<OutputColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() {
    Outcome.Rows fetched = (Outcome.Rows) run("FETCH " + name, cancellation);
    fetched.owner().released(NO_RESULT);
    row = fetched.rows();
    return fetched.rows().next();
  }

  private RowSet row() {
    RowSet current = row;
    if (current == null) {
      throw new IllegalStateException("no row was fetched");
    }
    return current;
  }

  @Override
  public boolean isNull(int column) {
    return row().isNull(column);
  }

  @Override
  public long raw(int column) {
    return row().raw(column);
  }

  @Override
  public byte[] bytes(int column) {
    return row().bytes(column);
  }

  @Override
  public String string(int column) {
    return row().string(column);
  }

  /** The end of its transaction, or of the session, has closed the cursor before. */
  @Override
  public void close() {
    try {
      run("CLOSE " + name, new Cancellation(session.stop()));
    } catch (GpdbException e) {
      if (e.code() != SqlCondition.CURSOR_STATE
          && e.code() != ErrorCode.CLOSED
          && e.code() != ErrorCode.CANCELLED) {
        throw e;
      }
    }
  }
}
