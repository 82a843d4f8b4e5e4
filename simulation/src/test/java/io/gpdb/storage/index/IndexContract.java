package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every kind of index does for the engine. */
abstract class IndexContract {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);
  private static final int TABLE = 16;

  final StorageDirectory medium = new CrashableDirectory();
  final TableSpace space = TableSpace.open(medium, false);
  final Index index = index(0);

  abstract IndexKind kind();

  /** Of a table of its own, over these of {@link SampleTables#SHAPE}'s columns. */
  private Index index(int... columns) {
    int tableId = TABLE + columns.length - 1;
    IndexShape shape = new IndexShape(1, kind(), columns, true);
    return space
        .createTable(tableId, new TableShape(SampleTables.SHAPE.columns(), List.of(shape)))
        .index(0);
  }

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  static List<Long> candidates(Index index, long... key) {
    List<Long> rows = new ArrayList<>();
    for (long row = index.firstCandidate(key); row >= 0; row = index.nextCandidate(key, row)) {
      rows.add(row);
    }
    return rows;
  }

  /** The key that stands for a number: another one for each. */
  long keyOf(long number) {
    return number;
  }

  /** Keys of one column, in the order of their rows. */
  private long[] ids(int n, long from) {
    return LongStream.range(from, from + n).map(this::keyOf).toArray();
  }

  private static void insertAll(Index index, long[] ids, long firstRow) {
    index.insertAll(SampleKeys.keys(firstRow, ids), null);
  }

  private void requireContains(Index index, int n) {
    for (int i = 0; i < n; i++) {
      if (!index.contains(new long[] {keyOf(i)}, i)) {
        throw new AssertionError("row " + i + " was not found");
      }
    }
  }

  private static void requireWhole(Index index) {
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).isEmpty();
  }

  private static Index reopened(TableSpace space) {
    return Objects.requireNonNull(space.table(TABLE)).index(0);
  }

  @Test
  void anEmptyIndexHasNoCandidates() {
    assertThat(index.firstCandidate(new long[] {1})).isEqualTo(-1);
    long[] rows = new long[3];
    index.firstCandidates(ids(3, 0), 0, 3, rows);
    assertThat(rows).containsOnly(-1);
    assertThat(index.remove(new long[] {5}, 5)).isFalse();
    assertThat(index.contains(new long[] {5}, 5)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 127, 128, 129, 1500, 1600, 30_000, 300_000})
  void everyEntryIsFoundHoweverTheyCame(int n) {
    long[] ids = ids(n, 0);
    int half = n / 2;
    insertAll(index, ids(half, 0), 0);
    for (int i = half; i < n; i++) {
      index.insert(new long[] {keyOf(i)}, i);
    }
    requireContains(index, n);
    long[] rows = new long[n];
    index.firstCandidates(ids, 0, half, rows);
    index.firstCandidates(ids, half, n, rows);
    assertThat(rows)
        .isEqualTo(LongStream.of(ids).map(id -> index.firstCandidate(new long[] {id})).toArray());
    int strangers = 0;
    for (int i = 0; i < n; i++) {
      strangers += candidates(index, keyOf(i + 10_000_000L)).size();
    }
    assertThat(strangers).isLessThanOrEqualTo(n / 100);
    assertThat(index.entryCount()).isEqualTo(n);
    requireWhole(index);
  }

  @Test
  void candidatesComeByDescendingRowAndAgainstACheapModel() {
    Random random = new Random(SEED);
    Map<Long, List<Long>> model = new HashMap<>();
    for (int i = 0; i < 60_000; i++) {
      long id = random.nextInt(3000);
      long[] key = {keyOf(id)};
      long row = random.nextInt(1 << 20);
      List<Long> rows = model.computeIfAbsent(id, h -> new ArrayList<>());
      boolean absent = !rows.contains(row);
      assertThat(index.insert(key, row)).as("seed %d, step %d", SEED, i).isEqualTo(absent);
      if (absent) {
        rows.add(row);
      }
      if (i % 7 == 0) {
        long gone = rows.get(random.nextInt(rows.size()));
        assertThat(index.remove(key, gone)).isTrue();
        rows.remove(gone);
      }
    }
    model.forEach(
        (id, rows) -> {
          List<Long> found = candidates(index, keyOf(id));
          assertThat(found).containsAll(rows);
          assertThat(found).isSortedAccordingTo(Comparator.reverseOrder()).doesNotHaveDuplicates();
        });
  }

  @Test
  void aKeyOfTwoColumnsIsOneOfBothInTheirOrder() {
    Index pairs = index(2, 0);
    KeyBatch keys = new KeyBatch();
    keys.begin(1, 3, 50);
    keys.add(ElementType.I32, MemorySegment.ofArray(new int[] {99, 7, 7, 8}), null);
    keys.add(ElementType.I64, MemorySegment.ofArray(new long[] {99, 1, 2, 1}), null);
    assertThat(pairs.insertAll(keys, new int[3])).isZero();
    assertThat(pairs.insert(new long[] {1, 7}, 53)).isTrue();
    assertThat(candidates(pairs, 7, 1)).containsExactly(50L);
    assertThat(candidates(pairs, 7, 2)).containsExactly(51L);
    assertThat(candidates(pairs, 8, 1)).containsExactly(52L);
    long[] rows = new long[3];
    pairs.firstCandidates(new long[] {1, 7, 2, 7, 7, 2}, 0, 3, rows);
    assertThat(rows).containsExactly(53, -1, 51);
  }

  @Test
  void aKeyWithANullIsNobodysDuplicate() {
    Index pairs = index(0, 2);
    MemorySegment valid = MemorySegment.ofArray(new int[] {0b10110});
    KeyBatch keys = new KeyBatch();
    keys.begin(1, 4, 10);
    keys.add(ElementType.I64, MemorySegment.ofArray(new long[] {0, 1, 2, 3, 1}), null);
    keys.add(ElementType.I32, MemorySegment.ofArray(new int[] {0, 5, 6, 0, 5}), valid);
    int[] suspects = new int[4];
    assertThat(pairs.insertAll(keys, suspects)).isOne();
    assertThat(suspects[0]).as("the fourth key is the first again").isEqualTo(3);
    assertThat(pairs.entryCount()).isEqualTo(pairs.holdsNulls() ? 4 : 3);
    boolean[] nulls = {false, true};
    assertThat(pairs.contains(new long[] {3, 0}, nulls, 12)).isEqualTo(pairs.holdsNulls());
    assertThat(pairs.insert(new long[] {3, 0}, nulls, 20)).isEqualTo(pairs.holdsNulls());
    assertThat(pairs.insert(new long[] {3, 0}, nulls, 20)).isFalse();
    assertThat(pairs.contains(new long[] {3, 0}, nulls, 20)).isEqualTo(pairs.holdsNulls());
    assertThat(candidates(pairs, 1, 5)).containsExactly(13L, 10L);
    assertThat(candidates(pairs, 3, 0)).isEmpty();
  }

  @Test
  void thousandsOfRowsUnderOneKeyAreAllKept() {
    long[] key = {keyOf(7)};
    for (int i = 0; i < 5000; i++) {
      index.insert(key, i);
    }
    insertAll(index, ids(200_000, 1000), 10_000);
    assertThat(candidates(index, key)).hasSize(5000).startsWith(4999L).endsWith(0L);
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      Index loaded = reopened(again);
      assertThat(candidates(loaded, key)).hasSize(5000);
      assertThat(loaded.entryCount()).isEqualTo(205_000);
      assertThat(again.check()).isEmpty();
    }
  }

  @Test
  void aRowThatComesBackToAKeyThatAnotherRowHasIsSuspect() {
    index.insert(new long[] {7}, 1);
    index.insert(new long[] {7}, 2);
    int[] suspects = new int[1];
    for (long row = 1; row <= 2; row++) {
      assertThat(index.insertAll(SampleKeys.keys(row, new long[] {7}), suspects))
          .as("row %d", row)
          .isOne();
    }
    for (int i = 3; i < 100; i++) { // so many that some find no place among others
      index.insert(new long[] {7}, i);
    }
    for (long row = 1; row < 100; row++) {
      assertThat(index.insertAll(SampleKeys.keys(row, new long[] {7}), suspects))
          .as("row %d", row)
          .isOne();
    }
  }

  @Test
  void suspectsAreThoseWithAnEarlierCandidateOfAnotherRow() {
    KeyBatch keys = SampleKeys.keys(0, ids(2000, 0));
    assertThat(index.insertAll(keys, new int[2000])).isZero();
    assertThat(index.insertAll(keys, new int[2000])).as("the same rows").isZero();
    long[] more = ids(100, 1950);
    more[70] = more[60];
    int[] suspects = new int[100];
    int n = index.insertAll(SampleKeys.keys(5000, more), suspects);
    assertThat(n).isEqualTo(51);
    assertThat(suspects[49]).isEqualTo(49);
    assertThat(suspects[50]).isEqualTo(70);
  }

  @Test
  void entriesAreFoundWhileOthersAreInserted() throws Exception {
    insertAll(index, ids(1000, 0), 0);
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                while (!done.get()) {
                  requireContains(index, 1000);
                }
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    reader.start();
    for (int at = 1000; at < 400_000; at += 500) {
      insertAll(index, ids(500, at), at);
    }
    done.set(true);
    reader.join();
    assertThat(failure.get()).isNull();
  }

  /** Its first bytes are those of the home image, the later ones its own. */
  @Test
  void aReopenedIndexSeesWhatComesAfterALookUp() {
    insertAll(index, ids(1000, 0), 0);
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      Index loaded = reopened(again);
      requireContains(loaded, 1000);
      for (int i = 1000; i < 1010; i++) {
        loaded.insert(new long[] {keyOf(i)}, i);
      }
      requireContains(loaded, 1010);
      long[] rows = new long[1010];
      loaded.firstCandidates(ids(1010, 0), 0, 1010, rows);
      assertThat(rows).containsExactly(LongStream.range(0, 1010).toArray());
    }
  }

  @Test
  void aCheckpointAmongInsertsHasAllEntriesFromBefore() throws Exception {
    insertAll(index, ids(200_000, 0), 0);
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (int at = 200_000; at < 2_000_000 && !done.get(); at += 100) {
                insertAll(index, ids(100, at), at);
              }
            });
    writer.start();
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    done.set(true);
    writer.join();
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      Index loaded = reopened(again);
      requireContains(loaded, 200_000);
      requireWhole(loaded);
      insertAll(loaded, ids(300_000, 5_000_000), 5_000_000);
      assertThat(loaded.contains(new long[] {keyOf(5_000_001)}, 5_000_001)).isTrue();
    }
  }

  @Test
  void aDiscardedIndexIsEmptyAndKeepsNoMemory() {
    insertAll(index, ids(50_000, 0), 0);
    index.discard();
    assertThat(index.entryCount()).isZero();
    assertThat(index.firstCandidate(new long[] {7})).isEqualTo(-1);
    List<Long> held = new ArrayList<>();
    index.forEachChunk(chunk -> held.add(chunk.capacityBytes()));
    assertThat(held).allMatch(bytes -> bytes == 0);
  }
}
