package io.gpdb.txn;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.commit.CommitBuffers;
import io.gpdb.txn.commit.CommitCheck;
import io.gpdb.txn.commit.CommitRecords;
import io.gpdb.txn.commit.CommitRequest;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.ReadSet;
import io.gpdb.txn.version.TableVersions;
import org.jspecify.annotations.Nullable;

/** Makes the changes of one transaction durable and visible. */
record TransactionCommit(
    OpenDatabase database, CommitStamp stamp, ReadPoint readPoint, @Nullable ReadSet reads) {
  /** Returns when the changes are durable; a failure that may have reached the log is poison. */
  void run(TransactionWrites w) {
    try {
      database.protocol().beforeCommit(w);
      write(w);
      database.protocol().afterCommit(w);
    } catch (RuntimeException e) {
      if (!Poison.isHarmless(e)) {
        database.poison().poison(e);
      }
      database.groupCommit().makeRoom(e);
      throw e;
    }
  }

  private void write(TransactionWrites w) {
    CommitRecords records = new CommitRecords(w, database.recording());
    ReadSet read = reads;
    CommitCheck check = read == null ? null : () -> judge(read);
    boolean needsHome = records.needsHome();
    CommitRequest.Kind kind = kindOf(w, needsHome);
    try (CommitBuffers made =
        database.isLogged()
            ? new CommitBuffers(database.memory(), records, database.workers())
            : null) {
      database.groupCommit().commit(new CommitRequest(stamp, made, check, kind, needsHome));
      records.durable();
    } catch (RuntimeException e) {
      if (Poison.isHarmless(e)) {
        records.failed();
      }
      throw e;
    }
  }

  /** By the leader: the reads must be true still after all that come before in the log (S3). */
  private @Nullable GpdbException judge(ReadSet read) {
    TableVersions changed = read.firstChanged(readPoint);
    return changed == null
        ? null
        : database.conflict("another transaction has changed what this one has read", changed);
  }

  private static CommitRequest.Kind kindOf(TransactionWrites w, boolean needsHome) {
    if (w.hasDefinitions()) {
      return CommitRequest.Kind.DEFINITIONS;
    }
    return needsHome || !w.touchedColumns().isEmpty()
        ? CommitRequest.Kind.OTHER_ROWS
        : CommitRequest.Kind.LOGGED_ROWS;
  }
}
