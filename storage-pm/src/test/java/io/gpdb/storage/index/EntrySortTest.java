package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries in the order of their bytes, against the sort of the JDK. */
class EntrySortTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);

  private final Random random = new Random(SEED);
  private final EntrySort sort = new EntrySort();

  /** None is the beginning of another: each ends with the only zero that it has. */
  private byte[] entry(int kind, byte[] common) {
    int own = 1 + random.nextInt(kind % 2 == 0 ? 4 : 30);
    byte[] entry = Arrays.copyOf(common, common.length + own + 1);
    for (int i = common.length; i < entry.length - 1; i++) {
      entry[i] = (byte) (kind < 2 ? 1 + random.nextInt(2) : 1 + random.nextInt(255));
    }
    return entry;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 24, 25, 26, 200, 3000, 20_000})
  void entriesAreInTheOrderOfTheirBytes(int n) {
    for (int kind = 0; kind < 4; kind++) {
      for (int commonBytes : new int[] {0, 5, 8, 100}) {
        byte[] common = new byte[commonBytes];
        random.nextBytes(common);
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < n; i++) {
          boolean again = i > 0 && random.nextInt(10) == 0;
          entries.add(again ? entries.get(random.nextInt(i)) : entry(kind, common));
        }
        requireSorted(entries);
        entries.sort(Arrays::compareUnsigned);
        requireSorted(entries);
      }
    }
  }

  private void requireSorted(List<byte[]> entries) {
    int n = entries.size();
    KeyBytes bytes = new KeyBytes(0);
    int[] starts = new int[n + 1];
    for (int i = 0; i < n; i++) {
      bytes.addAll(entries.get(i), 0, entries.get(i).length);
      starts[i + 1] = bytes.length();
    }
    int[] order = IntStream.range(0, n).toArray();
    sort.sort(bytes.array(), starts, order, n);
    assertThat(Arrays.stream(order).distinct().count()).as("seed %d", SEED).isEqualTo(n);
    for (int i = 1; i < n; i++) {
      assertThat(Arrays.compareUnsigned(entries.get(order[i - 1]), entries.get(order[i])))
          .as("seed %d", SEED)
          .isLessThanOrEqualTo(0);
    }
  }
}
