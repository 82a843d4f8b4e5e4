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
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.tablet.Chunk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Batches of entries that several threads append to leaves, and whoever reads a leaf has sorted,
 * against a TreeSet: among single inserts, removals, look-ups, checkpoints and readers.
 */
class OrderedBatchesTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);

  /** Histories: six with {@code -Dgpdb.fuzz=3}. */
  private static final int RUNS = 2 * Integer.getInteger("gpdb.fuzz", 1);

  private static final int TABLE = 9;

  /** Keys from here on come behind all others. */
  private static final long LAST = Long.MAX_VALUE - 100_000_000;

  private static final SharedWork THREADS =
      (pieces, piece) -> IntStream.range(0, pieces).parallel().forEach(piece);

  private final StorageDirectory medium = new CrashableDirectory();
  private TableSpace space = TableSpace.open(medium, false);
  private OrderedIndex index = create();
  private final NavigableSet<Entry> model = new TreeSet<>(ORDER);
  private final List<Entry> given = new ArrayList<>();

  private record Entry(long key, long row) {}

  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::key).thenComparingLong(Entry::row);

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  private OrderedIndex create() {
    IndexShape shape = new IndexShape(1, IndexKind.ORDERED, new int[] {0}, false);
    List<ColumnShape> columns = List.of(new ColumnShape("K", ElementType.I64));
    return (OrderedIndex)
        space.createTable(TABLE, new TableShape(columns, List.of(shape))).index(0);
  }

  private OrderedIndex stored() {
    return (OrderedIndex) Objects.requireNonNull(space.table(TABLE)).index(0);
  }

  private void insert(List<Entry> entries, SharedWork workers) {
    index.insertAll(batch(entries), null, workers);
    model.addAll(entries);
    given.addAll(entries);
  }

  private static KeyBatch batch(List<Entry> entries) {
    long first = entries.getFirst().row;
    boolean neighbours =
        IntStream.range(0, entries.size()).allMatch(i -> entries.get(i).row == first + i);
    long[] keys = entries.stream().mapToLong(Entry::key).toArray();
    return neighbours
        ? SampleKeys.keys(first, keys)
        : SampleKeys.keys(entries.stream().mapToLong(Entry::row).toArray(), keys);
  }

  private List<Entry> entries(Random random, long row) {
    int n = 1 + random.nextInt(new int[] {3, 40, 700, 9000, 20_000}[random.nextInt(5)]);
    int kind = random.nextInt(6);
    long base = random.nextInt(1000) * 1000L;
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      entries.add(
          switch (kind) {
            case 0 -> new Entry(random.nextLong(), row + i);
            case 1 -> new Entry(random.nextInt(4), row + i);
            case 2 -> new Entry(base + i, row + i);
            case 3 -> new Entry(LAST + row + i, row + i);
            case 4 -> new Entry(LAST + row + i / 2, row + i / 2);
            default -> given.isEmpty() ? new Entry(7, 7) : given.get(random.nextInt(given.size()));
          });
    }
    return entries;
  }

  private static List<Entry> read(OrderedIndex index, OrderedRange range, boolean descending) {
    List<Entry> found = new ArrayList<>();
    OrderedCursor cursor = new OrderedCursor(descending);
    while (index.read(range, cursor)) {
      for (int i = 0; i < cursor.count(); i++) {
        found.add(new Entry(KeyBytes.longAt(cursor.entry(i), 1) ^ Long.MIN_VALUE, cursor.row(i)));
      }
    }
    return found;
  }

  private OrderedRange range(long low, long high) {
    KeyBytes from = new KeyBytes(16);
    KeyBytes to = new KeyBytes(16);
    index.keys().append(from, new long[] {low}, null);
    index.keys().append(to, new long[] {high}, null);
    return new OrderedRange(from, false, to, false);
  }

  private void requireRange(Random random) {
    long a = given.get(random.nextInt(given.size())).key;
    long b = random.nextBoolean() ? a : given.get(random.nextInt(given.size())).key;
    long low = Math.min(a, b);
    long high = Math.max(a, b);
    List<Entry> expected =
        List.copyOf(model.subSet(new Entry(low, 0), true, new Entry(high, Long.MAX_VALUE), true));
    boolean descending = random.nextBoolean();
    assertThat(read(index, range(low, high), descending))
        .as("seed %d", SEED)
        .isEqualTo(descending ? expected.reversed() : expected);
  }

  private void requireCandidates(Random random) {
    long key = given.get(random.nextInt(given.size())).key;
    List<Long> expected =
        new ArrayList<>(
            model.subSet(new Entry(key, 0), new Entry(key, Long.MAX_VALUE)).stream()
                .map(Entry::row)
                .toList());
    Collections.reverse(expected);
    List<Long> found = new ArrayList<>();
    for (long row = index.firstCandidate(new long[] {key});
        row >= 0 && found.size() < 50;
        row = index.nextCandidate(new long[] {key}, row)) {
      found.add(row);
    }
    assertThat(found).as("seed %d", SEED).isEqualTo(expected.subList(0, found.size()));
    assertThat(found).hasSize(Math.min(50, expected.size()));
  }

  private static void requireWhole(OrderedIndex index, NavigableSet<Entry> model) {
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).as("seed %d", SEED).isEmpty();
    assertThat(read(index, OrderedRange.all(), false)).as("seed %d", SEED).isEqualTo(list(model));
    assertThat(index.entryCount()).as("seed %d", SEED).isEqualTo(model.size());
  }

  private static List<Entry> list(NavigableSet<Entry> model) {
    return new ArrayList<>(model);
  }

  private void reopen() {
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    space = TableSpace.open(medium, false);
    index = stored();
  }

  static IntStream runs() {
    return IntStream.range(0, RUNS);
  }

  @ParameterizedTest
  @MethodSource("runs")
  void anyHistoryHasTheEntriesOfTheModel(int run) {
    Random random = new Random(SEED + run);
    SharedWork workers = run % 2 == 0 ? THREADS : SharedWork.ALONE;
    for (int step = 0; step < 60; step++) {
      insert(entries(random, step * 20_000L), workers);
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> requireRange(random);
        case 3 -> requireCandidates(random);
        case 4 -> {
          Entry entry = new Entry(random.nextInt(4), random.nextInt(1000));
          assertThat(index.insert(new long[] {entry.key}, entry.row)).isEqualTo(model.add(entry));
        }
        case 5 -> {
          Entry entry = given.get(random.nextInt(given.size()));
          assertThat(index.remove(new long[] {entry.key}, entry.row))
              .isEqualTo(model.remove(entry));
        }
        case 6 -> requireWhole(index, model);
        case 7 -> {
          if (step % 4 == 0) {
            reopen();
          }
        }
        default -> {} // more is appended before anybody reads
      }
    }
    requireWhole(index, model);
    reopen();
    requireWhole(index, model);
  }

  @Test
  void entriesAboveAllThatAreInOrderMayComeBehindOthersThatAreNot() {
    long row = 0;
    for (long first : new long[] {100, 0, 500, 300, 50, 900}) {
      List<Entry> entries = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        entries.add(new Entry(first + i, row++));
      }
      insert(entries, SharedWork.ALONE);
    }
    requireWhole(index, model);
  }

  @Test
  void rowsThatGoToAndFroBetweenTwoKeysTakeNoMoreLeaves() {
    for (int round = 0; round < 40; round++) {
      List<Entry> entries = new ArrayList<>();
      for (int row = 0; row < 5000; row++) {
        entries.add(new Entry(round % 2, row * 3L));
      }
      insert(entries, THREADS);
    }
    requireWhole(index, model);
    List<Chunk> leaves = new ArrayList<>();
    index.forEachChunk(leaves::add);
    assertThat(leaves).hasSizeLessThan(20); // 10 000 entries are 5 leaves and a half
  }

  @Test
  void wherePartsFailTheOthersAreThere() {
    Random random = new Random(SEED);
    List<Entry> before = new ArrayList<>();
    for (int row = 0; row < 100_000; row++) {
      before.add(new Entry(random.nextLong(), row));
    }
    insert(before, THREADS);
    long used = space.memory().tables().usedBytes();
    SharedWork failing =
        (pieces, piece) -> {
          assertThat(pieces).isGreaterThan(8);
          for (int i = 0; i < pieces; i += 2) {
            piece.accept(i);
          }
          throw new IllegalStateException("stopped");
        };
    List<Entry> more = new ArrayList<>();
    for (int row = 100_000; row < 108_000; row++) {
      more.add(new Entry(random.nextLong(), row));
    }
    assertThatThrownBy(() -> index.insertAll(batch(more), null, failing)).hasMessage("stopped");
    List<Entry> found = read(index, OrderedRange.all(), false);
    assertThat(new HashSet<>(found).containsAll(before)).as("seed %d", SEED).isTrue();
    assertThat(found.size()).isBetween(102_000, 106_000);
    found.forEach(entry -> given.add(entry));
    model.addAll(found);
    requireWhole(index, model);
    insert(more, THREADS);
    requireWhole(index, model);
    index.discard();
    assertThat(space.memory().tables().usedBytes()).isLessThan(used);
  }

  @Test
  void entriesThatAppearAmongThoseThatAreGoneAreRead() {
    List<Entry> queue = new ArrayList<>();
    for (int row = 0; row < 10_000; row++) {
      queue.add(new Entry(2L * row, row));
    }
    insert(queue, THREADS);
    OrderedCursor cursor = new OrderedCursor(false);
    assertThat(index.read(OrderedRange.all(), cursor)).isTrue();
    int n = cursor.count();
    index.noteGone(OrderedRange.all(), cursor, cursor.entry(n - 1), n);
    assertThat(read(index, OrderedRange.all(), false))
        .isEqualTo(list(model).subList(n, model.size()));
    insert(List.of(new Entry(5, 20_000), new Entry(50_000, 20_001)), THREADS);
    assertThat(read(index, OrderedRange.all(), false)).isEqualTo(list(model));
    // What came before the reader noted what it met is not gone.
    OrderedCursor late = new OrderedCursor(false);
    assertThat(index.read(OrderedRange.all(), late)).isTrue();
    insert(List.of(new Entry(3, 20_002), new Entry(50_001, 20_003)), THREADS);
    index.noteGone(OrderedRange.all(), late, late.entry(late.count() - 1), late.count());
    assertThat(read(index, OrderedRange.all(), false)).isEqualTo(list(model));
  }

  @Test
  void readersFindAllThatWasThereWhileBatchesCome() throws Exception {
    Random random = new Random(SEED);
    List<Entry> before = new ArrayList<>();
    for (int row = 0; row < 30_000; row++) {
      before.add(new Entry(random.nextLong(), row));
    }
    insert(before, THREADS);
    AtomicBoolean done = new AtomicBoolean();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                Random own = new Random(SEED + 1);
                while (!done.get()) {
                  Entry entry = before.get(own.nextInt(before.size()));
                  assertThat(index.contains(new long[] {entry.key}, entry.row)).isTrue();
                  assertThat(read(index, range(entry.key, entry.key), own.nextBoolean()))
                      .contains(entry);
                }
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    reader.start();
    for (int batch = 0; batch < 20; batch++) {
      List<Entry> more = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        more.add(new Entry(random.nextLong(), 30_000 + batch * 5000L + i));
      }
      insert(more, THREADS);
    }
    done.set(true);
    reader.join();
    assertThat(failure.get()).as("seed %d", SEED).isNull();
    requireWhole(index, model);
  }

  @Test
  void aCheckpointAmongBatchesHasAllEntriesFromBefore() throws Exception {
    Random random = new Random(SEED);
    List<Entry> before = new ArrayList<>();
    for (int row = 0; row < 100_000; row++) {
      before.add(new Entry(random.nextLong(), row));
    }
    insert(before, THREADS);
    AtomicBoolean done = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (int at = 100_000; at < 2_000_000 && !done.get(); at += 500) {
                List<Entry> more = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                  more.add(new Entry(random.nextLong(), at + i));
                }
                insert(more, SharedWork.ALONE);
              }
            });
    writer.start();
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    done.set(true);
    writer.join();
    space.close();
    space = TableSpace.open(medium, false);
    index = stored();
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).as("seed %d", SEED).isEmpty();
    List<Entry> found = read(index, OrderedRange.all(), false);
    assertThat(new HashSet<>(found).containsAll(before)).as("seed %d", SEED).isTrue();
    assertThat(model.containsAll(found)).as("seed %d", SEED).isTrue();
  }
}
