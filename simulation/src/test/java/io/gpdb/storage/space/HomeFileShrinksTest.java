package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashStates;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The free end of the home file goes back to the system, and a crash finds a whole database. */
class HomeFileShrinksTest {
  private static final int KEPT = 16;
  private static final int LARGE = 17;
  private static final int KEPT_ROWS = 300;

  private static TableStore table(TableSpace space, int id) {
    return Objects.requireNonNull(space.table(id));
  }

  private static void checkpoint(TableSpace space, int number) {
    space.checkpoint(SnapshotImages.current(), number, new byte[] {(byte) number});
  }

  private static TableSpace filled(StorageDirectory medium, int largeRows) {
    TableSpace space = TableSpace.open(medium, false);
    SampleTables.append(space.createTable(KEPT, SampleTables.SHAPE), KEPT_ROWS, 0);
    checkpoint(space, 1);
    SampleTables.append(space.createTable(LARGE, SampleTables.SHAPE), largeRows, 5000);
    checkpoint(space, 2);
    return space;
  }

  @Test
  void theFileIsSmallAgainAfterALargeTableWasDropped(@TempDir Path dir) {
    try (StorageDirectory medium = FileDirectory.open(dir.resolve("db"), true)) {
      try (TableSpace space = filled(medium, 700_000)) {
        long large = space.home().sizeBytes();
        assertThat(large).isGreaterThan(10 << 20);
        assertThat(SampleTables.contents(table(space, LARGE))).hasSize(700_000); // views are open
        space.dropTable(LARGE);
        assertThat(space.awaitsShrinking()).isTrue();
        for (int n = 3; n < 6; n++) {
          checkpoint(space, n);
          assertThat(space.check()).isEmpty();
        }
        assertThat(space.awaitsShrinking()).isFalse();
        assertThat(space.home().sizeBytes()).isLessThan(1 << 20);
        assertThat(SampleTables.contents(table(space, KEPT)))
            .isEqualTo(SampleTables.expected(KEPT_ROWS, 0));
        SampleTables.append(space.createTable(LARGE, SampleTables.SHAPE), 70_000, 0);
        checkpoint(space, 6);
        assertThat(space.check()).isEmpty();
      }
      try (TableSpace again = TableSpace.open(medium, false)) {
        assertThat(SampleTables.contents(table(again, LARGE)))
            .isEqualTo(SampleTables.expected(70_000, 0));
        assertThat(again.check()).isEmpty();
      }
    }
  }

  @Test
  void everyCrashBeforeUnderAndAfterACutFindsAllThatIsKept() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      TableSpace space = filled(medium, 16_000);
      long[] cuts = {0};
      medium.listener(
          (act, memory, offset, bytes) -> {
            cuts[0] += act == PersistListener.Act.SHRINK ? 1 : 0;
            assertKept(medium);
          });
      space.dropTable(LARGE);
      for (int n = 3; n < 7; n++) {
        checkpoint(space, n);
        if (n == 5) { // the cut is not drained yet: its space is taken again
          SampleTables.append(space.createTable(LARGE, SampleTables.SHAPE), 20_000, 0);
        }
      }
      assertThat(cuts[0]).isEqualTo(1);
      medium.listener(null);
      assertThat(space.check()).isEmpty();
      space.close();
    }
  }

  private static void assertKept(CrashableDirectory medium) {
    CrashPoint point = medium.capture();
    List<String> expected = SampleTables.expected(KEPT_ROWS, 0);
    for (int[] picks : CrashStates.of(point, 4, 3, 20261122)) {
      try (CrashableDirectory left = point.image(picks).open();
          TableSpace found = TableSpace.open(left, false)) {
        assertThat(SampleTables.contents(table(found, KEPT))).isEqualTo(expected);
        assertThat(found.check()).isEmpty();
        checkpoint(found, 9);
        assertThat(found.check()).isEmpty();
      }
    }
  }
}
