package io.gpdb.txn.protocol;

import static io.gpdb.txn.SampleDatabase.contents;
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
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.commit.ExtentWrites;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.WalLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Guards of durability that mutation testing found without a test. */
@Timeout(60)
class DurabilityGuardsTest {
  private static final long VALUES_AT = 512 << 10;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** The tablet has grown when the second update names its rows: those of the first count still. */
  @Test
  void anUpdateOfAllRowsIsThereBesideOneAfterTheTabletGrew() {
    List.of(Protocol.VERSIONED, Protocol.REDO, Protocol.UNDO, Protocol.CHECKSUMMED)
        .forEach(DurabilityGuardsTest::updateAllThenGrowThenUpdateOne);
  }

  private static void updateAllThenGrowThenUpdateOne(Protocol protocol) {
    CrashableDirectory directory = new CrashableDirectory();
    TransactionManager manager = withTable(directory, protocol);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> id);
    before.commit();
    Transaction tx = manager.begin();
    update(tx, id -> true, id -> id + 1000);
    insert(tx, 100, 20, id -> id);
    update(tx, id -> id == 5 || id == 110, id -> -id);
    tx.commit();
    Map<Integer, Long> expected = contents(manager);
    manager.abandon();
    assertThat(expected).containsEntry(7, 1007L).containsEntry(5, -5L).containsEntry(110, -110L);
    try (directory;
        CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, protocol)) {
      assertThat(contents(again)).as(protocol.name()).isEqualTo(expected);
    }
  }

  /** Others let the tablet grow while a commit gathers the rows of its versions. */
  @Test
  void rowsOfAnEarlierVersionCountInATabletThatGrew() {
    ExtentWrites.Rows all = ExtentWrites.Rows.with(null, 3, rows(0, 1, 2), 3);
    assertThat(chosen(all)).isEqualTo("all of 3");
    assertThat(chosen(ExtentWrites.Rows.with(all, 3, rows(1), 1))).isEqualTo("all of 3");
    ExtentWrites.Rows grown = ExtentWrites.Rows.with(all, 6, rows(4), 1);
    assertThat(chosen(grown)).isEqualTo("[0, 1, 2, 4] of 6");
    assertThat(chosen(ExtentWrites.Rows.with(grown, 9, rows(7, 5), 2)))
        .isEqualTo("[0, 1, 2, 4, 5, 7] of 9");
    assertThat(chosen(ExtentWrites.Rows.with(grown, 6, rows(0, 1, 2, 3, 4, 5), 6)))
        .isEqualTo("all of 6");
    assertThat(chosen(ExtentWrites.Rows.with(null, 6, rows(3), 1))).isEqualTo("[3] of 6");
  }

  private static HostBuffer rows(int... numbers) {
    HostBuffer rows = HostBuffer.collected(4L * numbers.length);
    rows.write(0, numbers, 0, numbers.length);
    return rows;
  }

  private static String chosen(ExtentWrites.Rows rows) {
    MemorySegment bits = rows.chosen();
    Object which =
        bits == null
            ? "all"
            : IntStream.range(0, Tablet.ROWS).filter(r -> Bitmaps.test(bits, r)).boxed().toList();
    return which + " of " + rows.n();
  }

  /**
   * Of two records of one row the older one's values must be left, also where the newer one waits
   * for a launch and the older one is of the other kind of log, which is put back at once.
   */
  @Test
  void oldValuesOfBothKindsOfLogsArePutBackNewestFirst() {
    for (int validityAt : new int[] {-1, 16 << 10}) {
      try (PersistentMemory log = directory.open("log", 1 << 20);
          PersistentMemory home = directory.open("home", 1 << 20);
          Arena arena = Arena.ofConfined()) {
        MemorySegment values = home.view(VALUES_AT, 4L * Tablet.ROWS, true);
        values.setAtIndex(JAVA_INT, 7, 2);
        UndoPutBack putBack = new UndoPutBack(log, home, new GridReplay(SampleDatabase.DEVICE));
        putBack.add(entry(log, arena, 0, validityAt, 1));
        putBack.add(entry(log, arena, UndoLayout.FLAG_CONVENTIONAL, validityAt, 0));
        putBack.finish();
        assertThat(values.getAtIndex(JAVA_INT, 7)).isZero();
        directory.delete("log");
        directory.delete("home");
      }
    }
  }

  @Test
  void aRegionThatIsTooShortForItsPartitionsIsRefused() {
    try (PersistentMemory log = directory.open("log", 1 << 20);
        PersistentMemory home = directory.open("home", 1 << 20);
        Arena arena = Arena.ofConfined()) {
      UndoPutBack putBack = new UndoPutBack(log, home, new GridReplay(SampleDatabase.DEVICE));
      for (int field : new int[] {UndoLayout.PARTITIONS_AT, UndoLayout.PARTITION_ENTRIES_AT}) {
        UndoEntry entry = entry(log, arena, UndoLayout.FLAG_CONVENTIONAL, -1, 0);
        putBack.add(entry);
        for (int bad : new int[] {-1, 0, HclLayout.GROUP_ENTRIES + 1, Tablet.ROWS + 1}) {
          entry.header().set(JAVA_INT, field, bad);
          assertThatThrownBy(() -> putBack.add(entry))
              .isInstanceOfSatisfying(
                  GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
        }
      }
    }
  }

  /** A record that says that row 7 had the value. */
  private static UndoEntry entry(
      PersistentMemory log, Arena arena, int flags, long validityAt, int value) {
    MemorySegment header = arena.allocate(UndoLayout.HEADER_BYTES, 8);
    boolean byRow = flags == UndoLayout.FLAG_CONVENTIONAL;
    int regionBytes = Math.toIntExact(HclLayout.regionBytes(1, 2));
    header.set(JAVA_INT, UndoLayout.FLAGS_AT, flags);
    header.set(JAVA_INT, UndoLayout.ELEMENT_AT, FormatCodes.of(Element.I32));
    header.set(JAVA_INT, UndoLayout.N_AT, 1);
    header.set(JAVA_INT, UndoLayout.REGION_BYTES_AT, regionBytes);
    header.set(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT, VALUES_AT);
    header.set(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT, validityAt);
    header.set(JAVA_INT, UndoLayout.PARTITIONS_AT, 1);
    header.set(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT, 1);
    long at = byRow ? 0 : 4096;
    MemorySegment region = log.view(at + UndoLayout.HEADER_BYTES, regionBytes, true);
    region.setAtIndex(JAVA_INT, 0, 7);
    region.setAtIndex(JAVA_INT, byRow ? 1 : HclLayout.GROUP_ENTRIES, value);
    return new UndoEntry(at, header, new UndoMark(UndoMark.OPEN, true));
  }

  /** A header that a later version wrote is not read as one of this version. */
  @Test
  void anUndoLogOfALaterVersionIsRefused() {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> id);
    update(tx, id -> id == 3, id -> 33);
    tx.commit();
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
      laterVersion(left, 0);
      laterVersion(left, UndoLayout.FILE_HEADER_STEP);
      assertThatThrownBy(() -> SampleDatabase.open(left, Protocol.UNDO))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
  }

  private static void laterVersion(CrashableDirectory left, long at) {
    try (Arena arena = Arena.ofConfined();
        PersistentMemory memory = left.open(UndoLayout.FILE_NAME, 1)) {
      MemorySegment header = arena.allocate(UndoLayout.FILE_HEADER_BYTES, 8);
      memory.load(at, header);
      header.set(JAVA_INT, UndoLayout.FILE_VERSION_AT, UndoLayout.FILE_VERSION + 1);
      header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, 0);
      // As a version without an id of the database computes it.
      int crc = Crc.of(header, 0, UndoLayout.FILE_DATABASE_ID_AT);
      header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, crc);
      memory.store(at, header);
      memory.persist(at, UndoLayout.FILE_HEADER_BYTES);
    }
  }

  /** A5. After these nothing is known of the medium; after others the database goes on. */
  @Test
  void failuresOfTheMediumPoison() {
    Set<ErrorCode> unknown =
        EnumSet.of(ErrorCode.IO_ERROR, ErrorCode.FILE_NOT_FOUND, ErrorCode.POISONED);
    for (ErrorCode code : ErrorCode.values()) {
      GpdbException failure = new GpdbException(code, "made up");
      assertThat(Poison.isOfMedium(failure)).as(code.name()).isEqualTo(unknown.contains(code));
      assertThat(unknown.contains(code) && Poison.isHarmless(failure)).as(code.name()).isFalse();
    }
  }

  /** W6. The log's last record is there, the values that it names are not. */
  @Test
  void aRecordWhoseValuesDidNotArriveIsErasedDurably() {
    TransactionManager manager = withTable(directory, Protocol.VERSIONED);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> id);
    before.commit();
    List<CrashableDirectory> crashed = new ArrayList<>();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == PersistListener.Act.DRAIN) {
            crashed.add(directory.crash((m, at, n) -> WalLayout.isFileName(m) ? n - 1 : 0));
          }
        });
    Transaction tx = manager.begin();
    update(tx, id -> true, id -> id + 1000);
    tx.commit();
    directory.listener(null);
    manager.abandon();
    try (CrashableDirectory left = crashed.getFirst()) {
      int records = records(left);
      SampleDatabase.open(left, Protocol.VERSIONED).abandon();
      try (CrashableDirectory again = left.crash(CrashChoice.keepNothing())) {
        assertThat(records(again)).isEqualTo(records - 1);
      }
    }
    crashed.stream().skip(1).forEach(CrashableDirectory::close);
  }

  private static int records(CrashableDirectory left) {
    try (Arena arena = Arena.ofConfined();
        PersistentMemory memory = left.open(WalLayout.fileName(1), 1)) {
      MemorySegment all = arena.allocate(memory.sizeBytes(), 8);
      memory.load(0, all);
      int n = 0;
      for (long at = 0; at < all.byteSize(); at += Long.BYTES) {
        n += all.get(JAVA_INT, at) == WalLayout.RECORD_MAGIC ? 1 : 0;
      }
      return n;
    }
  }
}
