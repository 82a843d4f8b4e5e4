package io.gpdb.txn;

import io.gpdb.txn.version.TableVersions;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The readers and writers that one transaction has opened, each for its table. Most transactions
 * open few: two look-ups and one table make up a SELECT by key.
 */
final class TableHandles {
  private static final int TABLES_LIKELY = 2;

  private final Transaction transaction;
  private final OpenDatabase database;
  private @Nullable IdentityHashMap<TableVersions, SnapshotReader> readers;
  private @Nullable IdentityHashMap<TableVersions, VersioningWriter> writers;

  TableHandles(Transaction transaction, OpenDatabase database) {
    this.transaction = transaction;
    this.database = database;
  }

  SnapshotReader reader(TableVersions table) {
    IdentityHashMap<TableVersions, SnapshotReader> known = readers;
    if (known == null) {
      known = new IdentityHashMap<>(TABLES_LIKELY);
      readers = known;
    }
    SnapshotReader reader = known.get(table);
    if (reader == null) {
      reader = new SnapshotReader(transaction, table, database.memory());
      known.put(table, reader);
    }
    return reader;
  }

  VersioningWriter writer(TableVersions table) {
    IdentityHashMap<TableVersions, VersioningWriter> known = writers;
    if (known == null) {
      known = new IdentityHashMap<>(TABLES_LIKELY);
      writers = known;
    }
    VersioningWriter writer = known.get(table);
    if (writer == null) {
      writer = new VersioningWriter(transaction, database, table);
      known.put(table, writer);
    }
    return writer;
  }

  /** Forgets the readers: the transaction's read point has moved. */
  void forgetReaders() {
    readers = null;
  }

  /** Forgets what was opened for a table that is gone or has another shape. */
  void forget(int tableId) {
    if (readers != null) {
      readers.keySet().removeIf(table -> table.tableId() == tableId);
    }
    if (writers != null) {
      writers.keySet().removeIf(table -> table.tableId() == tableId);
    }
  }

  /** Forgets what writers know of a statement that was undone. */
  void forgetStatement() {
    if (writers != null) {
      writers.values().forEach(VersioningWriter::forgetStatement);
    }
  }

  /** Nothing more is written. */
  void end() {
    if (writers != null) {
      writers.values().forEach(VersioningWriter::end);
    }
  }
}
