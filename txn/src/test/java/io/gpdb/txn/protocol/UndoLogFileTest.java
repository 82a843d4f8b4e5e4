package io.gpdb.txn.protocol;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.GridReplay;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.SampleBatches;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.recovery.LogCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The file of the undo log: its two headers, its bounds, and what of it is put back. */
@Timeout(60)
class UndoLogFileTest {
  private static final int ROWS = 100;
  private static final long VALUES_AT = 512 << 10;
  private static final long VALUES_BYTES = 4L * Tablet.ROWS;
  private static final int LAST_ROW = Tablet.ROWS - 1;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  private static void assertDamaged(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  /** A database with a commit in place, and an open transaction on top where that is wanted. */
  private void killed(boolean open) {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
    tx = manager.begin();
    update(tx, id -> id == 7, id -> 70);
    tx.commit();
    if (open) {
      tx = manager.begin();
      update(tx, id -> id < 40, id -> -id);
    }
    manager.abandon();
  }

  private static void header(PersistentMemory undo, long at, int version, long epoch, int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(UndoLayout.FILE_HEADER_BYTES, 8);
      undo.load(at, header);
      header.set(JAVA_INT, UndoLayout.FILE_VERSION_AT, version);
      header.set(JAVA_LONG, UndoLayout.FILE_EPOCH_AT, epoch);
      header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, 0);
      header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, Crc.of(header, 0, bytes));
      undo.store(at, header);
      undo.persist(at, header.byteSize());
    }
  }

  private static long epoch(PersistentMemory undo, long at) {
    byte[] word = new byte[8];
    undo.load(at + UndoLayout.FILE_EPOCH_AT, MemorySegment.ofArray(word));
    return MemorySegment.ofArray(word).get(JAVA_LONG.withByteAlignment(1), 0);
  }

  /** The place of the newer header. */
  private static long newer(PersistentMemory undo) {
    long step = UndoLayout.FILE_HEADER_STEP;
    return epoch(undo, 0) > epoch(undo, step) ? 0 : step;
  }

  @Test
  void aTransactionThatDidNotEndIsCountedWithItsValues() {
    killed(true);
    try (TransactionManager again = SampleDatabase.open(directory, Protocol.UNDO)) {
      assertThat(again.recovery().undoneTransactions()).isEqualTo(1);
      assertThat(again.recovery().undoneEntries()).isEqualTo(3 * 40);
      assertThat(contents(again)).isEqualTo(expected(0, ROWS, id -> id == 7 ? 70 : id));
    }
  }

  @Test
  void headersOfAllVersionsAreRead() {
    killed(true);
    int withoutId = UndoLayout.FILE_DATABASE_ID_AT;
    int[] bytes = {
      0, UndoLayout.FILE_COMMIT_AT, withoutId, withoutId, UndoLayout.FILE_HEADER_BYTES
    };
    for (int version = 1; version < bytes.length; version++) {
      try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
        try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
          long at = newer(undo);
          header(undo, at, version, epoch(undo, at), bytes[version]);
        }
        try (TransactionManager again = SampleDatabase.open(left, Protocol.UNDO)) {
          assertThat(again.recovery().undoneTransactions()).as("version " + version).isEqualTo(1);
          assertThat(contents(again)).hasSize(ROWS);
        }
      }
    }
    for (int version : new int[] {-1, 0, UndoLayout.FILE_VERSION + 1}) {
      try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
        try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
          for (long at : new long[] {0, UndoLayout.FILE_HEADER_STEP}) {
            header(undo, at, version, 1 + at, UndoLayout.FILE_DATABASE_ID_AT);
          }
        }
        assertDamaged(() -> SampleDatabase.open(left, Protocol.UNDO).abandon());
      }
    }
  }

  @Test
  void anEpochThatNobodyReachesIsRefused() {
    killed(false);
    for (long epoch : new long[] {0, -1, Long.MIN_VALUE, (1L << 62) + 2, Long.MAX_VALUE}) {
      try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
        try (PersistentMemory undo = left.open(UndoLayout.FILE_NAME, 0)) {
          long at = newer(undo);
          header(undo, at, UndoLayout.FILE_VERSION, epoch, UndoLayout.FILE_HEADER_BYTES);
        }
        assertDamaged(() -> SampleDatabase.open(left, Protocol.UNDO).abandon());
      }
    }
  }

  /** The header that is not the newer one is written: a torn one leaves the other. */
  @Test
  void whatTheHeaderKnowsSurvivesALossOfPowerWhileItIsWritten() {
    killed(false);
    long known;
    try (PersistentMemory home = directory.open("home.gpdb", 0);
        UndoLog log = new UndoLog(directory, home, null)) {
      log.entries();
      known = log.newestCommit();
      log.restart();
    }
    assertThat(known).isPositive();
    List<CrashableDirectory> torn = new ArrayList<>();
    int[] written = {0};
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.DRAIN && memory.equals(UndoLayout.FILE_NAME) && written[0]++ > 0) {
            torn.add(
                directory.crash((m, at, n) -> at % 64 == UndoLayout.FILE_EPOCH_AT ? n - 1 : 0));
          }
        });
    try (PersistentMemory home = directory.open("home.gpdb", 0);
        UndoLog log = new UndoLog(directory, home, null)) {
      for (int i = 0; i < 6; i++) {
        log.reset();
      }
    }
    directory.listener(null);
    assertThat(torn).hasSize(5);
    for (CrashableDirectory left : torn) {
      try (left;
          PersistentMemory home = left.open("home.gpdb", 0);
          UndoLog log = new UndoLog(left, home, null)) {
        assertThat(log.newestCommit()).isEqualTo(known);
      }
    }
  }

  /** Of a home file that cannot be read it is not known whose the undo log must be. */
  @Test
  void theUndoLogIsCheckedBesideADamagedHomeFile() {
    killed(true);
    directory.flipBit("home.gpdb", 1, 1);
    directory.flipBit("home.gpdb", 4097, 1);
    assertThat(LogCheck.run(directory)).isEmpty();
    directory.flipBit(UndoLayout.FILE_NAME, UndoLayout.RECORDS_AT + 128 + 5, 1);
    assertThat(LogCheck.run(directory)).isEmpty();
  }

  /** Its length stays within bounds, and what it proved is known still (U5). */
  @Test
  void aLongUndoLogIsEmptiedAndKnowsTheLastCommit() {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 30_000, id -> id);
    tx.commit();
    long last = 0;
    for (int i = 0; i < 16; i++) {
      last = manager.logPosition();
      tx = manager.begin();
      SampleBatches.update(tx, id -> true, 1);
      tx.commit();
    }
    manager.abandon();
    long at = last + WalLayout.SEGMENT_RECORDS_AT;
    try (PersistentMemory undo = directory.open(UndoLayout.FILE_NAME, 0)) {
      assertThat(undo.sizeBytes()).isLessThanOrEqualTo(2 * UndoLog.RESET_BYTES);
    }
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
      left.flipBit(left.names().stream().filter(WalLayout::isFileName).toList().getLast(), at, 0);
      assertDamaged(() -> SampleDatabase.open(left, Protocol.UNDO).abandon());
    }
    try (TransactionManager again = SampleDatabase.open(directory, Protocol.UNDO)) {
      assertThat(contents(again)).isEqualTo(expected(0, 30_000, id -> id + 16));
    }
  }

  /** A record of one group that says that the row had the value. */
  private static UndoEntry entry(
      PersistentMemory log, Arena arena, int flags, long place, int row, int value) {
    MemorySegment header = arena.allocate(UndoLayout.HEADER_BYTES, 8);
    int regionBytes = Math.toIntExact(HclLayout.regionBytes(1, 2));
    header.set(JAVA_INT, UndoLayout.FLAGS_AT, flags);
    header.set(JAVA_INT, UndoLayout.ELEMENT_AT, FormatCodes.of(Element.I32));
    header.set(JAVA_INT, UndoLayout.N_AT, 1);
    header.set(JAVA_INT, UndoLayout.REGION_BYTES_AT, regionBytes);
    header.set(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT, VALUES_AT);
    header.set(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT, -1);
    header.set(JAVA_INT, UndoLayout.PARTITIONS_AT, 1);
    header.set(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT, 1);
    MemorySegment region = log.view(place + UndoLayout.HEADER_BYTES, regionBytes, true);
    region.setAtIndex(JAVA_INT, 0, row);
    region.setAtIndex(JAVA_INT, flags == 0 ? HclLayout.GROUP_ENTRIES : 1, value);
    return new UndoEntry(place, header, new UndoMark(UndoMark.OPEN, true));
  }

  private interface PutBackTest {
    void run(UndoPutBack putBack, PersistentMemory log, PersistentMemory home, Arena arena);
  }

  private void putBack(PutBackTest test) {
    try (PersistentMemory log = directory.open("log", 1 << 20);
        PersistentMemory home = directory.open("home", VALUES_AT + VALUES_BYTES);
        Arena arena = Arena.ofConfined()) {
      home.drain();
      directory.syncNames();
      test.run(new UndoPutBack(log, home, new GridReplay(SampleDatabase.DEVICE)), log, home, arena);
    }
  }

  private static int durable(CrashableDirectory directory, int row) {
    byte[] word = new byte[4];
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        PersistentMemory home = left.open("home", 0)) {
      home.load(VALUES_AT + 4L * row, MemorySegment.ofArray(word));
    }
    return MemorySegment.ofArray(word).get(JAVA_INT.withByteAlignment(1), 0);
  }

  @Test
  void everyRowOfATabletIsPutBackDurably() {
    for (int flags : new int[] {0, UndoLayout.FLAG_CONVENTIONAL}) {
      putBack(
          (putBack, log, home, arena) -> {
            for (int row : new int[] {0, 1, LAST_ROW / 2, LAST_ROW}) {
              putBack.add(entry(log, arena, flags, 0, row, 7 + row));
              putBack.finish();
              assertThat(durable(directory, row)).isEqualTo(7 + row);
            }
          });
    }
  }

  /**
   * Before a place comes again those that wait are put back; of one place the oldest is the last.
   */
  @Test
  void recordsOfOnePlaceAreNotPutBackTogether() {
    putBack(
        (putBack, log, home, arena) -> {
          putBack.add(entry(log, arena, 0, 0, 3, 33));
          assertThat(durable(directory, 3)).as("waits").isZero();
          putBack.add(entry(log, arena, 0, 4096, 3, 22));
          assertThat(durable(directory, 3)).isEqualTo(33);
          putBack.finish();
          assertThat(durable(directory, 3)).isEqualTo(22);
        });
  }

  @Test
  void recordsOfPlacesThatAreApartArePutBackTogether() {
    putBack(
        (putBack, log, home, arena) -> {
          home.grow(VALUES_AT + 3 * VALUES_BYTES);
          home.drain();
          UndoEntry here = entry(log, arena, 0, 0, 3, 33);
          UndoEntry there = entry(log, arena, 0, 4096, 3, 22);
          there.header().set(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT, VALUES_AT + VALUES_BYTES);
          putBack.add(there);
          putBack.add(here);
          assertThat(durable(directory, 3)).as("waits").isZero();
          putBack.finish();
          assertThat(durable(directory, 3)).isEqualTo(33);
          assertThat(durable(directory, 3 + Tablet.ROWS)).isEqualTo(22);
        });
  }

  /** The power failed before the file had grown for them: no commit has named these. */
  @Test
  void extentsBehindTheEndOfTheHomeFileAreLeftOut() {
    for (int flags : new int[] {0, UndoLayout.FLAG_CONVENTIONAL}) {
      putBack(
          (putBack, log, home, arena) -> {
            UndoEntry behind = entry(log, arena, flags, 0, 3, 44);
            behind.header().set(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT, VALUES_AT + 4096);
            putBack.add(behind);
            long end = VALUES_AT + VALUES_BYTES;
            for (long validityAt : new long[] {end - 4096, end, end + 4096}) {
              UndoEntry half = entry(log, arena, flags, 0, 3, (int) (55 + validityAt));
              half.header().set(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT, validityAt);
              putBack.add(half);
              putBack.finish();
              assertThat(durable(directory, 3)).isEqualTo((int) (55 + validityAt));
            }
            UndoEntry none = entry(log, arena, flags, 0, 3, 66);
            none.header().set(JAVA_INT, UndoLayout.N_AT, 0);
            putBack.add(none);
            putBack.finish();
            assertThat(durable(directory, 3)).isNotEqualTo(66);
          });
      directory.delete("home");
      directory.delete("log");
    }
  }

  @Test
  void validityIsPutBackDurably() {
    long bytes = Bitmaps.bytes(Tablet.ROWS);
    for (int flags : new int[] {0, UndoLayout.FLAG_CONVENTIONAL}) {
      putBack(
          (putBack, log, home, arena) -> {
            home.view(16 << 10, bytes, true).fill((byte) -1);
            UndoEntry wasNull = entry(log, arena, flags, 0, LAST_ROW | 1 << 31, 0);
            wasNull.header().set(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT, 16 << 10);
            putBack.add(wasNull);
            putBack.finish();
            assertThat(Bitmaps.test(home.view(16 << 10, bytes, false), LAST_ROW)).isFalse();
            try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
                PersistentMemory after = left.open("home", 0)) {
              assertThat(Bitmaps.test(after.view(16 << 10, bytes, false), LAST_ROW)).isFalse();
            }
          });
      directory.delete("home");
      directory.delete("log");
    }
  }

  @Test
  void aRecordThatLeavesTheFileOrNamesNoExtentIsRefused() {
    putBack(
        (putBack, log, home, arena) -> {
          UndoEntry entry = entry(log, arena, 0, 4096, 3, 1);
          long end = 4096 + UndoLayout.HEADER_BYTES + entry.regionBytes();
          assertThat(UndoBounds.inside(entry, end)).isSameAs(entry);
          assertDamaged(() -> UndoBounds.inside(entry, end - 1));
          assertDamaged(() -> UndoBounds.inside(entry, end - 4096));
          for (int field : new int[] {UndoLayout.N_AT, UndoLayout.REGION_BYTES_AT}) {
            UndoEntry bad = entry(log, arena, 0, 4096, 3, 1);
            bad.header().set(JAVA_INT, field, -1);
            assertDamaged(() -> UndoBounds.inside(bad, end));
          }
          for (int field : new int[] {UndoLayout.VALUES_OFFSET_AT, UndoLayout.VALIDITY_OFFSET_AT}) {
            for (long at : new long[] {-2, 0, 4096, 8191, 8193, VALUES_AT + 1, VALUES_AT + 2048}) {
              UndoEntry bad = entry(log, arena, 0, 4096, 3, 1);
              bad.header().set(JAVA_LONG, field, at);
              assertDamaged(() -> putBack.add(bad));
            }
          }
          UndoEntry many = entry(log, arena, 0, 4096, 3, 1);
          many.header().set(JAVA_INT, UndoLayout.N_AT, HclLayout.GROUP_ENTRIES + 1);
          assertDamaged(() -> putBack.add(many));
        });
  }
}
