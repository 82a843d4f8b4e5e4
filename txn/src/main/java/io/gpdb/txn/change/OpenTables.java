package io.gpdb.txn.change;

import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tables of an open database with their versions, and which of their strings are logged. */
public final class OpenTables {
  private final TableSpace space;
  private final LoggedStrings loggedStrings = new LoggedStrings();
  private final Map<Integer, TableVersions> tables = new ConcurrentHashMap<>();

  public OpenTables(TableSpace space) {
    this.space = space;
    for (TableStore store : space.tables()) {
      TableVersions table = new TableVersions(store, null);
      tables.put(store.tableId(), table);
      loggedStrings.takeAll(table);
    }
  }

  public TableSpace space() {
    return space;
  }

  public LoggedStrings loggedStrings() {
    return loggedStrings;
  }

  public Collection<TableVersions> all() {
    return tables.values();
  }

  public @Nullable TableVersions table(int tableId) {
    return tables.get(tableId);
  }

  public @Nullable TableVersions table(TableStore store) {
    TableVersions table = tables.get(store.tableId());
    return table != null && table.store() == store ? table : null;
  }

  public TableVersions create(int tableId, TableShape shape, CommitStamp creator) {
    synchronized (tables) {
      if (tables.containsKey(tableId)) {
        throw new GpdbException(ErrorCode.TABLE_EXISTS, "table number is in use: table=" + tableId);
      }
      TableVersions table = new TableVersions(space.createTable(tableId, shape), creator);
      tables.put(tableId, table);
      return table;
    }
  }

  /** Forgets a table that nobody can see any more. */
  public void discard(TableVersions table) {
    synchronized (tables) {
      if (tables.remove(table.tableId(), table)) {
        loggedStrings.forget(table);
        space.dropTable(table.tableId());
      }
    }
  }
}
