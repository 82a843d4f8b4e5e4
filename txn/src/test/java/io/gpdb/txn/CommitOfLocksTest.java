package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.table;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnStatistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction that locked rows and changed none has nothing to make durable. */
class CommitOfLocksTest {
  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED"})
  void locksAloneWriteNothingAndAreGoneWithTheCommit(Protocol protocol) {
    try (TransactionManager manager = withTable(directory, protocol)) {
      Transaction first = manager.begin();
      insert(first, 0, 10, id -> id);
      first.commit();
      TxnStatistics before = manager.statistics();

      Transaction locking = manager.begin();
      Transaction other = manager.begin();
      long[] rows = {2, 3};
      locking.writer(table(locking)).lock(rows, rows.length);
      assertThatThrownBy(() -> other.writer(table(other)).lock(rows, 1))
          .isInstanceOf(GpdbException.class);
      locking.commit();

      TxnStatistics after = manager.statistics();
      assertThat(after.syncs()).isEqualTo(before.syncs());
      assertThat(after.loggedBytes()).isEqualTo(before.loggedBytes());
      other.writer(table(other)).lock(rows, rows.length);
      insert(other, 20, 1, id -> id);
      other.commit();
      assertThat(manager.statistics().syncs()).isGreaterThan(before.syncs());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO"})
  void locksBesideAChangeStayUntilSnapshotsSeeIt(Protocol protocol) {
    try (TransactionManager manager = withTable(directory, protocol)) {
      Transaction first = manager.begin();
      insert(first, 0, 10, id -> id);
      first.commit();
      Transaction locking = manager.begin();
      Transaction other = manager.begin();
      long[] rows = {2};
      locking.writer(table(locking)).lock(rows, 1);
      insert(locking, 20, 1, id -> id);
      locking.commit();
      assertThatThrownBy(() -> other.writer(table(other)).lock(rows, 1))
          .isInstanceOf(GpdbException.class);
      other.rollback();
    }
  }
}
