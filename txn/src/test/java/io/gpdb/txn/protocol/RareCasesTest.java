package io.gpdb.txn.protocol;

import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.SampleBatches;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.change.LoggedStrings;
import io.gpdb.txn.commit.CommitBatch;
import io.gpdb.txn.log.CheckpointState;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.StringSection;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.recovery.Replay;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.Snapshots;
import io.gpdb.txn.version.StatementSnapshot;
import io.gpdb.txn.version.TableVersions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases that mutation testing found without a test. */
@Timeout(60)
class RareCasesTest {
  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  private static void assertCode(
      ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** A second end must not end the snapshot that has the place now. */
  @Test
  void aSnapshotThatEndedTwiceLeavesItsSuccessorAlone() {
    Snapshots snapshots = new Snapshots(() -> 0);
    snapshots.publish(5);
    CommitStamp nobody = new CommitStamp(1);
    StatementSnapshot first = new StatementSnapshot(snapshots, nobody);
    first.hold();
    first.leave();
    snapshots.publish(7);
    assertThat(first.isHeld()).isTrue();
    assertThat(snapshots.horizon()).as("held").isEqualTo(5);
    first.close();
    assertThat(first.isHeld()).isFalse();
    assertThat(snapshots.horizon()).isEqualTo(7);
    StatementSnapshot second = new StatementSnapshot(snapshots, nobody);
    first.end();
    snapshots.publish(9);
    assertThat(snapshots.horizon()).as("of the second").isEqualTo(7);
    second.end();
    assertThat(snapshots.horizon()).isEqualTo(9);
  }

  @Test
  void aCheckpointStateWithNegativeNumbersIsDamaged() {
    for (CheckpointState good :
        new CheckpointState[] {new CheckpointState(3, 4, 5), new CheckpointState(0, 0, 0)}) {
      assertThat(CheckpointState.decode(good.encode())).isEqualTo(good);
    }
    for (CheckpointState bad :
        new CheckpointState[] {
          new CheckpointState(-1, 4, 5),
          new CheckpointState(3, -1, 5),
          new CheckpointState(3, 4, -1)
        }) {
      assertCode(ErrorCode.CORRUPTION, () -> CheckpointState.decode(bad.encode()));
    }
  }

  @Test
  void aTableThatTheTransactionDroppedIsNotThereForIt() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      insert(tx, 0, 10, id -> id);
      tx.dropTable(TABLE);
      assertCode(ErrorCode.TABLE_NOT_FOUND, () -> tx.reader(TABLE));
      assertCode(ErrorCode.TABLE_NOT_FOUND, () -> tx.writer(TABLE));
      tx.rollback();
    }
  }

  /** R6. What others have logged meanwhile is not logged again. */
  @Test
  void stringsThatTheLogHoldsAreForgotten() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      insert(tx, 0, 50, id -> id);
      tx.commit();
      TableVersions table = Objects.requireNonNull(manager.database().tables().table(TABLE));
      Dictionary notes = Objects.requireNonNull(table.store().dictionary(NOTE));
      long end = notes.events();
      assertThat(end).isEqualTo(7);
      assertThat(notes.copyEvents(0, end, new int[10])).isEqualTo(end);
      RecordBuffer record = new RecordBuffer(manager.database().memory());
      assertThat(LoggedStrings.append(record, table, NOTE, 0, end)).isEqualTo(end);
      assertThat(record.sections()).isZero();
      record.free();
    }
  }

  /** It shows when the commit is done, also where one came before the last wait. */
  @Test
  void anInterruptOfALeaderIsNotForgotten() {
    CommitBatch batch = new CommitBatch(List.of());
    batch.noteInterrupt(false);
    assertThat(batch.wasInterrupted()).isFalse();
    batch.noteInterrupt(true);
    batch.noteInterrupt(false);
    assertThat(batch.wasInterrupted()).isTrue();
  }

  /** The index still names the row for the key that it had; its newest writer is not known here. */
  @Test
  void aKeyThatARowHadBeforeIsFreeBesideAnOpenChangeOfTheRow() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction before = manager.begin();
      long row = insert(before, 5, 1, id -> id);
      before.commit();
      Transaction moved = manager.begin();
      moved.writer(TABLE).updateRow(row, new int[] {ID}, new long[] {6}, new boolean[1]);
      moved.commit();
      Transaction open = manager.begin();
      update(open, id -> id == 6, id -> 600);
      Transaction other = manager.begin();
      insert(other, 5, 1, id -> 50);
      assertCode(ErrorCode.SERIALIZATION_CONFLICT, () -> insert(other, 6, 1, id -> 60));
      other.rollback();
      open.commit();
      assertThat(contents(manager)).isEqualTo(Map.of(6, 600L));
    }
  }

  /** 9 groups of 32 in 8 partitions: the first one has two. */
  @Test
  void aPartitionOfARegionHasRoomForItsGroups() {
    TxnOptions options =
        TxnOptions.standard().withProtocol(Protocol.UNDO).withLog(LogKind.CONVENTIONAL);
    withTable(directory, Protocol.UNDO).close();
    TransactionManager manager = TransactionManager.open(directory, SampleDatabase.DEVICE, options);
    Transaction before = manager.begin();
    insert(before, 0, 400, id -> id);
    before.commit();
    Map<Integer, Long> committed = contents(manager);
    Transaction tx = manager.begin();
    update(tx, id -> id < 8 * 32 + 5, id -> -id);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll());
        TransactionManager again = SampleDatabase.open(left, Protocol.UNDO)) {
      assertThat(contents(again)).isEqualTo(committed);
    }
  }

  /** Its checksum is over more than that of later versions, and its only mark is a plain word. */
  @Test
  void anUndoRecordOfTheFirstVersionIsPutBack() {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> id);
    before.commit();
    Map<Integer, Long> committed = contents(manager);
    Transaction tx = manager.begin();
    update(tx, id -> id == 3, id -> 33);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
      rewrite(left, UndoLayout.VERSION_WITHOUT_ENDING, UndoLayout.DONE_AT);
      try (TransactionManager again = SampleDatabase.open(left, Protocol.UNDO)) {
        assertThat(again.recovery().undoneTransactions()).isEqualTo(1);
        assertThat(contents(again)).isEqualTo(committed);
      }
    }
  }

  /** U2. A record of the second version proves that all before it was durable. */
  @Test
  void aDamagedRecordBeforeOneOfTheSecondVersionIsFound() {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> id);
    before.commit();
    Transaction tx = manager.begin();
    update(tx, id -> id == 3, id -> 33);
    update(tx, id -> id == 4, id -> 44);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
      List<Long> places = rewrite(left, UndoLayout.VERSION_ONE_BY_ONE, UndoLayout.MARK_AT);
      left.flipBit(UndoLayout.FILE_NAME, places.getFirst() + UndoLayout.TRANSACTION_AT, 1);
      assertCode(ErrorCode.CORRUPTION, () -> SampleDatabase.open(left, Protocol.UNDO));
    }
  }

  /** Makes all records of the undo log those of an earlier version; returns their places. */
  private static List<Long> rewrite(CrashableDirectory left, int version, int checkedBytes) {
    List<Long> places = new ArrayList<>();
    try (Arena arena = Arena.ofConfined();
        PersistentMemory memory = left.open(UndoLayout.FILE_NAME, 1)) {
      MemorySegment header = arena.allocate(UndoLayout.HEADER_BYTES, 8);
      long at = UndoLayout.RECORDS_AT;
      memory.load(at, header);
      while (header.get(JAVA_INT, UndoLayout.MAGIC_AT) == UndoLayout.RECORD_MAGIC) {
        places.add(at);
        header.set(JAVA_INT, UndoLayout.VERSION_AT, version);
        header.set(JAVA_LONG, UndoLayout.DURABLE_BEFORE_AT, 0);
        header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, 0);
        header.asSlice(UndoLayout.MARK_AT, 2L * Long.BYTES).fill((byte) 0);
        int crc = Crc.of(header, 0, checkedBytes);
        header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, crc);
        if (version > UndoLayout.VERSION_WITHOUT_ENDING) {
          header.set(JAVA_LONG, UndoLayout.MARK_AT, UndoMark.word(UndoMark.OPEN, crc));
          header.set(JAVA_LONG, UndoLayout.DONE_AT, UndoMark.word(UndoMark.OPEN, crc));
        }
        memory.store(at, header);
        memory.persist(at, UndoLayout.HEADER_BYTES);
        long bytes = UndoLayout.HEADER_BYTES + header.get(JAVA_INT, UndoLayout.REGION_BYTES_AT);
        at += WalLayout.align(bytes, UndoLayout.ALIGNMENT);
        memory.load(at, header);
      }
    }
    return places;
  }

  /** Logs of earlier versions hold strings by their codes, without what frees them. */
  @Test
  void stringsOfAnEarlierVersionsLogAreReplayed() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO);
        Arena arena = Arena.ofConfined()) {
      MemorySegment payload = arena.allocate(24, 8);
      byte[][] texts = {"one".getBytes(UTF_8), "twelve".getBytes(UTF_8)};
      long at = 0;
      for (byte[] text : texts) {
        payload.set(JAVA_INT.withByteAlignment(1), at, text.length);
        MemorySegment.copy(MemorySegment.ofArray(text), 0, payload, at + 4, text.length);
        at += 4 + text.length;
      }
      Replay replay = new Replay(manager.space(), SampleDatabase.DEVICE, () -> 1 << 20);
      replay.apply(new StringSection.Dictionary(TABLE, NOTE, 0, 2, payload));
      Dictionary notes =
          Objects.requireNonNull(
              Objects.requireNonNull(manager.space().table(TABLE)).dictionary(NOTE));
      assertThat(notes.string(0)).isEqualTo("one");
      assertThat(notes.string(1)).isEqualTo("twelve");
    }
  }

  /** A baseline writes every column that a batch changed, in all tablets. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"CAP_FS", "CAP_MM"})
  void aBatchOfABaselineIsThereAfterACrash(Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction before = manager.begin();
    insert(before, 0, Tablet.ROWS + 50, id -> id);
    before.commit();
    Transaction tx = manager.begin();
    SampleBatches.update(tx, id -> id % 1000 == 3 || id > Tablet.ROWS, 5);
    tx.commit();
    Map<Integer, Long> whole = contents(manager);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, protocol)) {
      assertThat(contents(again)).isEqualTo(whole);
    }
  }

  /** Which values are there is in the home file like the values. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"CAP_FS", "CAP_MM"})
  void nullsOfABaselineAreThereAfterACrash(Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> id % 5 == 0 ? Long.MIN_VALUE : id);
    before.commit();
    Transaction tx = manager.begin();
    update(tx, id -> id % 2 == 0, id -> id % 3 == 0 ? Long.MIN_VALUE : -id);
    tx.commit();
    Map<Integer, Long> whole = contents(manager);
    assertThat(whole).containsEntry(6, Long.MIN_VALUE).containsEntry(10, -10L);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, protocol)) {
      assertThat(contents(again)).isEqualTo(whole);
    }
  }

  /** Also where another thread writes. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"CAP_FS", "CAP_MM"})
  void aCommitOfABaselineFailsAsItsMediumDoes(Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, 100, id -> id);
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (memory.equals("home.gpdb")) {
            throw new GpdbException(ErrorCode.IO_ERROR, "as asked for");
          }
        });
    assertCode(ErrorCode.IO_ERROR, tx::commit);
    directory.listener(null);
    manager.abandon();
  }

  /** Its threads would go on in files that the database closes. */
  @Test
  void aFailedCommitOfABaselineHasNoThreadThatStillWrites() {
    TransactionManager manager = withTable(directory, Protocol.CAP_MM);
    Transaction tx = manager.begin();
    insert(tx, 0, 100, id -> id);
    AtomicInteger acts = new AtomicInteger();
    AtomicInteger writing = new AtomicInteger();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (acts.getAndIncrement() == 0) {
            throw new GpdbException(ErrorCode.IO_ERROR, "as asked for");
          }
          writing.incrementAndGet();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
          writing.decrementAndGet();
        });
    assertCode(ErrorCode.IO_ERROR, tx::commit);
    assertThat(writing.get()).isZero();
    int before = acts.get();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(acts.get()).isEqualTo(before).isGreaterThan(1);
    directory.listener(null);
    manager.abandon();
  }

  /** What is being written cannot be left half done. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"CAP_FS", "CAP_MM", "REDO", "UNDO"})
  void anInterruptInACommitIsKeptForLater(Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, 100, id -> id);
    Thread.currentThread().interrupt();
    tx.commit();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(contents(manager)).hasSize(100);
    manager.abandon();
  }
}
