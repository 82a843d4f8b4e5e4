package io.gpdb.txn;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.ConflictingWrite;
import io.gpdb.txn.version.Conflicts;
import io.gpdb.txn.version.LockWaits;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.TableVersions;

/**
 * What one transaction claims of whole tables: that it writes to them, or that it alone does. Of
 * two whose claims do not agree at least one finds the other: each says what it does before it
 * looks.
 */
final class TableClaims {
  private final OpenDatabase database;
  private final CommitStamp stamp;
  private boolean metRewrite;

  TableClaims(OpenDatabase database, CommitStamp stamp) {
    this.database = database;
    this.stamp = stamp;
  }

  /** Whether it was refused because a table was rewritten by itself. */
  boolean metRewrite() {
    return metRewrite;
  }

  /**
   * Whether what was refused because of an automatic rewrite can be done now: the rewrite, whose
   * end this waits for, has rolled back.
   */
  boolean outlastedRewrite(GpdbException refusal, Runnable check) {
    if (!(refusal.getCause() instanceof ConflictingWrite conflict)) {
      return false;
    }
    CommitStamp writer = conflict.writer();
    boolean committed = LockWaits.isCommittedRewrite(writer, check);
    metRewrite |= committed;
    return writer.yields() && !committed;
  }

  /** F3. The table is not dropped or rewritten by another transaction. */
  void requireKept(TableVersions table, Runnable check) {
    CommitStamp dropper = LockWaits.afterRewrite(table, check);
    if (dropper != null && dropper != stamp) {
      metRewrite = dropper.yields();
      throw database.conflict("another transaction has dropped the table", table);
    }
  }

  /** The transaction is going to write to the table; when it may not, nothing is claimed. */
  void enter(TableVersions table, ReadPoint readPoint, Runnable check) {
    table.writers().add(stamp);
    boolean entered = false;
    try {
      requireWritable(table, readPoint, check);
      entered = true;
    } finally {
      if (!entered) {
        table.writers().remove(stamp);
      }
    }
  }

  private void requireWritable(TableVersions table, ReadPoint readPoint, Runnable check) {
    CommitStamp dropper = LockWaits.afterRewrite(table, check);
    if (dropper != null) {
      metRewrite = dropper.yields();
      throw database.conflict("another transaction has dropped the table", table);
    }
    if (table.isFencedFrom(readPoint)) {
      throw database.conflict("another transaction has altered the table", table);
    }
    CommitStamp locker = table.locker();
    if (locker != null && locker != stamp) {
      throw lockedBy(locker, table);
    }
  }

  /** The transaction alone may write to the table, which it has entered, until it has ended. */
  void lock(TableVersions table) {
    synchronized (table) {
      CommitStamp before = table.locker();
      if (before == stamp) {
        return;
      }
      if (before != null) {
        throw lockedBy(before, table);
      }
      table.locker(stamp);
      for (CommitStamp writer : table.writers()) {
        if (writer != stamp) {
          table.locker(null);
          throw lockedBy(writer, table);
        }
      }
    }
  }

  private GpdbException lockedBy(CommitStamp other, TableVersions table) {
    database.counters().conflict();
    return Conflicts.atTable(other, table);
  }
}
