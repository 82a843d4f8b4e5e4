package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.memory.HostRoom;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.LoggedValues;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What checkpoints leave that fail, or that hold a part of the rows; space that the log names. */
class FailedCheckpointTest {
  private static final byte[] STATE = {};

  private final CrashableDirectory medium = new CrashableDirectory();
  private final TableSpace space = TableSpace.open(medium, false);

  @AfterEach
  void close() {
    medium.listener(null);
    space.close();
    medium.close();
  }

  private TableStore table() {
    return Objects.requireNonNull(space.table(16));
  }

  private void checkpoint(int number) {
    space.checkpoint(SnapshotImages.current(), number, STATE);
  }

  private void fill() {
    SampleTables.append(space.createTable(16, SampleTables.SHAPE), 1000, 0);
    SampleTables.append(space.createTable(17, SampleTables.SHAPE), 1000, 0);
    checkpoint(1);
  }

  private void change(int round) {
    SampleTables.append(table(), 100, 1000 * round);
    space.dropTable(16 + round);
    SampleTables.append(space.createTable(17 + round, SampleTables.SHAPE), 1000, 0);
  }

  /** All as it is; the n-th image that is asked for, or the end, cannot be had. */
  private static SnapshotImages failingAt(int[] images) {
    SnapshotImages current = images(TableStore::rowLimit, Long.MAX_VALUE);
    return new SnapshotImages() {
      @Override
      public MemorySegment image(
          TableStore table, int tablet, ChunkKind kind, int column, MemorySegment now, long bytes) {
        fail();
        return now;
      }

      private void fail() {
        if (images[0]-- == 0) {
          throw new GpdbException(ErrorCode.OUT_OF_MEMORY, "as asked for");
        }
      }

      @Override
      public void beforeSwitch() {
        fail();
      }

      @Override
      public long rowLimit(TableStore table) {
        return current.rowLimit(table);
      }

      @Override
      public boolean includes(TableStore table) {
        return true;
      }
    };
  }

  private void assertRepeated(int number, int dropped) {
    assertThat(space.isDirty()).isTrue();
    assertThat(space.check()).as("failure " + number).isEmpty();
    checkpoint(number);
    assertThat(space.isDirty()).isFalse();
    List<String> expected = SampleTables.contents(table());
    try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
        TableSpace again = TableSpace.open(left, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16))))
          .isEqualTo(expected);
      assertThat(again.table(dropped)).isNull();
      assertThat(again.check()).isEmpty();
    }
  }

  @Test
  void aCheckpointThatFailsAnywhereLosesNoSpaceAndIsRepeated() {
    fill();
    boolean failed = true;
    for (int round = 1; failed; round++) {
      change(round);
      int[] images = {round - 1};
      try {
        space.checkpoint(failingAt(images), 1 + round, STATE);
        failed = false;
      } catch (GpdbException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY);
        assertRepeated(1 + round, 16 + round);
      }
      assertThat(round).isLessThan(30);
    }
  }

  @Test
  void aCheckpointOnAFullDiskLosesNoSpaceAndIsRepeated() {
    fill();
    for (int round = 1; round < 4; round++) {
      change(round);
      SampleTables.append(table(), 30_000, 1000 * round + 500);
      medium.listener(
          (act, memory, offset, bytes) -> {
            if (act == Act.GROW) {
              throw new GpdbException(ErrorCode.DISK_FULL, "as asked for");
            }
          });
      try {
        checkpoint(1 + round);
      } catch (GpdbException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
        medium.listener(null);
        assertRepeated(1 + round, 16 + round);
      }
      medium.listener(null);
    }
  }

  @Test
  void aDropAloneIsWrittenByTheNextCheckpoint() {
    fill();
    assertThat(space.isDirty()).isFalse();
    space.dropTable(99);
    assertThat(space.isDirty()).isFalse();
    space.dropTable(17);
    assertThat(space.isDirty()).isTrue();
    checkpoint(2);
    try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
        TableSpace again = TableSpace.open(left, false)) {
      assertThat(again.table(17)).isNull();
      assertThat(again.table(16)).isNotNull();
    }
  }

  /** As {@link SnapshotImages#current}, of fewer rows and of commits up to one. */
  private static SnapshotImages images(ToLongFunction<TableStore> rows, long lastSequence) {
    return new SnapshotImages() {
      @Override
      public MemorySegment image(
          TableStore table, int tablet, ChunkKind kind, int column, MemorySegment now, long bytes) {
        return now;
      }

      @Override
      public long rowLimit(TableStore table) {
        return rows.applyAsLong(table);
      }

      @Override
      public boolean includes(TableStore table) {
        return true;
      }

      @Override
      public long lastSequence() {
        return lastSequence;
      }
    };
  }

  /** Rows that the first one left out are there after the second. */
  @Test
  void aCheckpointOfFewerRowsLeavesTheOthersToTheNext() {
    SampleTables.append(space.createTable(16, SampleTables.SHAPE), 1020, 0);
    for (int rows : new int[] {1, 10, 20, 33, 1000, 1019}) {
      space.checkpoint(images(table -> rows, 1), 1 + rows, STATE);
      assertThat(space.isDirty()).as(rows + " rows").isTrue();
      try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
          TableSpace again = TableSpace.open(left, false)) {
        assertThat(Objects.requireNonNull(again.table(16)).rowLimit()).isEqualTo(rows);
        assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16)))).hasSize(rows);
        assertThat(again.check()).isEmpty();
      }
    }
    checkpoint(3000);
    assertThat(space.isDirty()).isFalse();
    try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
        TableSpace again = TableSpace.open(left, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16))))
          .isEqualTo(SampleTables.expected(1020, 0));
    }
  }

  /** What an in-place protocol left behind the last drain is durable when it is sealed. */
  @Test
  void anExtentIsSealedDurably() {
    fill();
    table().adoptInPlace(new int[] {2});
    checkpoint(2);
    Tablet tablet = table().tablet(0);
    tablet.writableValues(2).onHost().setInt(100, 4711);
    table().leaveInPlace();
    checkpoint(3);
    List<String> expected = SampleTables.contents(table());
    try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
        TableSpace again = TableSpace.open(left, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16))))
          .isEqualTo(expected);
      assertThat(again.check()).isEmpty();
    }
  }

  @Test
  void whereTheLogSaysThatValuesAreIsHeldAgainstTheFile() {
    long size = space.home().sizeBytes();
    assertThat(space.loggedValues(size - 4096, 4096)).isNotNull();
    assertThat(space.loggedValues(size - 1, 1)).isNotNull();
    assertThat(space.loggedValues(0, size)).isNotNull();
    assertThat(space.loggedValues(size, 1)).isNull();
    assertThat(space.loggedValues(size - 4096, 4097)).isNull();
    assertThat(space.loggedValues(size, 0)).isNotNull();
    assertThat(space.loggedValues(-1, 1)).isNull();
    assertThat(space.loggedValues(-4096, 4096)).isNull();
    assertThat(space.loggedValues(8192, -1)).isNull();
    assertThat(space.loggedValues(8192, -4096)).isNull();
    assertThat(space.loggedValues(Long.MAX_VALUE, 4096)).isNull();
    assertThat(space.loggedValues(8192, Long.MAX_VALUE)).isNull();
  }

  /** L1. Free again when a checkpoint holds its commit, and one more has followed. */
  @Test
  void whatTheLogNamesIsKeptUntilACheckpointHoldsIt() {
    fill();
    long free = space.homeImage().freeBytes();
    space.reserve(space.home().sizeBytes() - 8192, 8192, 7);
    assertThat(space.loggedBytes()).isEqualTo(8192);
    assertThat(space.homeImage().freeBytes()).isEqualTo(free - 8192);
    assertThatThrownBy(() -> space.reserve(space.home().sizeBytes() - 4096, 4096, 8))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    space.checkpoint(images(TableStore::rowLimit, 6), 2, STATE);
    assertThat(space.loggedBytes()).isEqualTo(8192);
    assertThat(space.check()).isEmpty();
    space.checkpoint(images(TableStore::rowLimit, 7), 3, STATE);
    assertThat(space.loggedBytes()).isZero();
    assertThat(space.check()).isEmpty();
    checkpoint(4);
    checkpoint(5);
    assertThat(space.check()).isEmpty();
    assertThat(space.homeImage().freeBytes()).isGreaterThanOrEqualTo(free - 4096);
  }

  @Test
  void extentsThatShareBytesAreFound() {
    fill();
    Extent one = space.homeImage().write(MemorySegment.ofArray(new byte[8192]));
    Extent inside = new Extent(one.offset() + 4096, 4096, 0, true);
    assertThat(space.homeImage().checkSpace(List.of(one, inside)))
        .anyMatch(p -> p.contains("share bytes: offset=" + inside.offset()));
    assertThat(space.homeImage().checkSpace(List.of(one)))
        .noneMatch(p -> p.contains("share bytes"));
    space.homeImage().discard(one);
    assertThat(space.check()).isEmpty();
  }

  private void assertSameAfterACrash() {
    List<String> expected = SampleTables.contents(table());
    try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
        TableSpace again = TableSpace.open(left, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16))))
          .isEqualTo(expected);
      assertThat(again.check()).isEmpty();
    }
  }

  /** Fails where all is written but the root. */
  private void failAtTheEnd(int number) {
    SnapshotImages current = images(TableStore::rowLimit, Long.MAX_VALUE);
    SnapshotImages failing =
        new SnapshotImages() {
          @Override
          public MemorySegment image(
              TableStore table,
              int tablet,
              ChunkKind kind,
              int column,
              MemorySegment now,
              long bytes) {
            return now;
          }

          @Override
          public long rowLimit(TableStore table) {
            return current.rowLimit(table);
          }

          @Override
          public boolean includes(TableStore table) {
            return true;
          }

          @Override
          public void beforeSwitch() {
            throw new GpdbException(ErrorCode.OUT_OF_MEMORY, "as asked for");
          }
        };
    assertThatThrownBy(() -> space.checkpoint(failing, number, STATE))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY));
  }

  /** Whoever scans would pass over rows whose values were stored behind its back. */
  @Test
  void whatAColumnHoldsIsNotKnownWhileItIsInPlace() {
    fill();
    Tablet tablet = table().tablet(0);
    for (int column : new int[] {0, 2}) { // without NULLs, and with
      assertThat(tablet.range(column)).isNotNull();
      table().adoptInPlace(new int[] {column});
      checkpoint(2 + column);
      assertThat(tablet.range(column)).isNull();
      table().leaveInPlace();
      checkpoint(3 + column);
      assertThat(tablet.range(column)).isNotNull();
    }
    assertThat(space.check()).isEmpty();
  }

  /** What was to be sealed where it is stays the chunk's: nobody else may get the space. */
  @Test
  void anExtentThatAFailedCheckpointSealedIsStillInUse() {
    fill();
    table().adoptInPlace(new int[] {2});
    checkpoint(2);
    table().tablet(0).writableValues(2).onHost().setInt(100, 4711);
    table().leaveInPlace();
    failAtTheEnd(3);
    assertThat(space.check()).isEmpty();
    SampleTables.append(space.createTable(30, SampleTables.SHAPE), 5000, 0);
    checkpoint(4);
    assertThat(space.check()).isEmpty();
    assertSameAfterACrash();
  }

  /** A chunk whose values a log record names is not what the root holds, until one holds it. */
  @Test
  void valuesOfTheLogThatAFailedCheckpointTookAreTakenByTheNext() {
    fill();
    Tablet tablet = table().tablet(0);
    tablet.writableValues(2).onHost().setInt(100, 4711);
    space.keep(tablet.writeLoggedValues(2, 0, tablet.rowCount(), new HostRoom()), 1);
    failAtTheEnd(2);
    assertThat(space.isDirty()).isTrue();
    assertThat(space.check()).isEmpty();
    checkpoint(3);
    assertThat(space.check()).isEmpty();
    assertSameAfterACrash();
  }

  /**
   * Rows that fill a chunk are in the image before the commit that inserts them: a recovery from
   * this root reads its record, and takes the extent that it names.
   */
  @Test
  void valuesOfACommitBehindTheCheckpointStayTheLogs() {
    fill();
    Tablet tablet = table().tablet(0);
    tablet.writableValues(2).onHost().setInt(100, 4711);
    LoggedValues values = tablet.writeLoggedValues(2, 0, tablet.rowCount(), new HostRoom());
    space.keep(values, 8);
    space.checkpoint(images(TableStore::rowLimit, 7), 2, STATE);
    assertThat(space.check()).isEmpty();
    try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
        TableSpace again = TableSpace.open(left, false)) {
      again.reserve(values.extent().offset(), values.extent().bytes(), 8);
      assertThat(again.check()).isEmpty();
    }
    space.checkpoint(images(TableStore::rowLimit, 8), 3, STATE);
    assertThat(space.loggedBytes()).isZero();
    assertThat(space.check()).isEmpty();
    assertSameAfterACrash();
  }

  /** It was durable before the record that names it: a file that ends before is damaged. */
  @Test
  void anExtentInPlaceBehindTheEndOfTheFileIsDamage() {
    fill();
    long size = space.home().sizeBytes();
    for (long behind : new long[] {4096, 8192, 1 << 20}) {
      Extent extent = Extent.unsealed(size - 8192 + behind, 8192);
      assertThatThrownBy(() -> space.homeImage().reserveInPlace(extent, "here"))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
          .hasMessageContaining("behind the end");
    }
    assertThat(space.home().sizeBytes()).isEqualTo(size);
    space.homeImage().reserveInPlace(Extent.unsealed(size - 8192, 8192), "here");
  }
}
