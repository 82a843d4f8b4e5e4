package io.gpdb.txn;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.index.IndexBuild;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.change.ColumnFill;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tables made, dropped, fenced and copied by one transaction. */
final class StoredDefinitions {
  private final Transaction transaction;
  private final OpenDatabase database;
  private final CommitStamp stamp;
  private final Function<TableVersions, VersioningWriter> writers;

  StoredDefinitions(
      Transaction transaction,
      OpenDatabase database,
      CommitStamp stamp,
      Function<TableVersions, VersioningWriter> writers) {
    this.transaction = transaction;
    this.database = database;
    this.stamp = stamp;
    this.writers = writers;
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
        throw database.conflict("another transaction has dropped the table", table);
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

  void addColumn(
      TableVersions table, ColumnShape column, long raw, byte @Nullable [] string, boolean isNull) {
    TransactionWrites writes = transaction.writesTo(table);
    requireOwnFence(table);
    TableStore store = table.store();
    int number = store.addColumn(column);
    table.grown(stamp);
    Dictionary strings = store.dictionary(number);
    long stored = raw;
    if (strings != null) {
      stored = string == null || isNull ? 0 : strings.intern(string, 0, string.length);
    }
    writes
        .grown()
        .add(
            new TransactionWrites.Grown(
                table, store.shape(), true, new ColumnFill(stored, isNull)));
    transaction.forget(table.tableId());
    store.fillColumn(number, stored, isNull);
  }

  long addIndex(TableVersions table, IndexShape index) {
    TransactionWrites writes = transaction.writesTo(table);
    requireOwnFence(table);
    int ordinal = table.store().addIndex(index);
    table.grown(stamp);
    writes.grown().add(new TransactionWrites.Grown(table, table.store().shape()));
    transaction.forget(table.tableId());
    return new IndexBuild(table.store(), table.store().index(ordinal), database.workers())
        .run(true);
  }

  private void requireOwnFence(TableVersions table) {
    if (table.fence() != stamp) {
      throw new IllegalStateException("table " + table.tableId() + " changes without a fence");
    }
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
    // Not the store's: it may have a column that another transaction adds, or takes back.
    TableShape shape = table.shape(transaction.readPoint());
    TableVersions made = create(newTableId, shape);
    int[] columns = IntStream.range(0, shape.columns().size()).toArray();
    transaction.writes().rewrites().add(new TransactionWrites.Rewrite(table, made));
    return copy(source, table, made, columns, beforeEachTablet);
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
    transaction.usesCodes();
    return new TableRewrite(
            source,
            from.store(),
            columns,
            writers.apply(to)::insertAnyway,
            to.store(),
            database.memory())
        .run(beforeEachTablet);
  }

  private boolean hasOtherWriters(TableVersions table) {
    return table.writers().stream().anyMatch(writer -> writer != stamp);
  }

  private void requireUnwritten(TableVersions table) {
    if (hasOtherWriters(table)
        || table.isFencedFrom(transaction.readPoint())
        || !table.seesAll(transaction.readPoint())) {
      throw written(table);
    }
  }

  private RuntimeException written(TableVersions table) {
    return database.conflict("another transaction has written to the table", table);
  }
}
