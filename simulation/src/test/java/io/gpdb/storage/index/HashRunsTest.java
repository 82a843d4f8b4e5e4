package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootImage.RunImage;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are counted up: a hash index keeps them as runs. */
class HashRunsTest extends IndexContract {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final SharedWork THREADS =
      (pieces, piece) -> IntStream.range(0, pieces).parallel().forEach(piece);

  /** The rows of each key. */
  private final Map<Long, TreeSet<Long>> model = new HashMap<>();

  private int falseSuspects;

  @Override
  IndexKind kind() {
    return IndexKind.HASH;
  }

  private static long pageBytes(Index index) {
    long[] bytes = new long[1];
    index.forEachChunk(chunk -> bytes[0] += chunk.capacityBytes());
    return bytes[0];
  }

  private static long[] ascending(long first, long step, int n) {
    return LongStream.range(0, n).map(i -> first + i * step).toArray();
  }

  @Test
  void keysThatAreCountedUpTakeNoPages() {
    index.insertAll(SampleKeys.keys(0, ascending(-500, 1, 100_000)), null);
    index.insertAll(SampleKeys.keys(100_000, ascending(99_500, 1, 100_000)), null);
    index.insertAll(SampleKeys.keys(200_000, ascending(1L << 40, 7, 1000)), null);
    for (int i = 0; i < 500; i++) {
      index.insert(new long[] {(1L << 40) + 7 * (1000L + i)}, 201_000 + i);
    }
    assertThat(pageBytes(index)).isZero();
    assertThat(index.entryCount()).isEqualTo(201_500);
    assertThat(candidates(index, 99_500)).containsExactly(100_000L);
    assertThat(candidates(index, (1L << 40) + 7 * 1499L)).containsExactly(201_499L);
    assertThat(candidates(index, (1L << 40) + 6)).isEmpty();
    assertThat(candidates(index, 199_500)).isEmpty();
  }

  @Test
  void keysInsertedOneByOneBecomeARun() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(index.insert(new long[] {3L * i}, i)).isTrue();
      assertThat(index.insert(new long[] {3L * i}, i)).as("again").isFalse();
    }
    assertThat(pageBytes(index)).isLessThanOrEqualTo(16 << 10);
    assertThat(index.entryCount()).isEqualTo(100_000);
  }

  @Test
  void keysAtTheEndsOfWhatALongHoldsMakeARun() {
    index.insertAll(SampleKeys.keys(0, ascending(Long.MAX_VALUE - 99, 1, 100)), null);
    index.insertAll(SampleKeys.keys(100, ascending(Long.MIN_VALUE, 1L << 56, 100)), null);
    index.insert(new long[] {Long.MIN_VALUE + (100L << 56)}, 200);
    index.insert(new long[] {Long.MIN_VALUE}, 201);
    assertThat(candidates(index, Long.MAX_VALUE)).containsExactly(99L);
    assertThat(candidates(index, Long.MIN_VALUE)).containsExactly(201L, 100L);
    assertThat(candidates(index, Long.MIN_VALUE + (100L << 56))).containsExactly(200L);
    assertThat(candidates(index, 0)).isEmpty();
  }

  /** Batches as applications and replay make them, and some that they do not. */
  private long[] batch(Random random, long[] before) {
    int n = 1 + random.nextInt(new int[] {3, 200, 3000}[random.nextInt(3)]);
    long first = random.nextInt(40_000) - 20_000;
    long step = 1 + random.nextInt(3);
    long[] keys = ascending(first, step, n);
    switch (random.nextInt(6)) {
      case 0 -> keys = ascending(before[before.length - 1] + step, step, n);
      case 1 -> keys = random.longs(n, -20_000, 20_000).toArray();
      case 2 -> {
        for (int i = random.nextInt(n); i < n; i += 1 + random.nextInt(200)) {
          keys[i] = random.nextInt(40_000) - 20_000;
        }
      }
      case 3 -> {
        int from = random.nextInt(n);
        for (int i = from; i < n; i++) {
          keys[i] += 10;
        }
      }
      case 4 -> keys = before;
      default -> {}
    }
    return keys;
  }

  private void insert(Index into, long[] keys, long firstRow, SharedWork workers) {
    int[] suspects = new int[keys.length];
    int count = into.insertAll(SampleKeys.keys(firstRow, keys), suspects, workers);
    for (int i = 0; i < keys.length; i++) {
      TreeSet<Long> rows = model.computeIfAbsent(keys[i], k -> new TreeSet<>());
      boolean others = rows.size() > (rows.contains(firstRow + i) ? 1 : 0);
      if (others) {
        assertThat(Arrays.binarySearch(suspects, 0, count, i))
            .as("suspect key %d at %d, seed %d", keys[i], i, SEED)
            .isNotNegative();
      }
      rows.add(firstRow + i);
      falseSuspects += !others && Arrays.binarySearch(suspects, 0, count, i) >= 0 ? 1 : 0;
    }
    assertThat(falseSuspects).as("keys of one hash, seed %d", SEED).isLessThan(20);
    for (int s = 1; s < count; s++) {
      assertThat(suspects[s]).isGreaterThan(suspects[s - 1]);
    }
  }

  private void requireModel(Index found) {
    List<Long> keys = new ArrayList<>(model.keySet());
    long[] rows = new long[keys.size()];
    long[] raw = keys.stream().mapToLong(Long::longValue).toArray();
    found.firstCandidates(raw, 0, raw.length, rows);
    int strangers = 0;
    for (int k = 0; k < raw.length; k++) {
      List<Long> expected = new ArrayList<>(model.get(raw[k]).descendingSet());
      List<Long> candidates = candidates(found, raw[k]);
      assertThat(rows[k]).as("key %d, seed %d", raw[k], SEED).isEqualTo(candidates.getFirst());
      strangers += candidates.size() - expected.size();
      assertThat(candidates).as("key %d, seed %d", raw[k], SEED).containsSubsequence(expected);
    }
    assertThat(strangers).as("seed %d", SEED).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void anyBatchesHaveTheEntriesAndSuspectsOfAModel(int run) {
    Random random = new Random(SEED + run);
    long[] before = {0};
    long firstRow = 0;
    long rows = 0;
    for (int step = 0; step < 120; step++) {
      long[] keys = batch(random, before);
      // One batch in five is of rows that were inserted before, as when a log is replayed.
      boolean again = keys == before && random.nextBoolean();
      long from = again ? firstRow : random.nextInt(10) == 0 ? rows + 3 : rows;
      insert(index, keys, from, random.nextBoolean() ? THREADS : SharedWork.ALONE);
      before = keys;
      firstRow = from;
      rows = Math.max(rows, from + keys.length);
    }
    requireModel(index);
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      Index loaded = Objects.requireNonNull(again.table(16)).index(0);
      requireModel(loaded);
      assertThat(again.check()).isEmpty();
      insert(loaded, ascending(30_000, 1, 5000), rows, THREADS);
      requireModel(loaded);
    }
  }

  @Test
  void moreRunsThanThereMayBeGoIntoPages() {
    int runs = HashIndexLayout.RUNS_MAX + 50;
    Random random = new Random(SEED);
    List<Long> firsts = new ArrayList<>();
    for (long r = 0; r < runs; r++) {
      firsts.add(r * 1000);
    }
    Collections.shuffle(firsts, random);
    for (int r = 0; r < runs; r++) {
      insert(index, ascending(firsts.get(r), 2, 64), r * 100L, SharedWork.ALONE);
    }
    requireModel(index);
    assertThat(pageBytes(index)).isPositive().isLessThan(256 << 10);
  }

  @Test
  void anEntryTakenOutOfARunIsGoneAlone() {
    index.insertAll(SampleKeys.keys(0, ascending(0, 1, 1000)), null);
    for (long key : new long[] {0, 500, 999, 501}) {
      assertThat(index.remove(new long[] {key}, key + 1)).isFalse();
      assertThat(index.remove(new long[] {key}, key)).isTrue();
      assertThat(candidates(index, key)).isEmpty();
    }
    assertThat(index.entryCount()).isEqualTo(996);
    for (long key = 1; key < 999; key++) {
      assertThat(candidates(index, key)).hasSize(key == 500 || key == 501 ? 0 : 1);
    }
  }

  @Test
  void runsThatCannotBeAreDamage() {
    List<List<RunImage>> damaged =
        List.of(
            List.of(new RunImage(5, 0, 10, 0)),
            List.of(new RunImage(5, -1, 10, 0)),
            List.of(new RunImage(5, 1, 0, 0)),
            List.of(new RunImage(5, 1, 10, -1)),
            List.of(new RunImage(5, 1, 10, HashIndexLayout.ROWS_MAX - 8)),
            List.of(new RunImage(Long.MAX_VALUE - 8, 1, 10, 0)),
            List.of(new RunImage(0, Long.MAX_VALUE, 3, 0)),
            List.of(new RunImage(5, 1, 10, 0), new RunImage(14, 1, 10, 100)),
            List.of(new RunImage(50, 1, 10, 0), new RunImage(14, 1, 10, 100)));
    for (List<RunImage> runs : damaged) {
      assertThatThrownBy(() -> new KeyRuns().load(runs, "here"))
          .as("%s", runs)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
    new KeyRuns()
        .load(
            List.of(
                new RunImage(Long.MIN_VALUE, 1, 10, HashIndexLayout.ROWS_MAX - 9),
                new RunImage(Long.MAX_VALUE - 9, 1, 10, 0)),
            "here");
  }
}
