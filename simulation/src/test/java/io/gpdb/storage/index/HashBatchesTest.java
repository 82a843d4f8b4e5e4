package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.tablet.Chunk;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Batches that several threads put into the pages of a hash index, against an index that is given
 * the same entries one by one.
 */
class HashBatchesTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final SharedWork THREADS =
      (pieces, piece) -> IntStream.range(0, pieces).parallel().forEach(piece);

  private final StorageDirectory medium = new CrashableDirectory();
  private final TableSpace space = TableSpace.open(medium, false);
  private final HashIndex shared = create(1);
  private final HashIndex alone = create(2);
  private long rows;

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  private HashIndex create(int table) {
    IndexShape shape = new IndexShape(1, IndexKind.HASH, new int[] {0}, true);
    List<ColumnShape> columns = List.of(new ColumnShape("K", ElementType.I64));
    return (HashIndex) space.createTable(table, new TableShape(columns, List.of(shape))).index(0);
  }

  /** Hashes of which many are in few groups, so that pages are full, or some are there again. */
  private static long[] hashes(Random random, int n, long[] before) {
    int kind = random.nextInt(4);
    long crowd = random.nextLong();
    long[] hashes = new long[n];
    for (int i = 0; i < n; i++) {
      hashes[i] =
          switch (kind) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(20) == 0 ? crowd + random.nextInt(3) : random.nextLong();
            case 2 -> random.nextLong() & 0xf0ff_ffff_ffff_ffffL | 0x0500_0000_0000_0000L;
            default -> before[random.nextInt(before.length)];
          };
    }
    return hashes;
  }

  private void insert(Random random, long[] hashes, boolean again, SharedWork workers) {
    int n = hashes.length;
    long first = again ? random.nextInt((int) Math.max(1, rows - n)) : rows;
    rows = Math.max(rows, first + n);
    KeyBatch keys = new KeyBatch();
    keys.begin(0, n, first);
    int[] suspects = new int[n];
    int count = shared.insertAll(hashes, keys, suspects, workers);
    int[] expected = new int[n];
    int expectedCount = 0;
    for (int i = 0; i < n; i++) {
      if ((alone.insert(hashes[i], first + i) & HashIndexPage.SUSPECT) != 0) {
        expected[expectedCount++] = i;
      }
    }
    assertThat(Arrays.copyOf(suspects, count))
        .as("seed %d", SEED)
        .isEqualTo(Arrays.copyOf(expected, expectedCount));
  }

  /** Does one piece after the other, and finds out which pages each of them has changed. */
  private void shareOneByOne(int pieces, IntConsumer piece) {
    Map<Chunk, Long> changes = changes();
    Set<Chunk> changed = new HashSet<>();
    for (int i = 0; i < pieces; i++) {
      piece.accept(i);
      for (Map.Entry<Chunk, Long> page : changes().entrySet()) {
        if (!page.getValue().equals(changes.get(page.getKey()))) {
          assertThat(changed.add(page.getKey())).as("a page of one piece, seed %d", SEED).isTrue();
        }
      }
      changes = changes();
    }
  }

  private Map<Chunk, Long> changes() {
    Map<Chunk, Long> changes = new HashMap<>();
    shared.forEachChunk(chunk -> changes.put(chunk, chunk.changes()));
    return changes;
  }

  private void requireSame(long[] hashes) {
    assertThat(shared.entryCount()).as("seed %d", SEED).isEqualTo(alone.entryCount());
    List<String> problems = new ArrayList<>();
    shared.check(problems);
    assertThat(problems).as("seed %d", SEED).isEmpty();
    for (long hash : hashes) {
      long row = Long.MAX_VALUE;
      for (int found = 0; row >= 0 && found < 5; found++) {
        long next = shared.candidateBelow(hash, row);
        assertThat(next).as("seed %d", SEED).isEqualTo(alone.candidateBelow(hash, row));
        row = next < 0 ? next : next + 1;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anyBatchesHaveTheEntriesAndSuspectsOfOneByOne(int run) {
    Random random = new Random(SEED + run);
    long[] before = random.longs(97_000 + random.nextInt(140_000)).toArray();
    insert(random, before, false, THREADS);
    for (int step = 0; step < 25; step++) {
      int n = 1 + random.nextInt(new int[] {600, 3000, 20_000}[random.nextInt(3)]);
      long[] hashes = hashes(random, n, before);
      SharedWork workers = step % 2 == 0 ? THREADS : this::shareOneByOne;
      insert(random, hashes, random.nextInt(4) == 0, workers);
      if (step % 5 == 0) {
        requireSame(hashes);
      }
      before = hashes;
    }
    requireSame(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keysWithNullsHaveNoEntriesAndAreNotSuspect(boolean threads) {
    Random random = new Random(SEED);
    insert(random, random.longs(200_000).toArray(), false, SharedWork.ALONE);
    int n = 5000;
    long[] values = random.longs(n).toArray();
    System.arraycopy(values, 3000, values, 4000, 3);
    int[] valid = new int[(n + 31) / 32];
    Arrays.fill(valid, -1);
    for (int nulled : new int[] {3000, 4001, 77}) {
      valid[nulled / 32] &= ~(1 << nulled);
    }
    KeyBatch keys = new KeyBatch();
    keys.begin(0, n, rows);
    keys.add(ElementType.I64, MemorySegment.ofArray(values), MemorySegment.ofArray(valid));
    long[] hashes = keys.hashes();
    IntPredicate suspect =
        i -> !keys.isNull(i) && (alone.insert(hashes[i], rows + i) & HashIndexPage.SUSPECT) != 0;
    int[] expected = IntStream.range(0, n).filter(suspect).toArray();
    assertThat(expected).as("seed %d", SEED).contains(4002).doesNotContain(4000, 4001);
    int[] suspects = new int[n];
    int count = shared.insertAll(keys, suspects, threads ? THREADS : SharedWork.ALONE);
    assertThat(Arrays.copyOf(suspects, count)).as("seed %d", SEED).isEqualTo(expected);
    requireSame(hashes);
    assertThat(shared.contains(new long[] {values[77]}, rows + 77)).isFalse();
    assertThat(shared.contains(new long[] {values[78]}, rows + 78)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void wherePartsFailTheOthersAreThere(int every) {
    Random random = new Random(SEED);
    insert(random, random.longs(400_000).toArray(), false, SharedWork.ALONE);
    SharedWork failing =
        (pieces, piece) -> {
          assertThat(pieces).isGreaterThan(3);
          for (int i = 0; i < pieces; i += every) {
            piece.accept(i);
          }
          throw new IllegalStateException("stopped");
        };
    long[] more = random.longs(9000).toArray();
    KeyBatch keys = new KeyBatch();
    keys.begin(0, more.length, rows);
    assertThatThrownBy(() -> shared.insertAll(more, keys, null, failing)).hasMessage("stopped");
    assertThat(shared.entryCount()).isBetween(400_001L, 408_999L);
    insert(random, more, false, THREADS);
    requireSame(more);
  }
}
