package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the undo and cap protocols ask of the home image. */
class InPlaceTest {
  private static final int[] SCORE = {2};
  private static final byte[] STATE = {};

  private static TableSpace space(StorageDirectory medium) {
    TableSpace space = TableSpace.open(medium, false);
    SampleTables.append(space.createTable(16, SampleTables.SHAPE), 1000, 0);
    space.checkpoint(SnapshotImages.current(), 1, STATE);
    return space;
  }

  private static TableStore table(TableSpace space) {
    return Objects.requireNonNull(space.table(16));
  }

  private static int score(TableStore table, int row) {
    return table.tablet(0).values(2).onHost().segment().get(ValueLayout.JAVA_INT, row * 4L);
  }

  @Test
  void aPersistedInPlaceStoreSurvivesACrashWithoutACheckpoint() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = space(medium)) {
      TableStore table = table(space);
      table.adoptInPlace(SCORE);
      space.checkpoint(SnapshotImages.current(), 2, STATE);
      Tablet tablet = table.tablet(0);
      MemorySegment scores = tablet.writableValues(2).onHost().segment();
      assertThat(scores.byteSize()).isEqualTo(Tablet.ROWS * 4L);
      scores.set(ValueLayout.JAVA_INT, 40, 4711);
      long at = tablet.homeOffset(ChunkKind.VALUES, 2) + 40;
      space.home().persist(at, 4);
      scores.set(ValueLayout.JAVA_INT, 44, 4712);
      try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
          TableSpace crashed = TableSpace.open(left, false)) {
        assertThat(score(table(crashed), 10)).isEqualTo(4711);
        assertThat(score(table(crashed), 11)).isEqualTo(77);
        assertThat(crashed.check()).isEmpty();
      }
    }
  }

  @Test
  void aCrashBeforeTheCheckpointThatFollowsAdoptionFindsTheOldExtentsWhole() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = space(medium)) {
      List<String> before = SampleTables.contents(table(space));
      table(space).adoptInPlace(SCORE);
      table(space).tablet(0).writableValues(2).onHost().segment().fill((byte) 9);
      try (CrashableDirectory left = medium.crash(CrashChoice.keepAll());
          TableSpace crashed = TableSpace.open(left, false)) {
        assertThat(SampleTables.contents(table(crashed))).isEqualTo(before);
        assertThat(crashed.check()).isEmpty();
      }
    }
  }

  @Test
  void leavingSealsTheExtentsWhereTheyAre() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      long offset;
      List<String> contents;
      try (TableSpace space = space(medium)) {
        TableStore table = table(space);
        table.adoptInPlace(SCORE);
        space.checkpoint(SnapshotImages.current(), 2, STATE);
        table.tablet(0).writableValues(2).onHost().segment().set(ValueLayout.JAVA_INT, 40, 4711);
        table.leaveInPlace();
        space.checkpoint(SnapshotImages.current(), 3, STATE);
        offset = table.tablet(0).homeOffset(ChunkKind.VALUES, 2);
        contents = SampleTables.contents(table);
      }
      medium.flipBit("home.gpdb", offset + 4000, 1);
      try (TableSpace damaged = TableSpace.open(medium, false)) {
        assertThat(damaged.check()).anyMatch(p -> p.contains("offset=" + offset));
      }
      medium.flipBit("home.gpdb", offset + 4000, 1);
      try (TableSpace again = TableSpace.open(medium, false)) {
        assertThat(SampleTables.contents(table(again))).isEqualTo(contents);
        SampleTables.append(table(again), 70000, 0);
        assertThat(table(again).tablet(0).liveCount()).isEqualTo(Tablet.ROWS);
        again.checkpoint(SnapshotImages.current(), 4, STATE);
        assertThat(again.check()).isEmpty();
      }
    }
  }

  @Test
  void anExtentThatACheckpointSealsIsNotWrittenInPlaceMeanwhile() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = space(medium)) {
      TableStore table = table(space);
      table.adoptInPlace(SCORE);
      space.checkpoint(SnapshotImages.current(), 2, STATE);
      table.leaveInPlace();
      List<String> before = SampleTables.contents(table);
      SampleTables.append(space.createTable(17, SampleTables.SHAPE), 10, 0);
      space.checkpoint(adoptingAfterTable16(space), 3, STATE);
      assertThat(score(table, 10)).isEqualTo(4711);
      try (CrashableDirectory left = medium.crash(CrashChoice.keepAll());
          TableSpace crashed = TableSpace.open(left, false)) {
        assertThat(SampleTables.contents(table(crashed))).isEqualTo(before);
        assertThat(crashed.check()).isEmpty();
      }
      for (int position = 4; position < 8; position++) {
        space.checkpoint(SnapshotImages.current(), position, STATE);
        SampleTables.append(table(space), 3000, 0);
        assertThat(space.check()).isEmpty();
      }
      assertThat(score(table, 10)).isEqualTo(4711);
    }
  }

  /** Writes in place in table 16 when the checkpoint has gone on to table 17. */
  private static SnapshotImages adoptingAfterTable16(TableSpace space) {
    SnapshotImages current = SnapshotImages.current();
    return new SnapshotImages() {
      @Override
      public MemorySegment image(
          TableStore table, int tablet, ChunkKind kind, int column, MemorySegment now, long bytes) {
        if (table.tableId() == 17) {
          TableStore other = table(space);
          other.adoptInPlace(SCORE);
          other.tablet(0).writableValues(2).onHost().segment().set(ValueLayout.JAVA_INT, 40, 4711);
        }
        return current.image(table, tablet, kind, column, now, bytes);
      }

      @Override
      public long rowLimit(TableStore table) {
        return current.rowLimit(table);
      }

      @Override
      public boolean includes(TableStore table) {
        return current.includes(table);
      }
    };
  }

  @Test
  void anExtentNamedByALogIsTheHomeAgain() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = space(medium)) {
      TableStore table = table(space);
      SampleTables.append(table, 70000, 0);
      Tablet second = table.tablet(1);
      second.latch().writeLock().lock();
      MemorySegment home = second.homeValues(2);
      long offset = second.homeOffset(ChunkKind.VALUES, 2);
      home.set(ValueLayout.JAVA_INT, 0, 99);
      space.home().persist(offset, 4);
      second.latch().writeLock().unlock();
      try (CrashableDirectory left = medium.crash(CrashChoice.keepNothing());
          TableSpace crashed = TableSpace.open(left, false)) {
        TableStore replayed = table(crashed);
        replayed.ensureRowLimit(71000);
        replayed.tablet(1).moveHome(ChunkKind.VALUES, 2, offset);
        assertThat(replayed.tablet(1).values(2).onHost().segment().get(ValueLayout.JAVA_INT, 0))
            .isEqualTo(99);
        crashed.checkpoint(SnapshotImages.current(), 5, STATE);
        assertThat(crashed.check()).isEmpty();
      }
    }
  }

  @Test
  void aBoundChunkKeepsItsExtentAndTakesChangesAtACheckpoint() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      try (TableSpace space = space(medium)) {
        Tablet tablet = table(space).tablet(0);
        tablet.homeValues(2);
        long offset = tablet.homeOffset(ChunkKind.VALUES, 2);
        tablet.writableValues(2).onHost().segment().set(ValueLayout.JAVA_INT, 0, 5);
        assertThat(tablet.homeValues(2).get(ValueLayout.JAVA_INT, 0)).isZero();
        space.checkpoint(SnapshotImages.current(), 2, STATE);
        assertThat(tablet.homeOffset(ChunkKind.VALUES, 2)).isEqualTo(offset);
        assertThat(tablet.homeValues(2).get(ValueLayout.JAVA_INT, 0)).isEqualTo(5);
      }
      try (TableSpace again = TableSpace.open(medium, false)) {
        assertThat(score(table(again), 0)).isEqualTo(5);
      }
    }
  }
}
