package io.gpdb.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashIndexTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261121L);

  private final StorageDirectory medium = new CrashableDirectory();
  private final TableSpace space = TableSpace.open(medium, false);
  private final HashIndex index = space.createTable(16, SampleTables.SHAPE).index(0);

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  private static List<Long> candidates(HashIndex index, long hash) {
    List<Long> rows = new ArrayList<>();
    for (long c = index.firstCandidate(hash); c >= 0; c = index.nextCandidate(hash, c)) {
      rows.add(index.row(c));
    }
    return rows;
  }

  private static long[] hashes(int n, long from) {
    long[] hashes = new long[n];
    for (int i = 0; i < n; i++) {
      hashes[i] = KeyHash.hash(from + i);
    }
    return hashes;
  }

  @Test
  void anEmptyIndexHasNoCandidates() {
    assertThat(index.firstCandidate(KeyHash.hash(1))).isEqualTo(-1);
    long[] cursors = new long[3];
    index.firstCandidates(hashes(3, 0), 3, cursors);
    assertThat(cursors).containsOnly(-1);
    assertThat(index.remove(5, 5)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 127, 128, 129, 1500, 1600, 30_000, 300_000})
  void everyEntryIsFoundHoweverTheyCame(int n) {
    long[] hashes = hashes(n, 0);
    int half = n / 2;
    index.insertAll(hashes, 0, half);
    for (int i = half; i < n; i++) {
      index.insert(hashes[i], i);
    }
    int strangers = 0;
    long[] cursors = new long[n];
    index.firstCandidates(hashes, n, cursors);
    for (int i = 0; i < n; i++) {
      assertThat(SampleTables.finds(index, hashes[i], i)).isTrue();
      strangers += candidates(index, KeyHash.hash(i + 10_000_000L)).size();
      assertThat(cursors[i]).isEqualTo(index.firstCandidate(hashes[i]));
    }
    assertThat(strangers).isLessThanOrEqualTo(n / 100);
    assertThat(index.entryCount()).isEqualTo(n);
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).isEmpty();
  }

  @Test
  void candidatesComeByDescendingRowAndAgainstACheapModel() {
    Random random = new Random(SEED);
    Map<Long, List<Long>> model = new HashMap<>();
    for (int i = 0; i < 60_000; i++) {
      long hash = KeyHash.hash(random.nextInt(3000));
      long row = random.nextInt(1 << 20);
      List<Long> rows = model.computeIfAbsent(hash, h -> new ArrayList<>());
      boolean absent = !rows.contains(row);
      assertThat(index.insertIfAbsent(hash, row)).as("seed %d, step %d", SEED, i).isEqualTo(absent);
      if (absent) {
        rows.add(row);
      }
      if (i % 7 == 0) {
        long gone = rows.get(random.nextInt(rows.size()));
        assertThat(index.remove(hash, gone)).isTrue();
        rows.remove(gone);
      }
    }
    model.forEach(
        (hash, rows) -> {
          List<Long> found = candidates(index, hash);
          assertThat(found).containsAll(rows);
          assertThat(found)
              .isSortedAccordingTo((a, b) -> Long.compare(b, a))
              .doesNotHaveDuplicates();
        });
  }

  @Test
  void thousandsOfRowsUnderOneHashAreAllKept() {
    long hash = KeyHash.hash(7);
    for (int i = 0; i < 5000; i++) {
      index.insert(hash, i);
    }
    index.insertAll(hashes(200_000, 1000), 10_000, 200_000);
    assertThat(candidates(index, hash)).hasSize(5000).startsWith(4999L).endsWith(0L);
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      HashIndex loaded = Objects.requireNonNull(again.table(16)).index(0);
      assertThat(candidates(loaded, hash)).hasSize(5000);
      assertThat(loaded.entryCount()).isEqualTo(205_000);
      assertThat(again.check()).isEmpty();
    }
  }

  @Test
  void suspectsAreThoseWithAnEarlierCandidateOfAnotherRow() {
    long[] hashes = hashes(2000, 0);
    assertThat(index.insertAll(hashes, 0, 2000, new int[2000])).isZero();
    assertThat(index.insertAll(hashes, 0, 2000, new int[2000])).as("the same rows").isZero();
    long[] more = hashes(100, 1950);
    more[70] = more[60];
    int[] suspects = new int[100];
    int n = index.insertAll(more, 5000, 100, suspects);
    assertThat(n).isEqualTo(51);
    assertThat(suspects[49]).isEqualTo(49);
    assertThat(suspects[50]).isEqualTo(70);
  }

  /** Two transactions that insert one key must meet, wherever its entries had to go. */
  @Test
  void candidatesThatFoundNoPlaceAmongOthersAreSuspectToo() {
    long crowd = 1L << IndexLayout.PREFIX_SHIFT | 5;
    long late = 2L << IndexLayout.PREFIX_SHIFT | 5;
    int slots = IndexLayout.STEPS * IndexLayout.GROUP_SLOTS;
    for (int i = 0; i < slots; i++) {
      index.insert(crowd, i);
    }
    int[] suspects = new int[1];
    assertThat(index.insertAll(new long[] {late}, 1000, 1, suspects)).as("the first").isZero();
    assertThat(index.insertAll(new long[] {late}, 1000, 1, suspects)).as("the same").isZero();
    assertThat(index.insertAll(new long[] {late}, 1001, 1, suspects)).as("another").isOne();
    assertThat(index.remove(crowd, 7)).isTrue();
    assertThat(index.insertAll(new long[] {late}, 1002, 1, suspects)).as("with a place").isOne();
    assertThat(candidates(index, late)).containsExactly(1002L, 1001L, 1000L);
  }

  @Test
  void entriesAreFoundWhileOthersSplitPages() throws Exception {
    index.insertAll(hashes(1000, 0), 0, 1000);
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                while (!done.get()) {
                  for (int i = 0; i < 1000; i++) {
                    if (!SampleTables.finds(index, KeyHash.hash(i), i)) {
                      throw new AssertionError("row " + i + " was not found");
                    }
                  }
                }
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    reader.start();
    for (int at = 1000; at < 400_000; at += 500) {
      index.insertAll(hashes(500, at), at, 500);
    }
    done.set(true);
    reader.join();
    assertThat(failure.get()).isNull();
  }

  @Test
  void aCheckpointAmongInsertsHasAllEntriesFromBefore() throws Exception {
    index.insertAll(hashes(200_000, 0), 0, 200_000);
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (int at = 200_000; at < 2_000_000 && !done.get(); at += 100) {
                index.insertAll(hashes(100, at), at, 100);
              }
            });
    writer.start();
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    done.set(true);
    writer.join();
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      HashIndex loaded = Objects.requireNonNull(again.table(16)).index(0);
      for (int i = 0; i < 200_000; i++) {
        if (!SampleTables.finds(loaded, KeyHash.hash(i), i)) {
          throw new AssertionError("row " + i + " was not found");
        }
      }
      List<String> problems = new ArrayList<>();
      loaded.check(problems);
      assertThat(problems).isEmpty();
      loaded.insertAll(hashes(300_000, 5_000_000), 5_000_000, 300_000);
      assertThat(SampleTables.finds(loaded, KeyHash.hash(5_000_001), 5_000_001)).isTrue();
    }
  }

  @Test
  void aRowBeyondTheLimitIsRefused() {
    assertThatThrownBy(() -> index.insert(1, IndexLayout.ROWS_MAX + 1))
        .hasMessageContaining("limit=" + IndexLayout.ROWS_MAX);
    index.insert(1, IndexLayout.ROWS_MAX);
    assertThat(candidates(index, 1)).containsExactly(IndexLayout.ROWS_MAX);
  }
}
