package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.open;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WalTest {
  private static final String FIRST = WalLayout.fileName(1);
  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** Three transactions; returns where the last one's record begins and ends in the first file. */
  private long[] threeTransactions() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> id);
    tx.commit();
    long start = manager.statistics().loggedBytes();
    assertThat(start).isPositive();
    long before = tail(manager);
    tx = manager.begin();
    insert(tx, 10, 10, id -> id);
    tx.commit();
    long after = tail(manager);
    manager.abandon();
    return new long[] {before + WalLayout.SEGMENT_RECORDS_AT, after + WalLayout.SEGMENT_RECORDS_AT};
  }

  private long tail(TransactionManager manager) {
    return manager.logPosition();
  }

  private void flip(long offset) {
    directory.flipBit(FIRST, offset, 3);
  }

  @Test
  void aDamagedLastRecordEndsTheLog() {
    long[] last = threeTransactions();
    for (long at : new long[] {last[0], last[0] + 20, last[0] + 60, last[0] + 100, last[1] - 80}) {
      flip(at);
      try (CrashableDirectory copy = directory.crash(CrashChoice.keepNothing());
          TransactionManager manager = open(copy, Protocol.REDO)) {
        assertThat(contents(manager)).isEqualTo(expected(0, 10, id -> id));
        assertThat(manager.recovery().tornTail()).contains("position=", FIRST);
      }
      flip(at);
    }
  }

  /** Nothing of it was replayed, and yet something was written that is not there. */
  @Test
  void aTornRecordAloneIsNoCleanShutdown() {
    withTable(directory, Protocol.REDO).close();
    TransactionManager manager = open(directory, Protocol.REDO);
    assertThat(manager.recovery().cleanShutdown()).isTrue();
    long last = manager.logPosition();
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> id);
    tx.commit();
    manager.abandon();
    String file = directory.names().stream().filter(WalLayout::isFileName).toList().getLast();
    directory.flipBit(file, last + WalLayout.SEGMENT_RECORDS_AT + 100, 3);
    try (TransactionManager again = open(directory, Protocol.REDO)) {
      assertThat(again.recovery().replayedTransactions()).isZero();
      assertThat(again.recovery().tornTail()).isNotEmpty();
      assertThat(again.recovery().cleanShutdown()).isFalse();
    }
  }

  @Test
  void aDamagedRecordBeforeOthersIsNeverTakenForTheEnd() {
    long[] last = threeTransactions();
    flip(last[0] - 100);
    assertThatThrownBy(() -> open(directory, Protocol.REDO))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  @Test
  void aMissingFileIsCorruption() {
    threeTransactions();
    directory.open(FIRST, 0).close();
    try (TransactionManager manager = open(directory, Protocol.REDO)) {
      manager.checkpoint();
    }
    for (String name : directory.names()) {
      if (WalLayout.isFileName(name)) {
        directory.delete(name);
      }
    }
    assertThatThrownBy(() -> open(directory, Protocol.REDO))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  @Test
  void whatAnEarlierOpeningLeftBehindTheTailIsNotContinued() {
    long[] last = threeTransactions();
    MemorySegment stale;
    try (Arena arena = Arena.ofConfined()) {
      PersistentMemory file = directory.open(FIRST, 0);
      stale = Arena.ofAuto().allocate(last[1] - last[0], 8);
      file.load(last[0], stale);
      MemorySegment header = arena.allocate(WalLayout.RECORD_HEADER_BYTES, 8);
      file.store(last[0], header);
      file.persist(last[0], header.byteSize());
    }
    TransactionManager manager = open(directory, Protocol.REDO);
    long tail = manager.logPosition();
    Transaction tx = manager.begin();
    insert(tx, 500, 1, id -> id);
    tx.commit();
    Map<Integer, Long> model = contents(manager);
    long next = manager.logPosition();
    manager.abandon();
    assertThat(tail + WalLayout.SEGMENT_RECORDS_AT).isEqualTo(last[0]);
    PersistentMemory file = directory.open(FIRST, 0);
    stale.set(java.lang.foreign.ValueLayout.JAVA_LONG, WalLayout.RECORD_POSITION_AT, next);
    stale.set(
        java.lang.foreign.ValueLayout.JAVA_INT,
        WalLayout.RECORD_HEADER_CRC_AT,
        Crc.of(stale, 0, WalLayout.RECORD_HEADER_CRC_AT));
    file.store(next + WalLayout.SEGMENT_RECORDS_AT, stale);
    file.persist(next + WalLayout.SEGMENT_RECORDS_AT, stale.byteSize());
    try (TransactionManager again = open(directory, Protocol.REDO)) {
      assertThat(contents(again)).isEqualTo(model);
      assertThat(again.recovery().tornTail()).contains("earlier opening");
    }
  }

  @Test
  void aTransactionLongerThanASegmentIsWholeOrAbsent() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 300_000, id -> id);
    update(tx, id -> id % 50 == 0, id -> -id);
    tx.commit();
    int[] acts = {0};
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (memory.startsWith(WalLayout.FILE_PREFIX)) {
            for (int tear = 0; tear < 3; tear++) {
              try (CrashableDirectory copy = directory.crash(CrashChoice.random(acts[0]++));
                  TransactionManager recovered = open(copy, Protocol.REDO)) {
                assertThat(recovered.space().table(SampleDatabase.TABLE).rowLimit())
                    .isEqualTo(300_000);
              }
            }
          }
        });
    tx = manager.begin();
    insert(tx, 300_000, 200_000, id -> id);
    tx.commit();
    directory.listener(null);
    assertThat(acts[0]).isGreaterThan(3);
    manager.abandon();
    assertThat(directory.names().stream().filter(WalLayout::isFileName).count()).isGreaterThan(2);
    try (TransactionManager recovered = open(directory, Protocol.REDO)) {
      assertThat(recovered.recovery().replayedTransactions()).isEqualTo(3);
      assertThat(recovered.space().table(SampleDatabase.TABLE).rowLimit()).isEqualTo(500_000);
    }
  }

  @Test
  void filesDoNotGrowUnderSteadyUpdates() {
    TxnOptions options = TxnOptions.standard().withCheckpointBytes(200_000);
    try (TransactionManager manager = TransactionManager.open(directory, DEVICE, options)) {
      Transaction tx = manager.begin();
      tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
      insert(tx, 0, 2000, id -> id);
      tx.commit();
      long settled = 0;
      for (int round = 0; round < 100; round++) {
        int r = round;
        tx = manager.begin();
        update(tx, id -> true, id -> id + r);
        tx.commit();
        if (round % 5 == 4) {
          manager.checkpoint();
        }
        if (round == 30) {
          settled = totalBytes();
        }
      }
      assertThat(totalBytes()).isLessThanOrEqualTo(settled * 5 / 4);
      assertThat(contents(manager)).isEqualTo(expected(0, 2000, id -> id + 99));
    }
  }

  private long totalBytes() {
    long total = 0;
    for (String name : directory.names()) {
      total += directory.open(name, 0).sizeBytes();
    }
    return total;
  }

  @Test
  void aLogLongerThanItsLimitStartsACheckpoint() {
    TxnOptions options = TxnOptions.standard().withCheckpointBytes(50_000);
    try (TransactionManager manager = TransactionManager.open(directory, DEVICE, options)) {
      Transaction tx = manager.begin();
      tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
      tx.commit();
      for (int i = 0; i < 200 && manager.statistics().checkpoints() == 0; i++) {
        tx = manager.begin();
        insert(tx, i * 500, 500, id -> id);
        tx.commit();
      }
      assertThat(manager.statistics().checkpoints()).isPositive();
    }
  }

  @Test
  void aFailedStorePoisonsTheDatabaseUntilItIsOpenedAnew() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> id);
    tx.commit();
    Transaction failing = manager.begin();
    insert(failing, 10, 10, id -> id);
    directory.listener(
        (act, memory, offset, bytes) -> {
          throw new GpdbException(ErrorCode.IO_ERROR, "medium failed");
        });
    assertThatThrownBy(failing::commit)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.POISONED));
    directory.listener(null);
    assertThatThrownBy(manager::begin)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.POISONED));
    failing.rollback();
    manager.close();
    try (CrashableDirectory copy = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = open(copy, Protocol.REDO)) {
      assertThat(contents(again)).isEqualTo(expected(0, 10, id -> id));
    }
  }

  @Test
  void aFullDiskFailsTheCommitAndLeavesTheTransaction() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 100_000, id -> id);
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == io.gpdb.simulation.medium.PersistListener.Act.NAMES) {
            throw new GpdbException(ErrorCode.DISK_FULL, "disk is full");
          }
        });
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
    directory.listener(null);
    assertThat(tx.isActive()).isTrue();
    tx.rollback();
    Transaction next = manager.begin();
    insert(next, 0, 5, id -> id);
    next.commit();
    manager.abandon();
    try (TransactionManager again = open(directory, Protocol.REDO)) {
      assertThat(contents(again)).isEqualTo(expected(0, 5, id -> id));
    }
  }

  @Test
  void aReadOnlyOpeningReadsAndRefusesToWrite() {
    withTable(directory, Protocol.REDO).close();
    try (TransactionManager manager =
        TransactionManager.open(directory, DEVICE, TxnOptions.standard().withReadOnly(true))) {
      assertThat(contents(manager)).isEmpty();
      Transaction tx = manager.begin();
      assertThatThrownBy(() -> insert(tx, 0, 1, id -> id))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.READ_ONLY));
    }
  }
}
