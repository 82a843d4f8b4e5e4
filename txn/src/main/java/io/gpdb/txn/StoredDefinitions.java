package io.gpdb.txn;

import io.gpdb.storage.column.TableShape;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;

/** Tables made, dropped, fenced and copied by one transaction. */
final class StoredDefinitions {
  private final Transaction transaction;
  private final OpenDatabase database;
  private final CommitStamp stamp;

  StoredDefinitions(Transaction transaction, OpenDatabase database, CommitStamp stamp) {
    this.transaction = transaction;
    this.database = database;
    this.stamp = stamp;
  }

  TableVersions create(int tableId, TableShape shape) {
    TransactionWrites writes = transaction.writes();
    TableVersions table = database.tables().create(tableId, shape, stamp);
    writes.created().add(table);
    return table;
  }

  void drop(TableVersions table) {
    TransactionWrites writes = transaction.writes();
    synchronized (table) {
      CommitStamp other = table.dropper();
      if (other != null) {
        throw transaction.conflict("another transaction has dropped the table", table.tableId());
      }
      table.dropper(stamp);
      if (hasOtherWriters(table)) {
        table.dropper(null);
        throw written(table);
      }
    }
    writes.dropped().add(table);
    transaction.forget(table.tableId());
  }

  /** First the fence, then the look at the writers, who do it the other way round. */
  void fence(TableVersions table) {
    TransactionWrites writes = transaction.writesTo(table);
    synchronized (table) {
      CommitStamp before = table.fence();
      if (before != stamp) {
        table.fence(stamp);
        writes.fenced().add(new TransactionWrites.Fenced(table, before));
      }
    }
    requireUnwritten(table);
  }

  long rewrite(TableVersions table, int newTableId) {
    TableReader source = transaction.reader(table.tableId());
    drop(table);
    requireUnwritten(table);
    return rewrite(table, source, newTableId, () -> {});
  }

  long rewriteUnlessWritten(TableVersions table, int newTableId) {
    stamp.yielding();
    TableReader source = transaction.reader(table.tableId());
    long rows = rewrite(table, source, newTableId, () -> requireUnwritten(table));
    drop(table);
    requireUnwritten(table);
    return rows;
  }

  private long rewrite(
      TableVersions table, TableReader source, int newTableId, Runnable beforeEachTablet) {
    TableVersions made = create(newTableId, table.store().shape());
    transaction.writes().rewrites().add(new TransactionWrites.Rewrite(table, made));
    return copy(source, table, made, table.allColumns(), beforeEachTablet);
  }

  long copy(TableVersions from, TableVersions to, int[] columns, Runnable beforeEachTablet) {
    return copy(transaction.reader(from.tableId()), from, to, columns, beforeEachTablet);
  }

  private long copy(
      TableReader source,
      TableVersions from,
      TableVersions to,
      int[] columns,
      Runnable beforeEachTablet) {
    return new TableRewrite(
            source,
            from.store(),
            columns,
            transaction.writer(to.tableId()),
            to.store(),
            database.memory())
        .run(beforeEachTablet);
  }

  private boolean hasOtherWriters(TableVersions table) {
    return table.writers().stream().anyMatch(writer -> writer != stamp);
  }

  private void requireUnwritten(TableVersions table) {
    if (hasOtherWriters(table) || !table.seesAll(transaction.readPoint())) {
      throw written(table);
    }
  }

  private RuntimeException written(TableVersions table) {
    return transaction.conflict("another transaction has written to the table", table.tableId());
  }
}
