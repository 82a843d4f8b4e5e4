package io.gpdb.exec.library.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders found by the host, held against comparisons and against the kernels. */
class SampleSortTest {
  private static final int[] ROWS = {1, 2, 31, 33, 511, 512, 16_384, 16_385, 50_000, 150_000};

  private static HostBuffer word(SplittableRandom random, int rows) {
    HostBuffer word = HostBuffer.collected((long) rows << 3);
    int kind = random.nextInt(8);
    int shift = random.nextInt(Long.SIZE);
    long base = random.nextLong();
    for (int row = 0; row < rows; row++) {
      long value =
          switch (kind) {
            case 0 -> random.nextLong();
            case 1 -> random.nextLong() >>> shift;
            case 2 -> base + random.nextInt(3);
            case 3 -> base;
            case 4 -> row;
            case 5 -> base - row / 7;
            // A few values, far apart, or one for nearly all.
            case 6 -> (long) random.nextInt(4) << 62;
            default -> random.nextInt(1000) == 0 ? random.nextLong() : -1;
          };
      word.setLong(row, value);
    }
    return word;
  }

  private static List<Integer> expected(List<HostBuffer> words, int rows) {
    Comparator<Integer> order = (_, _) -> 0;
    for (HostBuffer word : words) {
      order = order.thenComparing((a, b) -> Long.compareUnsigned(word.longAt(a), word.longAt(b)));
    }
    return IntStream.range(0, rows).boxed().sorted(order).toList();
  }

  private static List<Integer> numbers(DeviceBuffer order, int rows) {
    return IntStream.range(0, rows).map(i -> order.onHost().intAt(i)).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void rowsComeInTheOrderOfTheirWords(int workers) {
    Long replay = Long.getLong("gpdb.seed");
    int cases = Integer.getInteger("gpdb.fuzz", 1) * 40;
    try (Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, workers, false))) {
      for (int i = 0; i < cases; i++) {
        long seed = (replay == null ? 1 : replay) * 1000 + i;
        SplittableRandom random = new SplittableRandom(seed);
        int rows = ROWS[random.nextInt(ROWS.length)];
        List<HostBuffer> words = new ArrayList<>();
        for (int w = random.nextInt(1, 5); w > 0; w--) {
          words.add(word(random, rows));
        }
        HostBuffer order = HostBuffer.collected((long) rows << 2);
        SampleSort.order(device, words, rows, order);
        assertThat(numbers(order, rows))
            .as("seed=%s rows=%s words=%s", seed, rows, words.size())
            .isEqualTo(expected(words, rows));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 300, 40_000})
  void pairsSortedByTheHostAreThoseThatKernelsSort(int rows) {
    try (Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 2, false))) {
      GridRadixSort sort = new GridRadixSort(device);
      for (int seed = 1; seed <= 8; seed++) {
        HostBuffer keys = word(new SplittableRandom(seed), rows);
        HostBuffer sameKeys = word(new SplittableRandom(seed), rows);
        HostBuffer payload = HostBuffer.collected((long) rows << 2);
        HostBuffer samePayload = HostBuffer.collected((long) rows << 2);
        for (int row = 0; row < rows; row++) {
          payload.setInt(row, 3 * row);
          samePayload.setInt(row, 3 * row);
        }
        sort.sort(keys, payload, rows);
        sort.sortByKernels(sameKeys, samePayload, rows);
        assertThat(numbers(payload, rows))
            .as("seed=%s", seed)
            .isEqualTo(numbers(samePayload, rows));
        assertThat(keys.segment().mismatch(sameKeys.segment())).isEqualTo(-1);
      }
    }
  }

  /** More of them than one thread sorts, with many more that differ. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void rowsThatAgreeInAllBitsThatArePackedAreSortedByTheRest(int workers) {
    int rows = 3 * SampleSort.TIES_ALONE_MAX;
    SplittableRandom random = new SplittableRandom(7);
    HostBuffer first = HostBuffer.collected((long) rows << 3);
    HostBuffer second = HostBuffer.collected((long) rows << 3);
    for (int row = 0; row < rows; row++) {
      first.setLong(row, random.nextInt(4) == 0 ? random.nextLong() : 5);
      second.setLong(row, random.nextLong());
    }
    HostBuffer order = HostBuffer.collected((long) rows << 2);
    try (Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, workers, false))) {
      SampleSort.order(device, List.of(first, second), rows, order);
    }
    assertThat(numbers(order, rows)).isEqualTo(expected(List.of(first, second), rows));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 511, 512, 5000})
  void packedValuesAreSortedFromABitOn(int count) {
    SplittableRandom random = new SplittableRandom(count);
    for (int bits = 0; bits < Long.SIZE - 13; bits++) {
      long[] values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = (bits == 0 ? 0 : random.nextLong() >>> (Long.SIZE - bits)) << 13 | i;
      }
      long[] expected = values.clone();
      Arrays.sort(expected);
      assertThat(PackedRuns.sorted(values, 13)).isEqualTo(expected);
    }
  }
}
