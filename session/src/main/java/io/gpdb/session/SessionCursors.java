package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cursors that a session has declared. An open one has its rows in memory, as they were when it
 * was opened. It is closed by CLOSE, and with the transaction that opened it, unless it was
 * declared WITH HOLD; one that was opened under autocommit stays open.
 *
 * <p>Row ids are never used again while the database is open, so that a change at the cursor's
 * place meets the row that was fetched or none.
 */
final class SessionCursors {
  private static final String ROW_ID = "\"_ROWID\"";

  private final Session session;
  private final Map<String, Cursor> cursors = new HashMap<>();

  SessionCursors(Session session) {
    this.session = session;
  }

  /** A cursor; open while it has rows. */
  private static final class Cursor {
    private final Analyzed.DeclareCursor declared;
    private List<OutputColumn> columns = List.of();
    private @Nullable TableDef table;
    private @Nullable BufferedRows rows;
    private @Nullable MemoryAccount memory;
    private boolean ofTransaction;

    /** How many savepoints the session had set when it was opened. */
    private int openedAfter;

    /** The row's number from 0; -1 before the first. */
    private int at;

    /** Whether there is a row at its place. */
    private boolean onRow;

    Cursor(Analyzed.DeclareCursor declared) {
      this.declared = declared;
    }

    BufferedRows rows() {
      BufferedRows open = rows;
      if (open == null) {
        throw new GpdbException(
            SqlCondition.CURSOR_STATE, "cursor " + declared.name() + " is not open");
      }
      return open;
    }

    void close() {
      MemoryAccount account = memory;
      rows = null;
      memory = null;
      if (account != null) {
        account.close();
      }
    }
  }

  void declare(Analyzed.DeclareCursor declared) {
    Cursor known = cursors.get(declared.name());
    if (known != null && known.rows != null) {
      throw new GpdbException(
          SqlCondition.CURSOR_STATE, "cursor " + declared.name() + " is open already");
    }
    cursors.put(declared.name(), new Cursor(declared));
  }

  private Cursor named(String name) {
    Cursor cursor = cursors.get(name);
    if (cursor == null) {
      throw new GpdbException(
          SqlCondition.CURSOR_NOT_FOUND, "no cursor " + name + " has been declared");
    }
    return cursor;
  }

  /** Runs the cursor's query in the transaction, which is {@code own} where it ends with it. */
  void open(String name, Transaction transaction, boolean own) {
    Cursor cursor = named(name);
    if (cursor.rows != null) {
      throw new GpdbException(SqlCondition.CURSOR_STATE, "cursor " + name + " is open already");
    }
    Prepared again = session.database().engine().prepare(cursor.declared.sql(), transaction);
    Analyzed.DeclareCursor now = (Analyzed.DeclareCursor) again.analyzed();
    MemoryAccount memory = session.database().memory().statement(now.sql());
    boolean done = false;
    try (MemoryAccount.Scope _ = memory.bind()) {
      Prepared query = session.database().engine().prepare(now.query(), transaction);
      BufferedRows rows;
      try (RowSet source = Outcome.rows(query.execute(transaction, Binding.EMPTY))) {
        rows = BufferedRows.copy(source, Outcome.types(now.query().output()), false, memory);
      }
      GpdbException failure = rows.failure();
      if (failure != null) {
        throw failure;
      }
      List<OutputColumn> all = now.query().output();
      cursor.columns = now.table() == null ? all : all.subList(0, all.size() - 1);
      cursor.table = now.table();
      cursor.rows = rows;
      cursor.memory = memory;
      cursor.ofTransaction = !own;
      cursor.openedAfter = session.savepoints().lastId();
      cursor.at = -1;
      cursor.onRow = false;
      done = true;
    } finally {
      if (!done) {
        memory.close();
      }
    }
  }

  void close(String name) {
    Cursor cursor = named(name);
    cursor.rows();
    cursor.close();
  }

  /** The row to which the cursor goes, or none. */
  Outcome fetch(Analyzed.Fetch fetch) {
    Cursor cursor = named(fetch.name());
    BufferedRows rows = cursor.rows();
    if (fetch.orientation() != Analyzed.Orientation.NEXT && !cursor.declared.scroll()) {
      throw new GpdbException(
          SqlCondition.CURSOR_STATE,
          "cursor " + fetch.name() + " goes forward only: it was not declared with SCROLL");
    }
    long to =
        switch (fetch.orientation()) {
          case NEXT -> cursor.at + 1L;
          case PRIOR -> cursor.at - 1L;
          case FIRST -> 0;
          case LAST -> rows.size() - 1L;
          case ABSOLUTE -> fetch.row() < 0 ? (long) rows.size() + fetch.row() : fetch.row() - 1L;
          case RELATIVE -> (long) cursor.at + fetch.row();
        };
    cursor.at = Math.clamp(to, -1, rows.size());
    cursor.onRow = cursor.at >= 0 && cursor.at < rows.size();
    BufferedRows found = new BufferedRows(Outcome.types(cursor.columns));
    if (cursor.onRow) {
      rows.moveTo(cursor.at);
      found.append(rows);
    }
    return session.rows(cursor.columns, found, null, null);
  }

  /** The statement that changes the row at the cursor's place. */
  String positioned(Analyzed.Positioned change) {
    Cursor cursor = named(change.cursor());
    BufferedRows rows = cursor.rows();
    TableDef table = cursor.table;
    TableDef target = target(change.change());
    if (table == null || !table.fullName().equals(target.fullName())) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "cursor " + change.cursor() + " has no rows of " + target.name() + " to be changed");
    }
    if (!cursor.onRow) {
      throw notOnRow(change.cursor());
    }
    requireTable(change.cursor(), change.change());
    requireChangeable(cursor, change.change());
    rows.moveTo(cursor.at);
    long rowId = rows.raw(cursor.columns.size());
    return change.sql()
        + "WHERE "
        + ObjectName.quoted(change.alias())
        + "."
        + ROW_ID
        + " = "
        + rowId;
  }

  /**
   * Throws where the change, as it is planned in the transaction that it runs in, is of a table
   * that was rewritten since the cursor was opened, and has other row ids.
   */
  void requireTable(String name, Analyzed change) {
    TableDef table = named(name).table;
    if (table == null || table.tableId() != target(change).tableId()) {
      throw notOnRow(name);
    }
  }

  private static GpdbException notOnRow(String name) {
    return new GpdbException(
        SqlCondition.CURSOR_STATE, "cursor " + name + " is not on a row of the table");
  }

  private static void requireChangeable(Cursor cursor, Analyzed change) {
    if (change instanceof Analyzed.Update update) {
      for (int column : update.setColumns()) {
        if (update.table().column(column).generatedSql() == null
            && !cursor.declared.columns().contains(update.table().column(column).name())) {
          throw new GpdbException(
              SqlCondition.INVALID_STATEMENT,
              "cursor "
                  + cursor.declared.name()
                  + " is not FOR UPDATE OF "
                  + update.table().column(column).name());
        }
      }
    }
  }

  /** After a change at the cursor's place: a row that was deleted has none there any more. */
  void changed(Analyzed.Positioned change) {
    if (change.change() instanceof Analyzed.Delete) {
      named(change.cursor()).onRow = false;
    }
  }

  private static TableDef target(Analyzed change) {
    return switch (change) {
      case Analyzed.Update update -> update.table();
      case Analyzed.Delete delete -> delete.table();
      case Analyzed.ChangeOfView of -> of.table();
      default -> throw new IllegalArgumentException(change.toString());
    };
  }

  /** The current transaction ends. */
  void endOfTransaction(boolean committed) {
    for (Cursor cursor : cursors.values()) {
      if (cursor.ofTransaction && !(committed && cursor.declared.hold())) {
        cursor.close();
      }
      cursor.ofTransaction = false;
    }
  }

  /** Closes what was opened since a savepoint to which the transaction goes back. */
  void rolledBackTo(SessionSavepoints.Entry savepoint) {
    for (Cursor cursor : cursors.values()) {
      if (cursor.ofTransaction && cursor.openedAfter >= savepoint.id()) {
        cursor.close();
      }
    }
  }

  boolean anyOpen() {
    return cursors.values().stream().anyMatch(cursor -> cursor.rows != null);
  }

  /** The session ends. */
  void closeAll() {
    cursors.values().forEach(Cursor::close);
  }
}
