package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.FaultyDirectory;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Cuts checkpoints at every act on the medium, and lets media fail. */
class CheckpointCrashTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);

  /** A space with one old checkpoint, and newer changes of every sort in the working image. */
  private static TableSpace withOldCheckpoint(StorageDirectory medium, int rows) {
    TableSpace space = TableSpace.open(medium, false);
    TableStore table = space.createTable(16, SampleTables.SHAPE);
    SampleTables.append(table, rows, 0);
    space.checkpoint(SnapshotImages.current(), 1, new byte[] {1});
    return space;
  }

  private static void change(TableSpace space, int rows, int more) {
    TableStore table = Objects.requireNonNull(space.table(16));
    for (int row = 0; row < rows; row++) {
      table
          .tablet(0)
          .writableValues(2)
          .onHost()
          .segment()
          .set(ValueLayout.JAVA_INT, row * 4L, -row);
    }
    SampleTables.append(table, more, 1000);
    SampleTables.append(space.createTable(17, SampleTables.SHAPE), 40, 5);
  }

  /** The old or the new state of a left directory, recognised by its WAL position; never a mix. */
  private static long assertOldOrNew(CrashableDirectory left, List<List<String>> states) {
    try (left;
        TableSpace space = TableSpace.open(left, false)) {
      long position = space.checkpointedWalPosition();
      assertThat(space.checkpointedState()).isEqualTo(new byte[] {(byte) position});
      TableStore table = Objects.requireNonNull(space.table(16));
      assertThat(SampleTables.contents(table)).isEqualTo(states.get((int) position));
      assertThat(space.table(17) != null).isEqualTo(position == 2);
      assertThat(space.check()).isEmpty();
      return position;
    }
  }

  @Test
  void aCrashAnywhereInACheckpointLeavesTheOldOrTheNewRoot() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = withOldCheckpoint(medium, 300)) {
      TableStore table = Objects.requireNonNull(space.table(16));
      List<List<String>> states = new ArrayList<>();
      states.add(List.of());
      states.add(SampleTables.contents(table));
      change(space, 300, 900);
      states.add(SampleTables.contents(table));
      List<CrashableDirectory> crashed = new ArrayList<>();
      medium.listener((act, memory, offset, bytes) -> crashEachWay(medium, crashed));
      space.checkpoint(SnapshotImages.current(), 2, new byte[] {2});
      medium.listener(null);
      int acts = crashed.size();
      crashEachWay(medium, crashed);
      Set<Long> seen = new TreeSet<>();
      for (CrashableDirectory left : crashed) {
        seen.add(assertOldOrNew(left, states));
      }
      assertThat(seen).containsExactly(1L, 2L);
      assertThat(acts).isGreaterThan(50);
    }
  }

  private static void crashEachWay(CrashableDirectory medium, List<CrashableDirectory> crashed) {
    crashed.add(medium.crash(CrashChoice.keepNothing()));
    crashed.add(medium.crash(CrashChoice.keepAll()));
    crashed.add(medium.crash(CrashChoice.random(SEED + crashed.size())));
  }

  @Test
  void afterTheCheckpointTheNewRootIsDurable() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = withOldCheckpoint(medium, 300)) {
      change(space, 300, 10);
      List<List<String>> states = new ArrayList<>();
      states.add(List.of());
      states.add(List.of());
      states.add(SampleTables.contents(Objects.requireNonNull(space.table(16))));
      space.checkpoint(SnapshotImages.current(), 2, new byte[] {2});
      assertThat(assertOldOrNew(medium.crash(CrashChoice.keepNothing()), states)).isEqualTo(2);
    }
  }

  @Test
  void aCrashAnywhereInTheCreationLeavesNothingOrAnEmptySpace() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      List<CrashableDirectory> crashed = new ArrayList<>();
      medium.listener((act, memory, offset, bytes) -> crashEachWay(medium, crashed));
      TableSpace.open(medium, false).close();
      medium.listener(null);
      assertThat(crashed).hasSizeGreaterThan(15);
      for (CrashableDirectory left : crashed) {
        try (left;
            TableSpace space = TableSpace.open(left, false)) {
          assertThat(space.tables()).isEmpty();
          assertThat(left.names()).containsExactly("home.gpdb");
        }
      }
    }
  }

  @Test
  void aCreationThatFailsLeavesNoFile() {
    for (int failing = 0; failing < 7; failing++) {
      FaultyDirectory medium = new FaultyDirectory(new CrashableDirectory());
      int number = failing;
      medium.failWhen(act -> act.number() == number);
      try (medium) {
        if (failing < 4) {
          assertThatThrownBy(() -> TableSpace.open(medium, false))
              .isInstanceOf(GpdbException.class);
          assertThat(medium.names()).isEmpty();
        } else {
          TableSpace.open(medium, false).close();
        }
      }
    }
  }

  @Test
  void aFullDiskFailsTheCheckpointAndLosesNothing() {
    FaultyDirectory medium = new FaultyDirectory(new CrashableDirectory());
    List<String> changed;
    try (TableSpace space = withOldCheckpoint(medium, 300)) {
      change(space, 300, 200_000);
      changed = SampleTables.contents(Objects.requireNonNull(space.table(16)));
      for (int allowed = 0; allowed < 2; allowed++) {
        int grows = allowed;
        int[] seen = {0};
        medium.failWhen(act -> act.fault() == FaultyDirectory.Fault.GROW && seen[0]++ >= grows);
        assertThatThrownBy(() -> space.checkpoint(SnapshotImages.current(), 2, new byte[] {2}))
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
        assertThat(space.isDirty()).isTrue();
        assertThat(space.checkpointedWalPosition()).isEqualTo(1);
        assertThat(space.check()).isEmpty();
      }
      medium.failWhen(act -> false);
      space.checkpoint(SnapshotImages.current(), 2, new byte[] {2});
      assertThat(space.isDirty()).isFalse();
    }
    try (medium;
        TableSpace again = TableSpace.open(medium, false)) {
      assertThat(SampleTables.contents(Objects.requireNonNull(again.table(16)))).isEqualTo(changed);
      assertThat(again.check()).isEmpty();
    }
  }

  @Test
  void aFailedWriteOrSyncPoisonsAndTheOldOrTheNewRootIsFound() {
    for (int failing = 0; ; failing++) {
      FaultyDirectory medium = new FaultyDirectory(new CrashableDirectory());
      TableSpace space = withOldCheckpoint(medium, 50);
      change(space, 50, 10);
      int number = failing;
      medium.failWhen(act -> act.number() == number && act.fault() != FaultyDirectory.Fault.GROW);
      try {
        space.checkpoint(SnapshotImages.current(), 2, new byte[] {2});
        if (medium.acts() <= failing) {
          assertThat(failing).isGreaterThan(10);
          return;
        }
      } catch (GpdbException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR);
        assertThatThrownBy(() -> space.checkpoint(SnapshotImages.current(), 2, new byte[] {2}))
            .isInstanceOfSatisfying(
                GpdbException.class, p -> assertThat(p.code()).isEqualTo(ErrorCode.POISONED));
      }
      space.close();
      medium.failWhen(act -> false);
      try (TableSpace again = TableSpace.open(medium, false)) {
        assertThat(again.checkpointedWalPosition()).isIn(1L, 2L);
        assertThat(again.check()).isEmpty();
      }
    }
  }

  @Test
  void everyFlippedBitOfTheHomeFileIsFoundOrHarmless() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = withOldCheckpoint(medium, 700)) {
      SampleTables.append(Objects.requireNonNull(space.table(16)), 100, 0);
      space.checkpoint(SnapshotImages.current(), 2, new byte[] {2});
      List<String> contents = SampleTables.contents(Objects.requireNonNull(space.table(16)));
      long size = space.home().sizeBytes();
      CrashImage image = medium.capture().image(CrashChoice.keepAll());
      int found = 0;
      for (long at = 0; at < size; at += 97) {
        found += foundOrHarmless(image, at, contents) ? 1 : 0;
      }
      assertThat(found).isGreaterThan(800 * 16 / 97);
    }
  }

  private static boolean foundOrHarmless(CrashImage image, long at, List<String> contents) {
    try (CrashableDirectory left = image.openUncrashable()) {
      left.flipBit("home.gpdb", at, (int) (at % 8));
      try (TableSpace space = TableSpace.open(left, true)) {
        if (!space.check().isEmpty()) {
          return true;
        }
        assertThat(SampleTables.contents(Objects.requireNonNull(space.table(16))))
            .as("flipped bit at %d", at)
            .isEqualTo(contents);
        return false;
      } catch (GpdbException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
        return true;
      }
    }
  }

  @Test
  void aFlippedBitOfAColumnIsNamedAtFirstTouch() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = withOldCheckpoint(medium, 2000)) {
      long offset = space.tables().iterator().next().tablet(0).homeOffset(ChunkKind.VALUES, 2);
      try (CrashableDirectory left = medium.crash(CrashChoice.keepAll())) {
        left.flipBit("home.gpdb", offset + 100, 3);
        try (TableSpace damaged = TableSpace.open(left, false)) {
          Tablet tablet = Objects.requireNonNull(damaged.table(16)).tablet(0);
          tablet.values(0).onHost().segment();
          assertThatThrownBy(() -> tablet.values(2).onHost().segment())
              .isInstanceOfSatisfying(
                  GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
              .hasMessageContaining("table=16, tablet=0, column=SCORE")
              .hasMessageContaining("offset=" + offset);
        }
      }
    }
  }
}
