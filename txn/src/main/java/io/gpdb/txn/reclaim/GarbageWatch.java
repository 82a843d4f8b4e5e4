package io.gpdb.txn.reclaim;

import io.gpdb.storage.table.TableGarbage;
import io.gpdb.txn.api.GarbageListener;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;

/**
 * Counts the rows that transactions overwrite, delete or take back, and looks at a table anew when
 * these are a good part of it, so that the cost of looking is spread over many commits.
 */
public final class GarbageWatch {
  private static final long ROWS_MIN = 256;
  private static final int SHARE = 16;

  private final StringRelease strings;
  private volatile GarbageListener listener = (table, garbage) -> {};

  public GarbageWatch(StringRelease strings) {
    this.strings = strings;
  }

  public void listener(GarbageListener newListener) {
    listener = newListener;
  }

  /** The transaction has committed: what it overwrote and deleted is garbage soon. */
  public void committed(TransactionWrites writes) {
    for (UndoVersion version : writes.versions()) {
      if (version.kind() != UndoVersion.Kind.INSERT) {
        version.table().overwritten().addAndGet(version.n());
      }
    }
  }

  /** The rows of a version were taken back: their numbers are not used again. */
  public void undone(UndoVersion version) {
    if (version.kind() == UndoVersion.Kind.INSERT) {
      version.table().overwritten().addAndGet(version.n());
    }
  }

  /** After the transaction's end: looks at the tables that it wrote to. */
  public void ended(TransactionWrites writes) {
    strings.ended(writes);
    for (TableVersions table : writes.touched()) {
      long overwritten = table.overwritten().get();
      if (overwritten >= Math.max(ROWS_MIN, table.store().rowLimit() / SHARE)
          && table.dropper() == null) {
        table.overwritten().addAndGet(-overwritten);
        TableGarbage garbage = TableGarbage.of(table.store(), strings.isEnabled());
        if (garbage.garbageBytes() > TableGarbage.LITTLE_BYTES) {
          listener.found(table.tableId(), garbage);
        }
      }
    }
  }
}
