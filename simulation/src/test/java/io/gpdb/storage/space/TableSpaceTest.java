package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableSpaceTest {
  private static final byte[] STATE = {1, 2, 3};

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537, 140000})
  void whatWasCheckpointedIsThereAfterReopening(int rows) {
    try (StorageDirectory files = FileDirectory.open(dir.resolve("db"), true);
        TableSpace space = TableSpace.open(files, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), rows, 0);
      assertThat(space.isDirty()).isTrue();
      space.checkpoint(SnapshotImages.current(), 77, STATE);
      assertThat(space.isDirty()).isFalse();
    }
    try (StorageDirectory files = FileDirectory.open(dir.resolve("db"), false);
        TableSpace space = TableSpace.open(files, false)) {
      TableStore table = Objects.requireNonNull(space.table(16));
      assertThat(space.checkpointedWalPosition()).isEqualTo(77);
      assertThat(space.checkpointedState()).isEqualTo(STATE);
      assertThat(table.rowLimit()).isEqualTo(rows);
      assertThat(SampleTables.contents(table)).isEqualTo(SampleTables.expected(rows, 0));
      assertThat(space.check()).isEmpty();
      assertThat(space.isDirty()).isFalse();
    }
  }

  @Test
  void theLastCheckpointIsToldWhileTheSpaceIsOpen() {
    for (StorageDirectory medium : List.of(new CrashableDirectory(), new VolatileDirectory("v"))) {
      try (medium;
          TableSpace space = TableSpace.open(medium, false)) {
        assertThat(space.checkpointedState()).isEmpty();
        for (byte number = 1; number < 4; number++) {
          space.checkpoint(SnapshotImages.current(), number, new byte[] {number});
          assertThat(space.checkpointedState()).containsExactly(number);
          assertThat(space.checkpointedWalPosition()).isEqualTo(number);
        }
      }
    }
  }

  /** Not only to tables that are made later. */
  @Test
  void theMemoryOfADroppedTableGoesBackToTheSystem() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), 800_000, 0);
      long most = space.memory().reservedBytes();
      assertThat(most).isGreaterThan(12 << 20);
      space.dropTable(16);
      assertThat(space.memory().reservedBytes()).isLessThan(most / 2);
    }
  }

  @Test
  void rowsAppendedAfterReopeningJoinTheOldOnes() {
    CrashableDirectory medium = new CrashableDirectory();
    for (int round = 0; round < 12; round++) {
      try (TableSpace space = TableSpace.open(medium, false)) {
        TableStore table = space.table(16);
        if (table == null) {
          table = space.createTable(16, SampleTables.SHAPE);
        }
        assertThat(SampleTables.contents(table)).isEqualTo(SampleTables.expected(round * 777, 0));
        SampleTables.append(table, 777, 0);
        space.checkpoint(SnapshotImages.current(), round, STATE);
        assertThat(space.check()).isEmpty();
      }
    }
  }

  @Test
  void spaceOfReplacedExtentsIsUsedAgain() {
    CrashableDirectory medium = new CrashableDirectory();
    try (TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      SampleTables.append(table, 20000, 0);
      long size = 0;
      for (int i = 0; i < 30; i++) {
        for (int c = 0; c < 3; c++) {
          table.tablet(0).writableValues(c).onHost().segment();
        }
        space.checkpoint(SnapshotImages.current(), i, STATE);
        if (i == 4) {
          size = space.home().sizeBytes();
        }
      }
      assertThat(space.home().sizeBytes()).isEqualTo(size);
    }
  }

  @Test
  void theStringsOfTheFirstColumnAreThereAfterReopening() {
    CrashableDirectory medium = new CrashableDirectory();
    TableShape shape =
        new TableShape(
            List.of(
                new ColumnShape("FIRST", ElementType.CODE),
                new ColumnShape("SECOND", ElementType.I64),
                new ColumnShape("THIRD", ElementType.CODE)),
            List.of());
    try (TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = space.createTable(16, shape);
      for (int c = 0; c < 3; c += 2) {
        byte[] text = ("of column " + c).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(Objects.requireNonNull(table.dictionary(c)).intern(text, 0, text.length))
            .isZero();
      }
      space.checkpoint(SnapshotImages.current(), 1, STATE);
    }
    try (TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = Objects.requireNonNull(space.table(16));
      assertThat(table.dictionary(1)).isNull();
      for (int c = 0; c < 3; c += 2) {
        assertThat(Objects.requireNonNull(table.dictionary(c)).string(0))
            .isEqualTo("of column " + c);
      }
    }
  }

  @Test
  void aSmallTableIsSmall() {
    try (StorageDirectory files = FileDirectory.open(dir.resolve("db"), true);
        TableSpace space = TableSpace.open(files, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), 100, 0);
      space.checkpoint(SnapshotImages.current(), 0, STATE);
      assertThat(space.home().sizeBytes()).isLessThanOrEqualTo(128 << 10);
      assertThat(space.workingBytes()).isLessThanOrEqualTo(128 << 10);
    }
  }

  @Test
  void aDroppedTableIsGoneAndItsSpaceComesBack() {
    CrashableDirectory medium = new CrashableDirectory();
    try (TableSpace space = TableSpace.open(medium, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), 70000, 0);
      SampleTables.append(space.createTable(17, SampleTables.SHAPE), 10, 5);
      space.checkpoint(SnapshotImages.current(), 1, STATE);
      long used = space.home().sizeBytes() - space.freeBytes();
      space.dropTable(16);
      for (int i = 0; i < 3; i++) {
        space.checkpoint(SnapshotImages.current(), 2, STATE);
      }
      assertThat(space.home().sizeBytes() - space.freeBytes()).isLessThan(used - 70000 * 16);
    }
    try (TableSpace space = TableSpace.open(medium, false)) {
      assertThat(space.table(16)).isNull();
      assertThat(SampleTables.contents(Objects.requireNonNull(space.table(17))))
          .isEqualTo(SampleTables.expected(10, 5));
      assertThat(space.check()).isEmpty();
    }
  }

  @Test
  void aCheckpointTakesTheSnapshotAndTheNextOneTheRest() {
    CrashableDirectory medium = new CrashableDirectory();
    try (TableSpace space = TableSpace.open(medium, false);
        Arena arena = Arena.ofConfined()) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      SampleTables.append(table, 100, 0);
      MemorySegment before =
          arena
              .allocate(800, 8)
              .copyFrom(table.tablet(0).values(0).onHost().segment().asSlice(0, 800));
      MemorySegment ids = table.tablet(0).writableValues(0).onHost().segment();
      ids.set(ValueLayout.JAVA_LONG, 0, 4711L);
      SampleTables.append(table, 50, 0);
      space.checkpoint(new Patched(before, 100), 1, STATE);
      assertThat(space.isDirty()).isTrue();
      try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
          TableSpace crashed = TableSpace.open(left, false)) {
        TableStore old = Objects.requireNonNull(crashed.table(16));
        assertThat(SampleTables.contents(old)).isEqualTo(SampleTables.expected(100, 0));
        assertThat(crashed.check()).isEmpty();
        old.ensureRowLimit(150);
        assertThat(old.tablet(0).liveCount()).isEqualTo(100);
        assertThat(SampleTables.contents(old)).isEqualTo(SampleTables.expected(100, 0));
        MemorySegment validity =
            Objects.requireNonNull(old.tablet(0).validity(2)).onHost().segment();
        assertThat(SampleTables.bit(validity, 102)).as("new rows are valid").isTrue();
      }
      ids.set(ValueLayout.JAVA_LONG, 0, 0L);
      space.checkpoint(SnapshotImages.current(), 2, STATE);
      assertThat(space.isDirty()).isFalse();
    }
    try (TableSpace space = TableSpace.open(medium, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(space.table(16))))
          .isEqualTo(SampleTables.expected(150, 0));
    }
  }

  /** C2. Nothing of the rows behind the snapshot is in a tablet that the checkpoint writes. */
  @Test
  void aTabletBehindTheSnapshotIsLeftToTheNextCheckpoint() {
    CrashableDirectory medium = new CrashableDirectory();
    try (TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      SampleTables.append(table, Tablet.ROWS, 0);
      SampleTables.append(table, 10, 0);
      space.checkpoint(new Patched(null, Tablet.ROWS), 1, STATE);
      assertThat(space.isDirty()).isTrue();
      space.checkpoint(SnapshotImages.current(), 2, STATE);
      assertThat(space.isDirty()).isFalse();
    }
    try (TableSpace space = TableSpace.open(medium, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(space.table(16))))
          .isEqualTo(SampleTables.expected(Tablet.ROWS + 10, 0));
    }
  }

  /** A snapshot with the ids as they were, where they have changed. */
  private record Patched(@Nullable MemorySegment ids, long rowLimit) implements SnapshotImages {
    @Override
    public MemorySegment image(
        TableStore table,
        int tablet,
        ChunkKind kind,
        int column,
        MemorySegment current,
        long bytes) {
      return ids != null && kind == ChunkKind.VALUES && column == 0 ? ids : current;
    }

    @Override
    public long rowLimit(TableStore table) {
      return rowLimit;
    }

    @Override
    public boolean includes(TableStore table) {
      return true;
    }
  }

  @Test
  void aCheckpointOfVolatileMemoryWritesNothing() {
    try (StorageDirectory medium = new VolatileDirectory("x");
        TableSpace space = TableSpace.open(medium, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), 1000, 0);
      long stored = medium.counters().snapshot().bytesStored();
      space.checkpoint(SnapshotImages.current(), 5, STATE);
      assertThat(medium.counters().snapshot().bytesStored()).isEqualTo(stored);
      assertThat(space.isDirty()).isFalse();
      assertThat(space.checkpointedWalPosition()).isEqualTo(5);
    }
  }

  @Test
  void readOnlyMeansReadOnly() {
    CrashableDirectory medium = new CrashableDirectory();
    assertThatThrownBy(() -> TableSpace.open(medium, true))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
    TableSpace.open(medium, false).close();
    try (TableSpace space = TableSpace.open(medium, true)) {
      assertThatThrownBy(() -> space.createTable(16, SampleTables.SHAPE))
          .hasMessageContaining("reading only");
      assertThatThrownBy(() -> space.checkpoint(SnapshotImages.current(), 1, STATE))
          .hasMessageContaining("reading only");
    }
  }

  @Test
  void shapesSurviveEncoding() {
    TableShape shape =
        new TableShape(
            List.of(
                new ColumnShape("Größe", ElementType.F32),
                new ColumnShape("", ElementType.I8),
                new ColumnShape("Z", ElementType.CODE)),
            List.of(
                new IndexShape(3, new int[] {2, 0}, false), new IndexShape(9, new int[0], true)));
    assertThat(RootCodec.decodeShape(RootCodec.encodeShape(shape))).isEqualTo(shape);
    assertThatThrownBy(() -> RootCodec.decodeShape(new byte[] {5, 1}))
        .isInstanceOf(GpdbException.class);
  }
}
