package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.FaultyDirectory;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the root directory says about a column's values. */
class ColumnRangeTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);
  private static final int[] ROWS = {0, 1, 31, 32, 33, 64, 65, 1000, 1024, 1025, Tablet.ROWS};

  @ParameterizedTest
  @EnumSource
  void itIsTheLeastAndTheGreatestByOrderedValue(ElementType type) {
    Random random = new Random(SEED);
    for (int rows : ROWS) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment values = arena.allocate(Math.max(8, (long) rows * type.bytes()), 256);
        MemorySegment validity = arena.allocate(Math.max(8, Bitmaps.bytes(rows)), 256);
        for (int row = 0; row < rows; row++) {
          type.setRawAt(values, row, random.nextLong());
          SampleTables.setBit(validity, row, random.nextInt(3) > 0);
        }
        assertThat(ColumnRange.of(type, values, null, rows))
            .isEqualTo(rowByRow(type, values, null, rows));
        assertThat(ColumnRange.of(type, values, validity, rows))
            .isEqualTo(rowByRow(type, values, validity, rows));
      }
    }
  }

  private static ColumnRange rowByRow(
      ElementType type, MemorySegment values, MemorySegment validity, int rows) {
    int nulls = 0;
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int row = 0; row < rows; row++) {
      if (validity != null && !SampleTables.bit(validity, row)) {
        nulls++;
      } else {
        long value = ColumnRange.ordered(type, type.rawAt(values, row));
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    return new ColumnRange(rows, nulls, least, greatest);
  }

  @Test
  void floatingPointIsOrderedAsDoubleCompareOrdersIt() {
    double[] ascending = {
      Double.NEGATIVE_INFINITY, -1e9, -1, -0.0, 0.0, Double.MIN_VALUE, 2.5, 1e300, Double.NaN
    };
    for (int i = 1; i < ascending.length; i++) {
      long below = Double.doubleToRawLongBits(ascending[i - 1]);
      long above = Double.doubleToRawLongBits(ascending[i]);
      assertThat(ColumnRange.ordered(ElementType.F64, below))
          .isLessThan(ColumnRange.ordered(ElementType.F64, above));
      long belowFloat = Float.floatToRawIntBits((float) ascending[i - 1]) & 0xffffffffL;
      long aboveFloat = Float.floatToRawIntBits((float) ascending[i]) & 0xffffffffL;
      assertThat(ColumnRange.ordered(ElementType.F32, belowFloat))
          .isLessThanOrEqualTo(ColumnRange.ordered(ElementType.F32, aboveFloat));
    }
  }

  @Test
  void aCheckpointCountsAWriteForgetsAndTheNextCheckpointCountsAnew() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      try (TableSpace space = TableSpace.open(medium, false)) {
        TableStore table = space.createTable(16, SampleTables.SHAPE);
        SampleTables.append(table, 3000, 100);
        assertThat(table.tablet(0).range(0)).isNull();
        space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
        assertThat(table.tablet(0).range(0)).isEqualTo(new ColumnRange(3000, 0, 100, 3099));
        table.tablet(0).writableValues(0).onHost().segment().set(ValueLayout.JAVA_LONG, 0, -5);
        assertThat(table.tablet(0).range(0)).isNull();
        space.checkpoint(SnapshotImages.current(), 2, new byte[0]);
        assertThat(table.tablet(0).range(0)).isEqualTo(new ColumnRange(3000, 0, -5, 3099));
      }
      try (TableSpace again = TableSpace.open(medium, true)) {
        Tablet tablet = Objects.requireNonNull(again.table(16)).tablet(0);
        assertThat(tablet.range(0)).isEqualTo(new ColumnRange(3000, 0, -5, 3099));
        assertThat(Objects.requireNonNull(tablet.range(2)).nulls()).isEqualTo(1000);
      }
    }
  }

  @Test
  void aCheckpointThatFailsLeavesNoRangeOfWhatItDidNotWrite() {
    FaultyDirectory medium = new FaultyDirectory(new CrashableDirectory());
    try (medium;
        TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      SampleTables.append(table, 3000, 100);
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      table.tablet(0).writableValues(2).onHost().segment().set(ValueLayout.JAVA_INT, 4, -5);
      SampleTables.append(table, 200_000, 4000);
      medium.failWhen(act -> act.fault() == FaultyDirectory.Fault.GROW);
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
                  () -> space.checkpoint(SnapshotImages.current(), 2, new byte[0])))
          .isInstanceOf(GpdbException.class);
      assertThat(table.tablet(0).range(2)).isNull();
      assertThat(space.check()).isEmpty();
    }
  }

  @Test
  void anInPlaceColumnHasNoRangeUntilItIsSealed() {
    try (CrashableDirectory medium = new CrashableDirectory();
        TableSpace space = TableSpace.open(medium, false)) {
      TableStore table = space.createTable(16, SampleTables.SHAPE);
      SampleTables.append(table, 100, 0);
      space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
      table.adoptInPlace(new int[] {0});
      space.checkpoint(SnapshotImages.current(), 2, new byte[0]);
      assertThat(table.tablet(0).range(0)).isNull();
      assertThat(table.tablet(0).range(1)).isNotNull();
      table.leaveInPlace();
      space.checkpoint(SnapshotImages.current(), 3, new byte[0]);
      assertThat(table.tablet(0).range(0)).isEqualTo(new ColumnRange(100, 0, 0, 99));
      assertThat(space.check()).isEmpty();
    }
  }
}
