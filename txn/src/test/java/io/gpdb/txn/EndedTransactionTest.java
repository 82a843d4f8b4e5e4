package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.Protocol;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is left of a transaction and of a database when it has ended, and what it refuses then. */
class EndedTransactionTest {
  private final CrashableDirectory directory = new CrashableDirectory();
  private final TransactionManager manager = withTable(directory, Protocol.REDO);

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private static void assertRefused(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void aClosedDatabaseRefusesEverything() {
    Transaction tx = manager.begin();
    insert(tx, 0, 3, id -> id);
    Savepoint savepoint = tx.savepoint();
    manager.close();
    assertRefused(ErrorCode.CLOSED, manager::begin);
    assertRefused(ErrorCode.CLOSED, manager::checkpoint);
    assertRefused(ErrorCode.CLOSED, manager::checkpointDetached);
    assertRefused(ErrorCode.CLOSED, () -> manager.backUp(new VolatileDirectory("backup")));
    assertRefused(ErrorCode.CLOSED, () -> tx.reader(TABLE));
    assertRefused(ErrorCode.CLOSED, () -> tx.writer(TABLE));
    assertRefused(ErrorCode.CLOSED, () -> tx.createTable(40, SampleDatabase.shape()));
    assertRefused(ErrorCode.CLOSED, () -> tx.dropTable(TABLE));
    assertRefused(ErrorCode.CLOSED, tx::savepoint);
    assertRefused(ErrorCode.CLOSED, () -> tx.rollbackTo(savepoint));
    assertRefused(ErrorCode.CLOSED, tx::commit);
  }

  @Test
  void aTransactionThatHasEndedRefusesEverything() {
    Transaction tx = manager.begin();
    insert(tx, 0, 3, id -> id);
    Savepoint savepoint = tx.savepoint();
    tx.rollback();
    assertRefused(ErrorCode.TRANSACTION_STATE, () -> tx.reader(TABLE));
    assertRefused(ErrorCode.TRANSACTION_STATE, () -> tx.writer(TABLE));
    assertRefused(ErrorCode.TRANSACTION_STATE, () -> tx.createTable(40, SampleDatabase.shape()));
    assertRefused(ErrorCode.TRANSACTION_STATE, () -> tx.dropTable(TABLE));
    assertRefused(ErrorCode.TRANSACTION_STATE, tx::savepoint);
    assertRefused(ErrorCode.TRANSACTION_STATE, () -> tx.rollbackTo(savepoint));
    assertRefused(ErrorCode.TRANSACTION_STATE, tx::commit);
    assertRefused(ErrorCode.TRANSACTION_STATE, tx::rollback);
  }

  /** What must not be left half done runs under no signal, what follows runs under it again. */
  @Test
  void aThreadCanBeStoppedAgainAfterACommitAndARollback() {
    StopSignal signal = new StopSignal(null);
    try (StopSignal.Scope _ = signal.bind()) {
      Transaction tx = manager.begin();
      Savepoint savepoint = tx.savepoint();
      insert(tx, 0, 3, id -> id);
      tx.rollbackTo(savepoint);
      assertThat(StopSignal.current()).isSameAs(signal);
      insert(tx, 0, 3, id -> id);
      tx.commit();
      assertThat(StopSignal.current()).isSameAs(signal);
      Transaction undone = manager.begin();
      update(undone, id -> true, id -> -id);
      undone.rollback();
      assertThat(StopSignal.current()).isSameAs(signal);
    }
  }

  /** Whatever it had done before it undid it. */
  @Test
  void aTransactionThatHasWrittenNothingLogsNothing() {
    Transaction tx = manager.begin();
    insert(tx, 0, 3, id -> id);
    tx.commit();
    long position = manager.logPosition();
    tx = manager.begin();
    Savepoint savepoint = tx.savepoint();
    update(tx, id -> true, id -> -id);
    tx.createTable(40, SampleDatabase.shape());
    tx.rollbackTo(savepoint);
    tx.commit();
    tx = manager.begin();
    update(tx, id -> false, id -> id);
    insert(tx, 5, 0, id -> id);
    tx.commit();
    assertThat(manager.logPosition()).isEqualTo(position);
  }
}
