package io.gpdb.storage.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.ExtentAllocator;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import io.gpdb.storage.home.SuperblockLayout;
import io.gpdb.storage.medium.DatabaseFiles;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything that can be wrong with the tables is found, and said with its place. */
class CheckTest {
  private static final int ROWS = 3000;

  /** Problems of a space whose working image was changed behind its back. */
  private static List<String> problemsAfter(Consumer<TableStore> damage) {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      SampleTables.append(table, ROWS, 0);
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      assertThat(space.check()).isEmpty();
      damage.accept(table);
      return space.check();
    }
  }

  @Test
  void aLiveCountThatIsWrongIsFound() {
    assertThat(problemsAfter(t -> t.tablet(0).liveCountAdd(-1)))
        .containsExactly("table=16, tablet=0: says live=2999, holds 3000");
  }

  @Test
  void aRowThatItsIndexDoesNotFindIsFound() {
    assertThat(problemsAfter(t -> t.index(0).remove(new long[] {77}, 77)))
        .containsExactly("table=16, index=1: no entry for row=77");
  }

  @Test
  void twoRowsWithOneUniqueKeyAreFound() {
    assertThat(problemsAfter(t -> SampleTables.append(t, 1, 40 - ROWS)))
        .containsExactly("table=16, index=1: two rows with one key: row=40, row=3000");
  }

  @Test
  void aHintOfAnotherKeyOrADeadRowIsNoProblem() {
    assertThat(
            problemsAfter(
                t -> {
                  t.index(0).insert(new long[] {999_999}, 5);
                  t.index(0).insert(new long[] {7}, 8);
                  SampleTables.setBit(t.tablet(0).writableLive().onHost().segment(), 9, false);
                  t.tablet(0).liveCountAdd(-1);
                }))
        .isEmpty();
  }

  @Test
  void aCodeWithoutAStringIsFound() {
    assertThat(
            problemsAfter(
                t ->
                    t.tablet(0)
                        .writableValues(1)
                        .onHost()
                        .segment()
                        .set(ValueLayout.JAVA_INT, 4L * 11, 50)))
        .containsExactly("table=16, tablet=0, column=NAME, row=11: code=50, dictionary size=50");
  }

  /** Problems of a home file whose root directory was written anew with a change. */
  private static List<String> problemsWithRoot(UnaryOperator<TabletImage> change) {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      try (TableSpace space = TableSpace.open(medium, false)) {
        SampleTables.append(space.createTable(16, SampleTables.SHAPE), ROWS, 0);
        space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      }
      rewriteRoot(medium, change);
      List<String> file = TableSpace.checkFile(medium);
      if (!file.isEmpty()) {
        return file;
      }
      try (TableSpace space = TableSpace.open(medium, true)) {
        return space.check();
      }
    }
  }

  private static void rewriteRoot(CrashableDirectory medium, UnaryOperator<TabletImage> change) {
    try (HomeImage home = HomeImage.open(medium, false)) {
      RootImage root = home.loadRoot();
      TableImage table = root.tables().getFirst();
      List<TabletImage> tablets = new ArrayList<>(table.tablets());
      tablets.set(0, change.apply(tablets.getFirst()));
      TableImage changed =
          new TableImage(
              table.tableId(),
              table.shape(),
              table.rowLimit(),
              tablets,
              table.dictionaries(),
              table.indexes());
      home.switchRoot(
          RootCodec.encode(new RootImage(root.state(), List.of(changed))), 1, List.of());
    }
  }

  private static TabletImage withRange(TabletImage t, ColumnRange range) {
    List<ColumnRange> ranges = new ArrayList<>(t.ranges());
    ranges.set(0, range);
    return new TabletImage(t.liveCount(), t.values(), t.validity(), t.live(), ranges);
  }

  @Test
  void aRangeThatIsWrongIsFound() {
    assertThat(problemsWithRoot(t -> withRange(t, new ColumnRange(ROWS, 0, 1, ROWS - 1))))
        .containsExactly(
            "table=16, tablet=0, column=ID: says ColumnRange[rows=3000, nulls=0, least=1,"
                + " greatest=2999], holds ColumnRange[rows=3000, nulls=0, least=0, greatest=2999]");
    assertThat(problemsWithRoot(t -> withRange(t, new ColumnRange(ROWS, 1, 0, ROWS - 1))))
        .hasSize(1);
    assertThat(problemsWithRoot(t -> withRange(t, new ColumnRange(10, 0, 0, 9))))
        .containsExactly(
            "table=16, tablet=0, column=ID, row=10: is live behind the range's rows=10");
    assertThat(problemsWithRoot(t -> withRange(t, new ColumnRange(ROWS + 1, 0, 0, 9)))).hasSize(1);
    assertThat(problemsWithRoot(t -> t)).isEmpty();
  }

  /** Also where they share one page alone, the last one of the first of them. */
  @Test
  void extentsThatShareAPageAreRefusedAtOpening() {
    for (int shared : new int[] {4096, 8192, 0}) {
      try (CrashableDirectory medium = new CrashableDirectory()) {
        try (TableSpace space = TableSpace.open(medium, false)) {
          SampleTables.append(space.createTable(16, SampleTables.SHAPE), ROWS, 0);
          space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
        }
        rewriteRoot(medium, t -> withSecond(t, shared));
        if (shared > 0) {
          assertThatThrownBy(() -> TableSpace.open(medium, false))
              .isInstanceOfSatisfying(
                  GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
              .hasMessageContaining("overlaps another");
        } else {
          TableSpace.open(medium, false).close();
        }
      }
    }
  }

  /** Whether the second column's extent overlaps the end of the first one's, by some bytes. */
  private static TabletImage withSecond(TabletImage t, int shared) {
    Extent first = t.values().getFirst();
    Extent second = t.values().get(1);
    long end = first.offset() + ExtentAllocator.occupiedBytes(first.bytes());
    if (shared > 0) {
      second = new Extent(end - shared, shared, second.crc(), true);
    }
    List<Extent> values = List.of(first, second, t.values().get(2));
    return new TabletImage(t.liveCount(), values, t.validity(), t.live(), t.ranges());
  }

  @Test
  void twoExtentsInOnePlaceAreFoundWithoutOpening() {
    assertThat(
            problemsWithRoot(
                t ->
                    new TabletImage(
                        t.liveCount(),
                        List.of(t.values().get(0), t.values().get(0), t.values().get(2)),
                        t.validity(),
                        t.live(),
                        t.ranges())))
        .anyMatch(p -> p.startsWith("table=16, tablet=0, column number=1: overlaps another"));
  }

  @Test
  void anExtentOutsideOfTheFileIsFoundWithoutOpening() {
    Extent far = new Extent(1L << 40, 24_000, 0, true);
    Extent wild = new Extent(16384, Long.MAX_VALUE - 5, 0, true);
    for (Extent extent : List.of(far, wild)) {
      assertThat(
              problemsWithRoot(
                  t ->
                      new TabletImage(
                          t.liveCount(),
                          List.of(extent, t.values().get(1), t.values().get(2)),
                          t.validity(),
                          t.live(),
                          t.ranges())))
          .anyMatch(p -> p.contains("column number=0: extent is outside of the file"));
    }
  }

  @Test
  void anyFlippedBitOfAHomeFileIsHarmlessOrFoundWithoutOpening() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      try (TableSpace space = TableSpace.open(medium, false)) {
        SampleTables.append(space.createTable(16, SampleTables.SHAPE), 500, 0);
        space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
        space.checkpoint(SnapshotImages.current(), 2, new byte[0]);
      }
      assertThat(TableSpace.checkFile(medium)).isEmpty();
      List<Extent> used = usedExtents(medium);
      for (Extent extent : used) {
        for (long at = 0; at < extent.bytes(); at += Math.max(1, extent.bytes() / 40)) {
          assertFlipIsFound(medium, extent.offset() + at);
        }
      }
      for (long at = 0; at < SuperblockLayout.EXTENTS_OFFSET; at += 13) {
        assertFlipIsFound(medium, at);
      }
    }
  }

  private static List<Extent> usedExtents(StorageDirectory medium) {
    List<Extent> used = new ArrayList<>();
    try (HomeImage home = HomeImage.open(medium, true)) {
      used.add(home.superblock().root());
      home.loadRoot().forEachExtent(used::add);
    }
    return used;
  }

  private static void assertFlipIsFound(CrashableDirectory medium, long at) {
    int bit = (int) (at % 8);
    medium.flipBit(DatabaseFiles.HOME, at, bit);
    assertThat(TableSpace.checkFile(medium)).as("offset %d", at).isNotEmpty();
    medium.flipBit(DatabaseFiles.HOME, at, bit);
  }

  /** What a checkpoint has taken and not yet named looks lost. */
  @Test
  @Timeout(60)
  void aCheckWaitsForTheCheckpointThatIsWritten() {
    List<List<String>> found = new ArrayList<>();
    List<Thread.State> seen = new ArrayList<>();
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), ROWS, 0);
      Thread checker = Thread.ofPlatform().unstarted(() -> found.add(space.check()));
      medium.listener(
          (act, memory, offset, bytes) -> {
            if (act == PersistListener.Act.DRAIN && seen.isEmpty()) {
              checker.start();
              while (checker.getState() == Thread.State.NEW
                  || checker.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
              }
              seen.add(checker.getState());
            }
          });
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      join(checker);
      assertThat(seen).containsExactly(Thread.State.WAITING);
      assertThat(found).containsExactly(List.of());
    }
  }

  @Test
  @Timeout(60)
  void aCheckLetsOthersGoOn() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), ROWS, 0);
      assertThat(space.check()).isEmpty();
      Thread other =
          Thread.ofPlatform()
              .start(() -> space.checkpoint(SnapshotImages.current(), 1, new byte[0]));
      join(other);
      assertThat(space.checkpointedWalPosition()).isEqualTo(1);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void lostSpaceIsFound() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      SampleTables.append(space.createTable(16, SampleTables.SHAPE), 10, 0);
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      MemorySegment some = MemorySegment.ofArray(new byte[100]);
      Extent lost = space.homeImage().write(some);
      assertThat(space.check()).anyMatch(p -> p.contains("space is lost or given twice"));
      space.homeImage().discard(lost);
      assertThat(space.check()).isEmpty();
    }
  }
}
