package io.gpdb.planner.change;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TabletRows;
import io.gpdb.txn.api.TabletView;
import java.util.ArrayList;
import java.util.List;

/** TRUNCATE: deletes every row that the transaction sees, a window of tablets at a time. */
public final class Truncate implements Change {
  /** 4 MiB of row numbers. */
  private static final int WINDOW_TABLETS = 16;

  private static final int[] NO_COLUMNS = {};

  private final List<TableDef> tables;
  private final boolean restart;

  /**
   * @param restart whether identity columns begin anew
   */
  public Truncate(List<TableDef> tables, boolean restart) {
    this.tables = List.copyOf(tables);
    this.restart = restart;
  }

  @Override
  public long apply(Execution x) {
    tables.forEach(table -> requireNoChildren(x, table));
    long count = 0;
    for (TableDef table : tables) {
      count += empty(x.transaction(), table);
      if (restart) {
        restart(x, table);
      }
    }
    return count;
  }

  private static void restart(Execution x, TableDef table) {
    for (ColumnDef column : table.columns()) {
      IdentityDef identity = column.identity();
      if (identity != null) {
        SequenceDef sequence = x.catalog().sequence(identity);
        x.catalogs().redefineSequence(x.transaction(), sequence.restarted(sequence.start()));
      }
    }
  }

  /** Deletes every row of the table; returns how many there were. */
  public static long empty(Transaction transaction, TableDef table) {
    TableReader reader = transaction.reader(table.tableId());
    TableWriter writer = transaction.writer(table.tableId());
    long count = 0;
    int tablets = reader.tabletCount();
    for (int from = 0; from < tablets; from += WINDOW_TABLETS) {
      try (BatchMemory memory = new BatchMemory()) {
        List<TabletRows> parts = new ArrayList<>();
        for (int tablet = from; tablet < Math.min(tablets, from + WINDOW_TABLETS); tablet++) {
          TabletRows rows = rows(reader, tablet, memory);
          parts.add(rows);
          count += rows.n();
        }
        writer.delete(parts);
      }
    }
    return count;
  }

  /** All that there are in the tablet. */
  private static TabletRows rows(TableReader reader, int tablet, BatchMemory memory) {
    try (TabletView view = reader.open(tablet, NO_COLUMNS)) {
      HostBuffer ids = memory.pin(Math.max(4L, 4L * view.rowCount()));
      HostBuffer live = view.live().onHost();
      int n = 0;
      for (int row = 0; row < view.rowCount(); row++) {
        if (Bitmaps.test(live, row)) {
          ids.setInt(n++, row);
        }
      }
      return new TabletRows(tablet, ids, n, List.of());
    }
  }

  /** Another table's rows that may refer to these keep them: TRUNCATE carries no action out. */
  private void requireNoChildren(Execution x, TableDef table) {
    for (TableDef child : x.catalog().tables()) {
      for (ForeignKeyDef key : child.foreignKeys()) {
        if (key.parent().equals(table.fullName())
            && tables.stream().noneMatch(other -> other.tableId() == child.tableId())
            && hasRows(x.transaction().reader(child.tableId()))) {
          throw new GpdbException(
              SqlCondition.FOREIGN_KEY_VIOLATION,
              "TRUNCATE of table "
                  + table.name()
                  + ": foreign key "
                  + key.name()
                  + " of table "
                  + child.name()
                  + ", which has rows, refers to it");
        }
      }
    }
  }

  private static boolean hasRows(TableReader reader) {
    for (int tablet = 0; tablet < reader.tabletCount(); tablet++) {
      try (TabletView view = reader.open(tablet, NO_COLUMNS)) {
        if (Bitmaps.next(view.live().onHost(), 0, view.rowCount(), true) < view.rowCount()) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public List<String> explain(Execution x) {
    return tables.stream()
        .map(table -> "delete every row of " + table.name() + " [apply kernel, tablets together]")
        .toList();
  }
}
