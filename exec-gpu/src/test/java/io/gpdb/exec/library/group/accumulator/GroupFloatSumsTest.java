package io.gpdb.exec.library.group.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.Cases;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sums of floats per group, held against a loop over the rows. */
class GroupFloatSumsTest {
  private static final int[] ROWS = {0, 1, 31, 33, 1023, 1024, 1025, 1039, 2049, 5000};
  private static final int[] GROUPS = {1, 2, 3, 40, 3000};

  private final Random random = new Random(Long.getLong("gpdb.seed", 20261127L));

  @Test
  void sumsAreThoseOfALoopOverTheRows() {
    for (Mode mode : Mode.values()) {
      for (boolean byBlocks : new boolean[] {false, true}) {
        GroupFloatSums sums = new GroupFloatSums(Cases.device(mode), byBlocks);
        for (int rows : ROWS) {
          int groups = GROUPS[random.nextInt(GROUPS.length)];
          requireSums(sums, rows, mode == Mode.COMPILED ? groups : Math.min(groups, 40));
        }
      }
    }
  }

  private void requireSums(GroupFloatSums sums, int rows, int groups) {
    HostBuffer groupOf = HostBuffer.collected(4L * Math.max(1, rows));
    HostBuffer values = HostBuffer.collected(8L * Math.max(1, rows));
    HostBuffer others = HostBuffer.collected(8L * Math.max(1, rows));
    HostBuffer totals = HostBuffer.collected(8L * groups);
    HostBuffer otherTotals = HostBuffer.collected(8L * groups);
    double[] expected = new double[groups];
    double[] otherExpected = new double[groups];
    for (int g = 0; g < groups; g++) {
      expected[g] = random.nextGaussian();
      totals.setLong(g, Double.doubleToRawLongBits(expected[g]));
    }
    boolean most = random.nextBoolean();
    for (int row = 0; row < rows; row++) {
      int group = most && random.nextInt(9) > 0 ? groups / 2 : random.nextInt(groups + 1) - 1;
      double value = random.nextGaussian() * Math.pow(2, random.nextInt(60));
      groupOf.setInt(row, group);
      values.setLong(row, Double.doubleToRawLongBits(value));
      others.setLong(row, Double.doubleToRawLongBits(1 / value));
      if (group >= 0) {
        expected[group] += value;
        otherExpected[group] += 1 / value;
      }
    }
    sums.add(groupOf, rows, List.of(values, others), List.of(totals, otherTotals));
    for (int g = 0; g < groups; g++) {
      assertThat(Double.longBitsToDouble(totals.longAt(g))).isEqualTo(expected[g]);
      assertThat(Double.longBitsToDouble(otherTotals.longAt(g))).isEqualTo(otherExpected[g]);
    }
  }
}
