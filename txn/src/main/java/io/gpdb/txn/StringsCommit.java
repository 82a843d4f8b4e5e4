package io.gpdb.txn;

import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.txn.change.LoggedStrings;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.commit.CommitBuffers;
import io.gpdb.txn.commit.CommitRecords;
import io.gpdb.txn.commit.CommitRequest;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;

/**
 * Where codes were freed, has the log hold all that has happened to the table's strings so far, by
 * a transaction that does nothing else. A checkpoint needs it, whose image holds strings as they
 * are, and not as of its place in the log (D6).
 */
final class StringsCommit {
  private final OpenDatabase database;

  StringsCommit(OpenDatabase database) {
    this.database = database;
  }

  /** Returns when all events up to the last that freed a code are durable. */
  void run() {
    if (!database.isLogged()) {
      return;
    }
    CommitStamp stamp = new CommitStamp(database.transactionIds().getAsLong());
    TransactionWrites writes = new TransactionWrites(stamp, database.memory());
    database.tables().all().stream().filter(this::isDue).forEach(writes.touched()::add);
    if (!writes.touched().isEmpty()) {
      commit(stamp, writes);
    }
  }

  /** A table that was not committed yet is logged with its strings when it is. */
  private boolean isDue(TableVersions table) {
    CommitStamp creator = table.creator();
    if (creator != null && creator.sequence() == CommitStamp.ACTIVE) {
      return false;
    }
    for (int column : table.stringColumns(null)) {
      Dictionary dictionary = table.store().dictionary(column);
      LoggedStrings.Column key = new LoggedStrings.Column(table, column);
      if (dictionary != null
          && dictionary.lastFreedEvent() > database.tables().loggedStrings().durable(key)) {
        return true;
      }
    }
    return false;
  }

  private void commit(CommitStamp stamp, TransactionWrites writes) {
    CommitRecords records = new CommitRecords(writes, database.recording());
    try (CommitBuffers made = new CommitBuffers(database.memory(), records, database.workers())) {
      database
          .groupCommit()
          .commit(new CommitRequest(stamp, made, null, CommitRequest.Kind.DEFINITIONS, false));
      records.durable();
    } catch (RuntimeException e) {
      if (Poison.isHarmless(e)) {
        records.failed();
        writes.free();
      }
      throw e;
    }
    database.reclaim().add(writes); // R10: every sequence comes there
  }
}
