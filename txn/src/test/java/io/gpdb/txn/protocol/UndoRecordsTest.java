package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.LogControls;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long records of the undo log, each of which begins a piece of the file: what is said by them. */
@Timeout(60)
class UndoRecordsTest {
  private static final int TABLE = 16;
  private static final int ROWS = 60_000;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = SampleDatabase.open(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    tx.createTable(
        TABLE, new TableShape(List.of(new ColumnShape("V", ElementType.I64)), List.of()));
    try (Arena arena = Arena.ofConfined()) {
      tx.writer(TABLE).insert(new ColumnView[] {numbers(arena, 0)}, ROWS);
    }
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  private static ColumnView numbers(Arena arena, long salt) {
    MemorySegment values = arena.allocate(8L * ROWS, 8);
    for (int i = 0; i < ROWS; i++) {
      values.setAtIndex(JAVA_LONG, i, i + salt);
    }
    return ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, null);
  }

  /** Of all rows: its record takes most of a piece. */
  private static void update(Transaction tx, long salt) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rows = arena.allocate(4L * ROWS, 8);
      for (int i = 0; i < ROWS; i++) {
        rows.setAtIndex(JAVA_INT, i, i);
      }
      tx.writer(TABLE)
          .update(
              0,
              HostMemory.INSTANCE.map(rows),
              ROWS,
              new int[1],
              new ColumnView[] {numbers(arena, salt)});
    }
  }

  private static void assertCode(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  /** Three records of a transaction that is open; what is left of the file is changed. */
  private void afterThree(Consumer<CrashableDirectory> changed) {
    Transaction tx = manager.begin();
    for (int i = 1; i <= 3; i++) {
      update(tx, i);
    }
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing())) {
      changed.accept(left);
    }
    tx.rollback();
  }

  private static int entries(CrashableDirectory left) {
    try (PersistentMemory home = left.open("home.gpdb", 0);
        UndoLog log = new UndoLog(left, home, null)) {
      return log.entries().size();
    }
  }

  private static long at(int record) {
    return record == 0 ? UndoLayout.RECORDS_AT : record * UndoLayout.PIECE_BYTES;
  }

  /** As the document of the format says. */
  @Test
  void everyRecordSaysItsVersionAndTwiceThatItIsOpen() {
    afterThree(
        left -> {
          assertThat(entries(left)).isEqualTo(3);
          try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
            for (int record = 0; record < 3; record++) {
              MemorySegment header = undo.view(at(record), UndoLayout.HEADER_BYTES, false);
              long open =
                  UndoMark.word(UndoMark.OPEN, header.get(JAVA_INT, UndoLayout.HEADER_CRC_AT));
              assertThat(header.get(JAVA_INT, UndoLayout.VERSION_AT)).isEqualTo(UndoLayout.VERSION);
              assertThat(header.get(JAVA_LONG, UndoLayout.MARK_AT)).isEqualTo(open);
              assertThat(header.get(JAVA_LONG, UndoLayout.DONE_AT)).isEqualTo(open);
            }
          }
        });
  }

  private static void damage(CrashableDirectory left, int record) {
    left.flipBit(UndoLayout.FILE_NAME, at(record) + UndoLayout.TRANSACTION_AT, 1);
  }

  /** U2. It begins where the piece after the next one does: the last place that is looked at. */
  @Test
  void aRecordTwoPiecesBehindADamagedOneProvesTheDamage() {
    afterThree(
        left -> {
          damage(left, 0);
          damage(left, 1);
          assertCode(ErrorCode.CORRUPTION, () -> entries(left));
          damage(left, 2);
          assertThat(entries(left)).isZero();
        });
  }

  /** U2. Nothing but zeros is before it, or a word of something else. */
  @Test
  void aRecordBehindTheEndProvesTheDamageWhereverItBegins() {
    afterThree(
        left -> {
          byte[] header = new byte[UndoLayout.HEADER_BYTES];
          try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
            undo.load(at(2), MemorySegment.ofArray(header));
          }
          for (int record = 0; record < 3; record++) {
            store(left, at(record), new byte[(int) (at(record + 1) - at(record))]);
          }
          for (int place : new int[] {1, 2, 479, 480, 481, 4097}) { // a stretch ends at 480
            long at = UndoLayout.RECORDS_AT + (long) place * UndoLayout.ALIGNMENT;
            assertThat(entries(left)).as("before %d", place).isZero();
            store(left, at, header);
            assertCode(ErrorCode.CORRUPTION, () -> entries(left));
            store(left, at - UndoLayout.ALIGNMENT, new byte[] {7});
            assertCode(ErrorCode.CORRUPTION, () -> entries(left));
            store(left, at - UndoLayout.ALIGNMENT, new byte[2 * UndoLayout.ALIGNMENT]);
          }
        });
  }

  private static void store(CrashableDirectory left, long at, byte[] bytes) {
    try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
      undo.store(at, MemorySegment.ofArray(bytes));
    }
  }

  /** U2. One word of a mark may be what was there before; two are of a transaction that ended. */
  @Test
  void onlyAWholeMarkBehindTheEndProvesDamage() {
    afterThree(
        left -> {
          damage(left, 0);
          damage(left, 1);
          for (int words = 0; words < 2; words++) {
            markUndone(left, words);
            assertThat(entries(left)).isZero();
          }
          markUndone(left, 2);
          assertCode(ErrorCode.CORRUPTION, () -> entries(left));
        });
  }

  /**
   * Makes the third record one that was appended beside the others, with that many of its marks.
   */
  private static void markUndone(CrashableDirectory left, int words) {
    PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0);
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.HEADER_BYTES, 8);
    undo.load(at(2), header);
    header.set(JAVA_LONG, UndoLayout.DURABLE_BEFORE_AT, 0);
    header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, 0);
    int crc = Crc.of(header, 0, UndoLayout.MARK_AT);
    header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, crc);
    long undone = UndoMark.word(UndoMark.UNDONE, crc);
    header.set(JAVA_LONG, UndoLayout.MARK_AT, words > 0 ? undone : 0);
    header.set(JAVA_LONG, UndoLayout.DONE_AT, words > 1 ? undone : 0);
    undo.store(at(2), header);
  }

  /** The verifier tells of each. */
  @Test
  void everyRecordWithADamagedRegionIsFound() {
    afterThree(
        left -> {
          assertThat(problems(left)).isEmpty();
          for (int record = 2; record >= 0; record--) {
            left.flipBit(UndoLayout.FILE_NAME, at(record) + UndoLayout.HEADER_BYTES + 5, 1);
            assertThat(problems(left)).hasSize(3 - record);
          }
        });
  }

  private static List<String> problems(CrashableDirectory left) {
    List<String> problems = new ArrayList<>();
    try (PersistentMemory home = left.open("home.gpdb", 0);
        UndoLog log = new UndoLog(left, home, null)) {
      log.check(Set.of(), 0, problems);
    }
    return problems;
  }

  private long undoBytes() {
    return directory.open(UndoLayout.FILE_NAME, 0).sizeBytes();
  }

  @Test
  void transactionsThatAreRolledBackDoNotFillTheFile() {
    for (int i = 0; i < 24; i++) {
      Transaction tx = manager.begin();
      update(tx, i);
      tx.rollback();
    }
    assertThat(undoBytes()).isLessThanOrEqualTo(2 * UndoLog.RESET_BYTES);
  }

  @Test
  void transactionsThatUndidAllTheyWroteDoNotFillTheFile() {
    for (int i = 0; i < 24; i++) {
      Transaction tx = manager.begin();
      Savepoint before = tx.savepoint();
      update(tx, i);
      tx.rollbackTo(before);
      tx.commit();
    }
    assertThat(undoBytes()).isLessThanOrEqualTo(2 * UndoLog.RESET_BYTES);
  }

  @Test
  void aRecordThatIsLongerThanAPieceIsRefused() {
    TableVersions table = manager.database().tables().table(TABLE);
    MemoryAccount memory = manager.database().memory();
    TransactionWrites writes = new TransactionWrites(new CommitStamp(99), memory);
    Tablet tablet = table.store().tablet(0);
    try (Arena arena = Arena.ofConfined();
        CrashableDirectory other = new CrashableDirectory();
        PersistentMemory home = other.open("home.gpdb", 4096);
        UndoLog log = new UndoLog(other, home, null)) {
      UndoDraft draft =
          new UndoDraft(
              writes,
              table,
              tablet,
              0,
              100_000,
              false,
              LogKind.HCL,
              new LogControls(memory, 0),
              arena);
      assertCode(ErrorCode.LIMIT_EXCEEDED, () -> log.append(List.of(draft), logs -> {}));
      assertThat(log.entries()).isEmpty();
    }
  }

  /** With a right checksum. */
  @Test
  void aFileHeaderOfAnotherKindOfFileIsNone() {
    afterThree(
        left -> {
          try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
            for (long at : new long[] {0, UndoLayout.FILE_HEADER_STEP}) {
              MemorySegment header = Arena.ofAuto().allocate(UndoLayout.FILE_HEADER_BYTES, 8);
              undo.load(at, header);
              header.set(JAVA_LONG, UndoLayout.FILE_MAGIC_AT, UndoLayout.FILE_MAGIC + 1);
              header.set(JAVA_INT, UndoLayout.FILE_VERSION_AT, UndoLayout.FILE_VERSION);
              header.set(JAVA_LONG, UndoLayout.FILE_EPOCH_AT, 1 + at);
              header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, 0);
              int crc = Crc.of(header, 0, UndoLayout.FILE_HEADER_BYTES);
              header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, crc);
              undo.store(at, header);
            }
          }
          assertCode(ErrorCode.CORRUPTION, () -> entries(left));
        });
  }

  @Test
  void aRecordOfMoreRowsThanATabletHasIsRefused() {
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.HEADER_BYTES, 8);
    header.set(JAVA_INT, UndoLayout.ELEMENT_AT, FormatCodes.of(Element.I32));
    header.set(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT, 8192);
    header.set(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT, UndoLayout.NO_VALIDITY);
    header.set(JAVA_INT, UndoLayout.PARTITIONS_AT, 1);
    header.set(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT, Tablet.ROWS + 32);
    header.set(
        JAVA_INT,
        UndoLayout.REGION_BYTES_AT,
        Math.toIntExact(HclLayout.regionBytes(Tablet.ROWS + 1, 2)));
    UndoEntry entry = new UndoEntry(4096, header, new UndoMark(UndoMark.OPEN, true));
    header.set(JAVA_INT, UndoLayout.N_AT, Tablet.ROWS);
    UndoBounds.requireFits(entry, Element.I32);
    header.set(JAVA_INT, UndoLayout.N_AT, Tablet.ROWS + 1);
    assertCode(ErrorCode.CORRUPTION, () -> UndoBounds.requireFits(entry, Element.I32));
  }
}
