package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TabletView;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RollbackTest {
  private static final int OTHER_TABLE = 99;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 100, id -> id % 7 == 0 ? NULL : id);
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void rollbackLeavesNothing(Protocol protocol) {
    try (CrashableDirectory other = new CrashableDirectory();
        TransactionManager m = withTable(other, protocol)) {
      Transaction tx = m.begin();
      insert(tx, 0, 100, id -> id % 7 == 0 ? NULL : id);
      tx.commit();
      tx = m.begin();
      update(tx, id -> id % 2 == 0, id -> id % 4 == 0 ? NULL : 9);
      update(tx, id -> id % 3 == 0, id -> 10);
      delete(tx, id -> id > 80);
      insert(tx, 1000, 50, id -> id);
      update(tx, id -> id >= 1000, id -> 1);
      delete(tx, id -> id == 1001);
      tx.rollback();
      assertThat(tx.isActive()).isFalse();
      assertThat(contents(m)).isEqualTo(expected(0, 100, id -> id % 7 == 0 ? NULL : id));
      assertThat(m.statistics().pinnedVersions()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "AUTO"})
  void aTabletOfRowsThatWereTakenBackIsNotMissedByRecovery(Protocol protocol) {
    try (CrashableDirectory other = new CrashableDirectory()) {
      TransactionManager m = withTable(other, protocol);
      Transaction tx = m.begin();
      tx.createTable(OTHER_TABLE, SampleDatabase.shape());
      Savepoint empty = tx.savepoint();
      tx.protocol(protocol == Protocol.AUTO ? Protocol.UNDO : protocol);
      insert(tx, 0, 100, id -> id);
      update(tx, id -> id == 1, id -> 7);
      tx.rollbackTo(empty);
      tx.commit();
      m.abandon();
      try (CrashableDirectory left = other.crash(CrashChoice.keepNothing());
          TransactionManager opened = SampleDatabase.open(left, protocol)) {
        assertThat(contents(opened)).isEmpty();
        Transaction next = opened.begin();
        insert(next, 0, 10, id -> id);
        next.commit();
        assertThat(contents(opened)).isEqualTo(expected(0, 10, id -> id));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "CAP_FS", "CAP_MM"})
  void aTabletOfRowsThatNobodyCommittedIsNotMissedByRecovery(Protocol protocol) {
    try (CrashableDirectory other = new CrashableDirectory()) {
      TransactionManager m = withTable(other, protocol);
      Transaction tx = m.begin();
      insert(tx, 0, 10, id -> id);
      tx.commit();
      Transaction open = m.begin();
      insert(open, 1000, Tablet.ROWS, id -> id);
      tx = m.begin();
      update(tx, id -> id == 1, id -> 7);
      tx.commit();
      m.abandon();
      try (CrashableDirectory left = other.crash(CrashChoice.keepNothing());
          TransactionManager opened = SampleDatabase.open(left, protocol)) {
        assertThat(contents(opened)).isEqualTo(expected(0, 10, id -> id == 1 ? 7 : id));
      }
    }
  }

  @Test
  void rollbackToASavepointKeepsWhatCameBefore() {
    Transaction tx = manager.begin();
    delete(tx, id -> id >= 50);
    Savepoint outer = tx.savepoint();
    insert(tx, 500, 40, id -> id);
    Savepoint inner = tx.savepoint();
    update(tx, id -> true, id -> 3);
    tx.rollbackTo(inner);
    assertThat(contents(tx)).containsEntry(500, 500L).containsEntry(1, 1L);
    update(tx, id -> id == 1, id -> 77);
    tx.rollbackTo(outer);
    assertThat(contents(tx)).isEqualTo(expected(0, 50, id -> id % 7 == 0 ? NULL : id));
    assertThatThrownBy(() -> tx.rollbackTo(inner))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SAVEPOINT_UNKNOWN));
    update(tx, id -> id == 2, id -> 22);
    tx.rollbackTo(outer);
    insert(tx, 700, 1, id -> id);
    tx.commit();
    var rows = expected(0, 50, id -> id % 7 == 0 ? NULL : id);
    rows.put(700, 700L);
    assertThat(contents(manager)).isEqualTo(rows);
  }

  /** A view of the tablet keeps the roll-back to the savepoint from undoing the statement. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "AUTO"})
  void whatCouldNotBeUndoneIsNeverCommitted(Protocol protocol) {
    try (CrashableDirectory other = new CrashableDirectory();
        TransactionManager m = withTable(other, protocol)) {
      Transaction tx = m.begin();
      insert(tx, 0, 100, id -> id);
      tx.commit();
      Transaction failing = m.begin();
      update(failing, id -> id < 50, id -> 7);
      Savepoint statement = failing.savepoint();
      delete(failing, id -> id >= 90);
      update(failing, id -> id < 90, id -> 8);
      try (TabletView _ = failing.reader(TABLE).open(0, new int[] {SampleDatabase.ID})) {
        assertThatThrownBy(() -> failing.rollbackTo(statement)).hasMessageContaining("view");
      }
      for (ThrowingCallable use :
          List.<ThrowingCallable>of(
              failing::commit,
              failing::savepoint,
              () -> failing.rollbackTo(statement),
              () -> failing.reader(TABLE),
              () -> failing.writer(TABLE))) {
        assertThatThrownBy(use)
            .isInstanceOfSatisfying(
                GpdbException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_STATE));
      }
      assertThat(failing.isActive()).isTrue();
      failing.rollback();
      assertThat(failing.isActive()).isFalse();
      assertThat(contents(m)).isEqualTo(expected(0, 100, id -> id));
      Transaction next = m.begin();
      update(next, id -> true, id -> 9);
      next.commit();
      assertThat(contents(m)).isEqualTo(expected(0, 100, id -> 9));
    }
  }

  @Test
  void aDuplicateKeyNamesItsRowAndTheStatementCanBeUndone() {
    Transaction tx = manager.begin();
    insert(tx, 200, 10, id -> id);
    Savepoint statement = tx.savepoint();
    KeyViolation violation =
        catchThrowableOfType(KeyViolation.class, () -> insert(tx, 95, 20, id -> id));
    assertThat(violation.indexOrdinal()).isZero();
    assertThat(violation.batchRow()).isZero();
    tx.rollbackTo(statement);
    violation = catchThrowableOfType(KeyViolation.class, () -> insert(tx, 150, 60, id -> id));
    assertThat(violation.batchRow()).isEqualTo(50);
    tx.rollbackTo(statement);
    insert(tx, 150, 50, id -> id);
    tx.commit();
    assertThat(contents(manager)).hasSize(160);
  }

  @Test
  void twoEqualKeysInOneBatchNameTheSecond() {
    Transaction tx = manager.begin();
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      ColumnView[] rows = SampleDatabase.rows(tx, arena, 300, 50, id -> id);
      rows[0].values().onHost().setInt(40, 310);
      rows[0].values().onHost().setInt(45, 5);
      KeyViolation violation =
          catchThrowableOfType(KeyViolation.class, () -> tx.writer(TABLE).insert(rows, 50));
      assertThat(violation.batchRow()).isEqualTo(40);
    }
    tx.rollback();
    assertThat(contents(manager)).hasSize(100);
  }

  @Test
  void aDeletedKeyCanBeInsertedAgainByTheSameTransaction() {
    Transaction tx = manager.begin();
    delete(tx, id -> id == 42);
    insert(tx, 42, 1, id -> 4242);
    assertThat(contents(tx)).containsEntry(42, 4242L).hasSize(100);
    tx.commit();
    assertThat(contents(manager)).containsEntry(42, 4242L).hasSize(100);
  }

  @Test
  void anUpdatedKeyIsCheckedAtTheEndOfTheStatement() {
    Transaction tx = manager.begin();
    TableWriter writer = tx.writer(TABLE);
    int[] id = {SampleDatabase.ID};
    boolean[] nulls = {false};
    long row = writer.findByKey(0, new long[] {8});
    Savepoint statement = tx.savepoint();
    KeyViolation violation =
        catchThrowableOfType(
            KeyViolation.class, () -> writer.updateRow(row, id, new long[] {9}, nulls));
    assertThat(violation.batchRow()).isZero();
    tx.rollbackTo(statement);
    writer.updateRow(row, id, new long[] {1008}, nulls);
    assertThat(writer.findByKey(0, new long[] {8})).isEqualTo(-1);
    assertThat(writer.findByKey(0, new long[] {1008})).isEqualTo(row);
    assertThat(manager.begin().reader(TABLE).findByKey(0, new long[] {8})).isEqualTo(row);
    tx.commit();
    assertThat(contents(manager)).containsKey(1008).doesNotContainKey(8);
  }

  @Test
  void anEndedTransactionTakesNothing() {
    Transaction tx = manager.begin();
    tx.commit();
    assertThatThrownBy(() -> tx.reader(TABLE)).isInstanceOf(GpdbException.class);
    assertThatThrownBy(tx::commit).isInstanceOf(GpdbException.class);
    assertThatThrownBy(tx::rollback).isInstanceOf(GpdbException.class);
  }

  @Test
  void tablesMadeAndDroppedFollowTheTransaction() {
    Transaction making = manager.begin();
    making.createTable(17, SampleDatabase.shape());
    Transaction other = manager.begin();
    assertThatThrownBy(() -> other.reader(17))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND));
    making.rollback();
    Transaction again = manager.begin();
    again.createTable(17, SampleDatabase.shape());
    again.dropTable(TABLE);
    assertThatThrownBy(() -> again.reader(TABLE)).isInstanceOf(GpdbException.class);
    assertThat(contents(other)).hasSize(100);
    again.commit();
    assertThat(contents(other)).hasSize(100);
    other.commit();
    assertThatThrownBy(() -> manager.begin().reader(TABLE)).isInstanceOf(GpdbException.class);
    assertThat(manager.begin().reader(17).estimatedRows()).isZero();
    manager.checkpoint();
    assertThat(manager.space().table(TABLE)).isNull();
  }

  @Test
  void rowsGivenBackByASavepointAreSafeFromTheUndoLog() {
    try (CrashableDirectory other = new CrashableDirectory()) {
      TransactionManager m = withTable(other, Protocol.UNDO);
      Transaction tx = m.begin();
      insert(tx, 0, 100, id -> id);
      tx.commit();
      Transaction open = m.begin();
      update(open, id -> id == 90, id -> -1);
      Savepoint savepoint = open.savepoint();
      update(open, id -> id < 50, id -> -2);
      open.rollbackTo(savepoint);
      Transaction empty = m.begin();
      Savepoint start = empty.savepoint();
      update(empty, id -> id >= 50 && id < 60, id -> -3);
      empty.rollbackTo(start);
      empty.commit();
      tx = m.begin();
      update(tx, id -> id < 60, id -> id + 1000);
      tx.commit();
      m.abandon();
      try (CrashableDirectory crashed = other.crash(CrashChoice.keepNothing());
          TransactionManager recovered = SampleDatabase.open(crashed, Protocol.UNDO)) {
        assertThat(recovered.recovery().undoneTransactions()).isEqualTo(1);
        assertThat(contents(recovered)).isEqualTo(expected(0, 100, id -> id < 60 ? id + 1000 : id));
      }
    }
  }
}
