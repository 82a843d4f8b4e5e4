package io.gpdb.exec.library.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.scan.PassingRows.Column;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows pass whose numbers are in all ranges, also at the ends of their types. */
class RangeFilterTest {
  private static final int ROUNDS = 150;
  private static final int[] ROW_COUNTS = {0, 1, 31, 32, 33, 1000, 8192, 8193, 20_000};

  private final Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 2, false));

  @AfterEach
  void close() {
    device.close();
  }

  private static long number(Random random, ElementType element) {
    boolean isWide = element == ElementType.I64;
    return switch (random.nextInt(6)) {
      case 0 -> isWide ? Long.MIN_VALUE + random.nextInt(2) : Integer.MIN_VALUE;
      case 1 -> isWide ? Long.MAX_VALUE - random.nextInt(2) : Integer.MAX_VALUE;
      case 2 -> isWide ? random.nextLong() : random.nextInt();
      default -> random.nextInt(20) - 10;
    };
  }

  private static Column column(Random random, ElementType element, int rows) {
    HostBuffer values = HostBuffer.collected((long) rows * element.bytes());
    for (int i = 0; i < rows; i++) {
      element.setRawAt(values, i, number(random, element));
    }
    return new Column(values, random.nextBoolean() ? bitmap(random, rows) : null, rows);
  }

  private static HostBuffer bitmap(Random random, int rows) {
    HostBuffer bits = HostBuffer.collected(Math.ceilDiv(rows, 32) * 4L);
    for (int i = 0; i < rows; i++) {
      Bitmaps.set(bits, i, random.nextInt(5) > 0);
    }
    return bits;
  }

  private static boolean passes(RangeFilter.Range range, Column column, int row) {
    long n = range.element().rawAt(column.values(), row);
    return n >= range.least()
        && n <= range.greatest()
        && (column.validity() == null || Bitmaps.test(column.validity(), row));
  }

  @Test
  void rowsPassWhoseNumbersAreInAllRanges() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(round);
      List<RangeFilter.Range> ranges = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        ElementType element = random.nextBoolean() ? ElementType.I32 : ElementType.I64;
        // of a column of four bytes, too, bounds may be beyond it
        ElementType bounds = random.nextInt(4) == 0 ? ElementType.I64 : element;
        ranges.add(new RangeFilter.Range(element, number(random, bounds), number(random, bounds)));
      }
      List<PassingRows.Rows> all = new ArrayList<>();
      List<List<Column>> columns = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        int rows = ROW_COUNTS[random.nextInt(ROW_COUNTS.length)];
        columns.add(ranges.stream().map(range -> column(random, range.element(), rows)).toList());
        all.add(
            new PassingRows.Rows(
                rows,
                random.nextBoolean() ? bitmap(random, rows) : null,
                HostBuffer.collected(Math.ceilDiv(rows, 32) * 4L)));
      }
      int[] counts = new RangeFilter(device, ranges).pass(all, columns);
      for (int i = 0; i < counts.length; i++) {
        int found = 0;
        for (int row = 0; row < all.get(i).count(); row++) {
          boolean expected = all.get(i).live() == null || Bitmaps.test(all.get(i).live(), row);
          for (int r = 0; r < ranges.size(); r++) {
            expected &= passes(ranges.get(r), columns.get(i).get(r), row);
          }
          assertThat(Bitmaps.test(all.get(i).passing(), row))
              .as("round " + round + ", row " + row)
              .isEqualTo(expected);
          found += expected ? 1 : 0;
        }
        assertThat(counts[i]).isEqualTo(found);
      }
    }
  }
}
