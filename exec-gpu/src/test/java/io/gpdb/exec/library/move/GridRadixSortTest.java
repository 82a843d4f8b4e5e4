package io.gpdb.exec.library.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.Cases;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GridRadixSortTest {
  private static final int[] SIZES = {2, 256, 257, 1024, 1025, 40_000};

  /** Keys in order are found to be, and keys that only look so are sorted. */
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"INTERPRETED", "COMPILED"})
  void pairsComeInTheUnsignedOrderOfTheirKeysAndTiesStay(Mode mode) {
    GridRadixSort sort = new GridRadixSort(Cases.device(mode));
    for (int n : SIZES) {
      long[] ascending = LongStream.range(0, n).map(i -> i * 7 / 3 - n).sorted().toArray();
      check(sort, ascending); // by sign, hence not without
      long[] unsigned = LongStream.range(0, n).map(i -> i / 2).toArray();
      check(sort, unsigned);
      for (int odd : new int[] {1, n / 2, Math.min(n - 1, 1024), n - 1}) {
        long[] oneIsLess = unsigned.clone();
        oneIsLess[odd] = odd == 1 ? -1 : 0;
        check(sort, oneIsLess);
      }
      check(sort, new long[n]);
      check(sort, new Random(n).longs(n, -50, 50).toArray());
      check(sort, new Random(n).longs(n).toArray());
    }
  }

  private static void check(GridRadixSort sort, long[] keys) {
    int n = keys.length;
    HostBuffer sorted = HostBuffer.collected((long) n << 3);
    HostBuffer payload = HostBuffer.collected((long) n << 2);
    sorted.write(0, keys, 0, n);
    payload.write(0, IntStream.range(0, n).toArray(), 0, n);
    sort.sortByKernels(sorted, payload, n);
    int[] expected =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparing(i -> keys[i], Long::compareUnsigned))
            .mapToInt(i -> i)
            .toArray();
    int[] found = new int[n];
    payload.read(0, found, 0, n);
    assertThat(found).isEqualTo(expected);
    long[] keysFound = new long[n];
    sorted.read(0, keysFound, 0, n);
    assertThat(keysFound).isEqualTo(Arrays.stream(expected).mapToLong(i -> keys[i]).toArray());
  }
}
