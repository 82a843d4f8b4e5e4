package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.shape;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes on and what does not after a write, a commit or a checkpoint failed or was undone. */
@Timeout(60)
class FailedWritesTest {
  private static final int ROWS = 100;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.listener(null);
    directory.close();
  }

  private TransactionManager filled(Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
    return manager;
  }

  private void failing(Act failing, String file, RuntimeException failure) {
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == failing && memory.startsWith(file)) {
            throw failure;
          }
        });
  }

  private static void assertCode(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** A5. Nothing is known of a medium that failed. */
  @Test
  void anUndoLogThatFailedPoisonsTheDatabase() {
    TransactionManager manager = filled(Protocol.UNDO);
    Transaction tx = manager.begin();
    failing(Act.DRAIN, "undo", new GpdbException(ErrorCode.IO_ERROR, "medium failed"));
    assertThatThrownBy(() -> update(tx, id -> id < 50, id -> -id))
        .isInstanceOf(GpdbException.class);
    directory.listener(null);
    assertCode(ErrorCode.POISONED, manager::begin);
    manager.abandon();
  }

  /** R4. Nobody could undo a change without its version. */
  @Test
  void aChangeWithoutRoomForItsVersionPoisonsTheDatabase() throws ReflectiveOperationException {
    TransactionManager manager = filled(Protocol.REDO);
    Transaction tx = manager.begin();
    Field versions = TransactionWrites.class.getDeclaredField("versions");
    versions.setAccessible(true);
    versions.set(tx.writes(), new FullList());
    assertThatThrownBy(() -> update(tx, id -> id < 50, id -> -id)).hasMessage(FullList.MESSAGE);
    assertCode(ErrorCode.POISONED, manager::begin);
    manager.abandon();
    try (TransactionManager reopened = SampleDatabase.open(directory, Protocol.REDO)) {
      assertThat(contents(reopened)).isEqualTo(expected(0, ROWS, id -> id));
    }
  }

  /** Takes no version, as where the heap is full. */
  private static final class FullList extends ArrayList<UndoVersion> {
    static final String MESSAGE = "no heap";
    private static final long serialVersionUID = 1;

    @Override
    public boolean add(UndoVersion version) {
      throw new OutOfMemoryError(MESSAGE);
    }
  }

  @Test
  void anUndoLogThatCannotGrowFailsTheStatementAlone() {
    TransactionManager manager = filled(Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, ROWS, 65_000, id -> id);
    failing(Act.GROW, "undo", new GpdbException(ErrorCode.DISK_FULL, "disk is full"));
    assertCode(
        ErrorCode.DISK_FULL,
        () -> {
          for (int i = 0; i < 10; i++) {
            SampleBatches.update(tx, id -> true, 1);
          }
        });
    directory.listener(null);
    tx.rollback();
    Transaction next = manager.begin();
    update(next, id -> id < 10, id -> id + 5);
    next.commit();
    assertThat(contents(manager)).isEqualTo(expected(0, ROWS, id -> id < 10 ? id + 5 : id));
    manager.close();
  }

  /** Also after a failure that the medium did not report. */
  @Test
  void aCommitThatEndsInTheMiddlePoisonsTheDatabase() {
    TransactionManager manager = filled(Protocol.UNDO);
    Transaction tx = manager.begin();
    update(tx, id -> id < 50, id -> -id);
    failing(Act.DRAIN, "home", new IllegalStateException("unexpected"));
    assertThatThrownBy(tx::commit).isInstanceOf(RuntimeException.class);
    directory.listener(null);
    assertCode(ErrorCode.POISONED, manager::begin);
    manager.abandon();
  }

  @Test
  void valuesBesideACommitThatFailedTakeNoSpace() {
    for (Protocol protocol : List.of(Protocol.VERSIONED, Protocol.CHECKSUMMED)) {
      try (CrashableDirectory files = new CrashableDirectory();
          TransactionManager manager = withTable(files, protocol)) {
        Transaction tx = manager.begin();
        insert(tx, 0, ROWS, id -> id);
        tx.commit();
        Transaction failing = manager.begin();
        update(failing, id -> true, id -> id + 1);
        insert(failing, ROWS, ROWS, id -> id);
        Transaction first = manager.begin(IsolationLevel.SERIALIZABLE);
        files.listener(
            (act, memory, offset, bytes) -> {
              if (act == Act.NAMES) {
                throw new GpdbException(ErrorCode.DISK_FULL, "disk is full");
              }
            });
        insert(failing, 2 * ROWS, 60_000, id -> id);
        update(failing, id -> id > ROWS, id -> id + 2);
        while (failing.isActive()) {
          try {
            failing.commit();
          } catch (GpdbException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
            failing.rollback();
          }
        }
        files.listener(null);
        first.rollback();
        assertThat(manager.check()).isEmpty();
        assertThat(manager.space().loggedBytes()).isLessThan(1 << 20);
      }
    }
  }

  @Test
  void aSerializableCommitThatIsRefusedLeavesNothingBeside() {
    try (TransactionManager manager = filled(Protocol.VERSIONED)) {
      Transaction tx = manager.begin(IsolationLevel.SERIALIZABLE);
      contents(tx);
      update(tx, id -> id == 1, id -> 11);
      Transaction other = manager.begin();
      update(other, id -> id == 2, id -> 22);
      other.commit();
      assertCode(ErrorCode.SERIALIZATION_CONFLICT, tx::commit);
      tx.rollback();
      assertThat(manager.check()).isEmpty();
      manager.checkpoint();
      assertThat(manager.check()).isEmpty();
      assertThat(contents(manager)).isEqualTo(expected(0, ROWS, id -> id == 2 ? 22 : id));
    }
  }

  @Test
  void aTransactionOfAClosedDatabaseEnds() {
    TransactionManager manager = filled(Protocol.REDO);
    Transaction tx = manager.begin();
    update(tx, id -> id < 50, id -> -id);
    manager.abandon();
    tx.rollback();
    assertThat(tx.isActive()).isFalse();
    assertCode(ErrorCode.TRANSACTION_STATE, tx::rollback);
  }

  @Test
  void closingClosesEveryFile() {
    for (Protocol protocol : List.of(Protocol.REDO, Protocol.UNDO)) {
      for (boolean whole : new boolean[] {true, false}) {
        try (CrashableDirectory files = new CrashableDirectory()) {
          TransactionManager manager =
              TransactionManager.open(
                  files,
                  DEVICE,
                  TxnOptions.standard().withProtocol(protocol).withLogFileBytes(8 << 10));
          Transaction tx = manager.begin();
          tx.createTable(TABLE, shape());
          tx.commit();
          for (int i = 0; i < 40; i++) {
            Transaction some = manager.begin();
            insert(some, 20 * i, 20, id -> id);
            update(some, id -> id == 3, id -> -3);
            some.commit();
            if (i == 30) {
              manager.checkpoint();
            }
          }
          List<PersistentMemory> opened = new ArrayList<>();
          files.names().forEach(name -> opened.add(files.open(name, 0)));
          if (whole) {
            manager.close();
          } else {
            manager.abandon();
          }
          for (PersistentMemory memory : opened) {
            assertThatThrownBy(() -> memory.load(0, MemorySegment.ofArray(new byte[8])))
                .as(memory.name())
                .isInstanceOf(RuntimeException.class);
          }
        }
      }
    }
  }

  @Test
  void anOpeningThatIsRefusedClosesEveryFile() {
    TransactionManager manager = filled(Protocol.REDO);
    manager.abandon();
    String log = directory.names().stream().filter(WalLayout::isFileName).toList().getFirst();
    directory.flipBit(log, WalLayout.SEGMENT_RECORDS_AT + WalLayout.RECORD_BATCH_START_AT, 0);
    PersistentMemory home = directory.open("home.gpdb", 0);
    assertCode(
        ErrorCode.CORRUPTION,
        () -> TransactionManager.open(directory, DEVICE, TxnOptions.standard()));
    assertThatThrownBy(() -> home.load(0, MemorySegment.ofArray(new byte[8])))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void tablesThatWereDroppedOrMadeTogetherAreUndoneTogether() {
    try (TransactionManager manager = filled(Protocol.REDO)) {
      Transaction maker = manager.begin();
      for (int table = 40; table < 44; table++) {
        maker.createTable(table, shape());
      }
      maker.commit();
      Transaction undone = manager.begin(IsolationLevel.SERIALIZABLE);
      Savepoint before = undone.savepoint();
      for (int table = 40; table < 44; table++) {
        undone.dropTable(table);
        undone.createTable(table + 10, shape());
        undone.reader(table + 10).findByKey(0, new long[] {1});
      }
      undone.rollbackTo(before);
      for (int table = 40; table < 44; table++) {
        assertThat(undone.reader(table).tabletCount()).isZero();
      }
      undone.commit();
      Transaction other = manager.begin();
      for (int table = 40; table < 44; table++) {
        assertThat(other.reader(table).tabletCount()).isZero();
        other.dropTable(table);
      }
      other.commit();
      for (int table = 40; table < 44; table++) {
        assertThat(manager.table(table)).as("table " + table).isNull();
        assertThat(manager.table(table + 10)).as("made and undone").isNull();
      }
    }
  }

  @Test
  void aTableIsDroppedOnce() {
    try (TransactionManager manager = filled(Protocol.REDO)) {
      Transaction first = manager.begin();
      Transaction second = manager.begin();
      first.dropTable(TABLE);
      assertCode(ErrorCode.SERIALIZATION_CONFLICT, () -> second.dropTable(TABLE));
      first.rollback();
      Transaction writer = manager.begin();
      update(writer, id -> id == 1, id -> 11);
      Transaction third = manager.begin();
      assertCode(ErrorCode.SERIALIZATION_CONFLICT, () -> third.dropTable(TABLE));
      writer.rollback();
      third.dropTable(TABLE);
      third.commit();
      second.rollback();
    }
  }

  /** A checkpoint without anything to write writes nothing. */
  @Test
  void anIdleCheckpointStoresNothing() {
    try (TransactionManager manager = filled(Protocol.REDO)) {
      for (int i = 0; i < 4; i++) {
        manager.checkpoint();
      }
      long checkpoints = manager.statistics().checkpoints();
      long stored = manager.statistics().persisted().bytesStored();
      manager.checkpoint();
      assertThat(manager.statistics().checkpoints()).isEqualTo(checkpoints);
      assertThat(manager.statistics().persisted().bytesStored()).isEqualTo(stored);
    }
  }

  @Test
  void aGrowingLogStartsACheckpointEachTime() throws InterruptedException {
    TxnOptions options = TxnOptions.standard().withCheckpointBytes(20_000);
    try (TransactionManager manager = TransactionManager.open(directory, DEVICE, options)) {
      Transaction tx = manager.begin();
      tx.createTable(TABLE, shape());
      tx.commit();
      for (int i = 0; i < 4000 && manager.statistics().checkpoints() < 3; i++) {
        tx = manager.begin();
        insert(tx, i * 100, 100, id -> id);
        tx.commit();
        Thread.sleep(1);
      }
      assertThat(manager.statistics().checkpoints()).isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aDatabaseWithoutALogHasNoPlaceInIt() {
    try (TransactionManager manager = withTable(new VolatileDirectory("v"), Protocol.REDO)) {
      assertThat(manager.logPosition()).isZero();
      assertThat(manager.tableUse(TABLE)).isNotNull();
      assertThat(manager.tableUse(TABLE + 1)).isNull();
    }
  }

  @Test
  void stringsAreReleasedUnlessThatIsOff() {
    try (TransactionManager manager = filled(Protocol.REDO)) {
      assertThat(freeCodesAfterADelete(manager, false)).isZero();
      assertThat(freeCodesAfterADelete(manager, true)).isPositive();
    }
  }

  private static int freeCodesAfterADelete(TransactionManager manager, boolean on) {
    Transaction tx = manager.begin();
    SampleDatabase.delete(tx, id -> true);
    tx.commit();
    manager.releaseStrings(on);
    manager.releaseStrings();
    var notes =
        Objects.requireNonNull(
            Objects.requireNonNull(manager.table(TABLE)).dictionary(SampleDatabase.NOTE));
    return notes.size() - notes.usedCodes();
  }
}
