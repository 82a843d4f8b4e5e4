package io.gpdb.jdbc;

import io.gpdb.jdbc.value.CutRows;
import io.gpdb.jdbc.value.DriverCondition;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.BufferedRows;
import io.gpdb.session.Outcome;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import java.sql.SQLException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a query that are kept in memory, so that it moves among them in both directions and
 * changes them. Rows that others change stay as they were read; a row changed or deleted here shows
 * so, one inserted here does not appear.
 *
 * <p>{@code position} is 0 before the first row and the number of rows plus one behind the last. A
 * row that was deleted leaves a hole, which has a position and no values.
 */
final class KeptResultSet extends GpdbResultSet {
  private final CursorKind kind;
  private final @Nullable RowTable table;
  private final @Nullable PendingRow pending;
  private final BitSet deleted = new BitSet();
  private final BitSet updated = new BitSet();
  private BufferedRows rows;
  private int position;
  private boolean onInsertRow;

  private KeptResultSet(
      GpdbStatement statement,
      Outcome.Rows source,
      RowSet cursor,
      SqlTypeSpec[] types,
      CursorKind kind,
      @Nullable RowTable table) {
    super(statement, source.columns(), types, cursor, 0, kind, source.owner());
    this.kind = kind;
    this.table = table;
    this.pending = table == null ? null : new PendingRow(statement.connection(), types);
    this.rows = new BufferedRows(types, source.owner().memory());
  }

  /** Keeps all rows of an outcome, or the first {@code rowsMax}; {@code cursor} reads them. */
  static KeptResultSet of(
      GpdbStatement statement, Outcome.Rows source, RowSet cursor, CursorKind kind, long rowsMax)
      throws SQLException {
    SqlTypeSpec[] types = Outcome.types(source.columns());
    boolean isWhole = !(cursor instanceof CutRows);
    RowTable table =
        kind.isUpdatable() && isWhole
            ? RowTable.of(statement.connection(), source.columns(), types)
            : null;
    CursorKind possible = table == null ? kind.readOnly() : kind;
    KeptResultSet result = new KeptResultSet(statement, source, cursor, types, possible, table);
    statement.connection().session().opened(result, source.ownTransaction());
    result.keep(cursor, rowsMax, source);
    if (!possible.equals(kind)) {
      String message =
          "the result set is read only: updatable ones show columns of one table with its primary"
              + " key, and no maximal field size";
      result.warn(message);
      statement.warn(message);
    }
    return result;
  }

  /** The transaction of one statement alone has then done its work. */
  private void keep(RowSet cursor, long rowsMax, Outcome.Rows source) {
    boolean done = false;
    try {
      while ((rowsMax == 0 || rows.size() < rowsMax) && cursor.next()) {
        checkStop();
        rows.append(cursor);
      }
      readFrom(rows);
      if (source.ownTransaction()) {
        source.owner().kept(this);
      }
      done = true;
    } finally {
      if (!done) {
        end();
      }
    }
  }

  /** Something done while no other thread reads the row. */
  private interface Act<T> {
    T run() throws SQLException;
  }

  private <T> T moving(Act<T> act) throws SQLException {
    lock.lock();
    try {
      requireOpen();
      changing();
      return act.run();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    } finally {
      changed();
      lock.unlock();
    }
  }

  private int size() {
    return rows.size();
  }

  private boolean isAmongRows() {
    return position > 0 && position <= size();
  }

  /** Leaves the row, with whatever was set in it, for the one at that position. */
  private boolean moveTo(long target) {
    position = (int) Math.clamp(target, 0, size() + 1L);
    onInsertRow = false;
    if (isAmongRows()) {
      rows.moveTo(position - 1);
    }
    onRow = isAmongRows() && !deleted.get(position);
    afterLast = position > size();
    forget();
    return isAmongRows();
  }

  private void forget() {
    if (pending != null) {
      pending.clear(onInsertRow ? null : rows);
    }
  }

  private boolean scroll(Act<Long> target) throws SQLException {
    if (kind.isForwardOnly()) {
      requireOpen();
      throw forwardOnly();
    }
    return moving(() -> moveTo(target.run()));
  }

  @Override
  public boolean next() throws SQLException {
    return moving(() -> moveTo(position + 1L));
  }

  @Override
  public boolean previous() throws SQLException {
    return scroll(() -> position - 1L);
  }

  @Override
  public boolean relative(int by) throws SQLException {
    return scroll(() -> (long) position + by);
  }

  @Override
  public boolean absolute(int row) throws SQLException {
    return scroll(() -> row < 0 ? size() + 1L + row : row);
  }

  @Override
  public boolean first() throws SQLException {
    return scroll(() -> 1L);
  }

  @Override
  public boolean last() throws SQLException {
    return scroll(() -> (long) size());
  }

  @Override
  public void beforeFirst() throws SQLException {
    scroll(() -> 0L);
  }

  @Override
  public void afterLast() throws SQLException {
    scroll(() -> size() + 1L);
  }

  @Override
  public int getRow() throws SQLException {
    requireOpen();
    return isAmongRows() && !onInsertRow ? position : 0;
  }

  @Override
  public boolean isBeforeFirst() throws SQLException {
    requireOpen();
    return size() > 0 && position == 0;
  }

  @Override
  public boolean isAfterLast() throws SQLException {
    requireOpen();
    return size() > 0 && position > size();
  }

  @Override
  public boolean isFirst() throws SQLException {
    requireOpen();
    return size() > 0 && position == 1;
  }

  @Override
  public boolean isLast() throws SQLException {
    requireOpen();
    return size() > 0 && position == size();
  }

  @Override
  RowSet rowWith(int column) throws SQLException {
    if (!onRow && !isClosed() && deleted.get(position)) {
      throw SqlErrors.of(DriverCondition.CURSOR_STATE, "the row was deleted");
    }
    RowSet row = super.rowWith(column);
    PendingRow changed = pending;
    return changed != null && (onInsertRow || !changed.isEmpty()) ? changed : row;
  }

  @Override
  public boolean rowDeleted() throws SQLException {
    requireOpen();
    return !onInsertRow && deleted.get(position);
  }

  @Override
  public boolean rowUpdated() throws SQLException {
    requireOpen();
    return !onInsertRow && updated.get(position);
  }

  /** Something done to the table's rows, and with what was set. */
  private interface Change {
    void make(RowTable table, PendingRow pending) throws SQLException;
  }

  private void change(Change change) throws SQLException {
    moving(
        () -> {
          RowTable of = table;
          PendingRow row = pending;
          if (of == null || row == null) {
            throw readOnly();
          }
          change.make(of, row);
          return true;
        });
  }

  private void requireRow(String act) throws SQLException {
    if (onInsertRow || !onRow) {
      throw SqlErrors.of(
          DriverCondition.CURSOR_STATE,
          act + (onInsertRow ? " is not for the row to insert" : " needs a row, and is on none"));
    }
  }

  @Override
  void set(int column, Setting setting) throws SQLException {
    change(
        (_, row) -> {
          if (!onInsertRow) {
            requireRow("setting a column");
          }
          if (column < 1 || column > types.length) {
            throw SqlErrors.of(
                SqlCondition.COLUMN_NOT_FOUND,
                "column " + column + " is not between 1 and " + types.length);
          }
          row.set(column - 1, setting);
        });
  }

  @Override
  public void updateRow() throws SQLException {
    change(
        (of, row) -> {
          requireRow("updateRow");
          if (row.isEmpty()) {
            return;
          }
          of.update(rows, row);
          if (!of.read(row, rows::replace)) {
            rows.replace(row);
          }
          updated.set(position);
          forget();
        });
  }

  @Override
  public void deleteRow() throws SQLException {
    change(
        (of, _) -> {
          requireRow("deleteRow");
          of.delete(rows);
          deleted.set(position);
          onRow = false;
          forget();
        });
  }

  @Override
  public void refreshRow() throws SQLException {
    change(
        (of, _) -> {
          requireRow("refreshRow");
          if (!of.read(rows, rows::replace)) {
            throw of.gone();
          }
          forget();
        });
  }

  @Override
  public void cancelRowUpdates() throws SQLException {
    change(
        (_, _) -> {
          requireRow("cancelRowUpdates");
          forget();
        });
  }

  @Override
  public void moveToInsertRow() throws SQLException {
    change(
        (_, _) -> {
          onInsertRow = true;
          onRow = true;
          forget();
        });
  }

  @Override
  public void moveToCurrentRow() throws SQLException {
    change(
        (_, _) -> {
          if (onInsertRow) {
            moveTo(position);
          }
        });
  }

  @Override
  public void insertRow() throws SQLException {
    change(
        (of, row) -> {
          if (!onInsertRow) {
            throw SqlErrors.of(
                DriverCondition.CURSOR_STATE, "insertRow needs moveToInsertRow before it");
          }
          of.insert(row);
          forget();
        });
  }
}
