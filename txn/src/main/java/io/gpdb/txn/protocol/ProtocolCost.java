package io.gpdb.txn.protocol;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.medium.Medium;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.InsertedRows;
import io.gpdb.txn.version.TableVersions;
import java.util.List;
import java.util.Locale;

/**
 * What a change is expected to cost until its commit is acknowledged and a checkpoint has taken it
 * in: bytes written and syncs waited for, at what they cost on this kind of machine.
 *
 * @param syncNanos what one more drain adds to a commit
 * @param logNanos for 1 KiB of redo log: gathered, copied to the record, summed, written
 * @param extentNanos for 1 KiB of a chunk written to another extent: summed, written
 * @param checkpointNanos for 1 KiB of a chunk that a checkpoint must write
 */
public record ProtocolCost(long syncNanos, long logNanos, long extentNanos, long checkpointNanos) {
  private static final int KIB = 1024;

  /** Changes of fewer rows are logged without a computation. */
  private static final int ROWS_MIN = 4096;

  public static ProtocolCost of(Medium medium) {
    return switch (medium) {
      case FILE, CRASHABLE -> new ProtocolCost(1_500_000, 1_000, 800, 600);
      case TMPFS, VOLATILE -> new ProtocolCost(2_000, 700, 400, 400);
      case DAX -> new ProtocolCost(2_000, 1_200, 900, 900);
    };
  }

  /** The choices of the model, for EXPLAIN. */
  public String text() {
    double share = extentNanos / (2.0 * logNanos); // of 4-byte values, logged as 8 bytes
    return String.format(
        Locale.ROOT,
        "redo; versioned where more than %.0f%% of a tablet's rows change and that saves more than"
            + " a sync of %d us; checksummed for inserts of more than %d KiB into new tablets",
        share * 100,
        syncNanos / 1000,
        syncNanos / (logNanos + checkpointNanos - extentNanos));
  }

  /**
   * Redo or versioned. The statement is taken to treat the table's other tablets alike.
   *
   * @param extentWrites whether the commit writes values to extents anyway
   */
  Protocol ofUpdate(TableVersions table, Tablet tablet, int column, int n, boolean extentWrites) {
    if (n < ROWS_MIN) {
      return Protocol.REDO;
    }
    ElementType type = table.type(column);
    long chunkBytes = (long) tablet.rowCount() * type.bytes();
    long logBytes = (long) n * ColumnStores.entryWords(type) * Integer.BYTES;
    // What a checkpoint would save counts for nothing: other changes may come before it.
    long redo = logBytes * logNanos / KIB;
    long versioned = chunkBytes * extentNanos / KIB;
    long tablets = Math.max(1, table.store().rowLimit() / Tablet.ROWS);
    long sync = extentWrites ? 0 : syncNanos;
    return (redo - versioned) * tablets > sync ? Protocol.VERSIONED : Protocol.REDO;
  }

  /**
   * Chooses for inserted rows for which nothing was chosen: values of those that begin a tablet go
   * to extents, which a checkpoint may take as they are, when they are many.
   */
  public void settle(List<InsertedRows> inserted) {
    long bytes = 0;
    for (InsertedRows rows : inserted) {
      bytes += isOpen(rows) && rows.from() == 0 ? rows.bytes() : 0;
    }
    boolean many = bytes * (logNanos + checkpointNanos - extentNanos) / KIB > syncNanos;
    for (InsertedRows rows : inserted) {
      if (isOpen(rows)) {
        rows.protocol(many && rows.from() == 0 ? Protocol.CHECKSUMMED : Protocol.REDO);
      }
    }
  }

  private static boolean isOpen(InsertedRows rows) {
    return rows.protocol() == Protocol.AUTO;
  }
}
