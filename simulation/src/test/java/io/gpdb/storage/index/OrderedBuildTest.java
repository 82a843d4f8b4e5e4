package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ordered indexes that are built over rows, changed by batches, and reopened, against a TreeMap.
 */
class OrderedBuildTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int NAME = 1;
  private static final int SCORE = 2;
  private static final SharedWork THREADS =
      (pieces, piece) -> IntStream.range(0, pieces).parallel().forEach(piece);

  private final StorageDirectory medium = new CrashableDirectory();
  private final TableSpace space = TableSpace.open(medium, false);
  private final Random random = new Random(SEED);

  /** What the rows of the table have; by row. */
  private final Map<Long, Key> rows = new HashMap<>();

  private record Key(@Nullable Integer score, byte[] name) {}

  @AfterEach
  void close() {
    space.close();
    medium.close();
  }

  private TableStore table() {
    return space.createTable(9, new TableShape(SampleTables.SHAPE.columns(), List.of()));
  }

  /** Appends rows, of which some are dead. */
  private void fill(TableStore table, int n, int scores, int nameBytes, int dead) {
    long first = table.appendRows(n);
    for (int i = 0; i < n; i++) {
      put(table, first + i, scores, nameBytes, dead > 0 && random.nextInt(dead) == 0);
    }
  }

  private void put(TableStore table, long row, int scores, int nameBytes, boolean dead) {
    Integer score = random.nextInt(9) == 0 ? null : random.nextInt(2 * scores) - scores;
    byte[] name = new byte[random.nextInt(nameBytes + 1)];
    for (int i = 0; i < name.length; i++) {
      name[i] = (byte) (i < nameBytes - 4 ? 7 : random.nextInt(3) - 1);
    }
    Tablet tablet = table.tablet((int) (row / Tablet.ROWS));
    int at = (int) (row % Tablet.ROWS);
    int code = Objects.requireNonNull(table.dictionary(NAME)).intern(name, 0, name.length);
    MemorySegment names = tablet.writableValues(NAME).onHost().segment();
    names.set(ValueLayout.JAVA_INT, at * 4L, code);
    MemorySegment values = tablet.writableValues(SCORE).onHost().segment();
    values.set(ValueLayout.JAVA_INT, at * 4L, score == null ? 0 : score);
    MemorySegment valid = tablet.writableValidity(SCORE).onHost().segment();
    SampleTables.setBit(valid, at, score != null);
    if (!dead) {
      SampleTables.setBit(tablet.writableLive().onHost().segment(), at, true);
      tablet.liveCountAdd(1);
      rows.put(row, new Key(score, name));
    }
  }

  private static Comparator<Key> order(boolean scoreDown, boolean nameDown) {
    Comparator<Key> scores =
        Comparator.comparing(Key::score, Comparator.nullsLast(Comparator.naturalOrder()));
    Comparator<Key> names = (a, b) -> Arrays.compareUnsigned(a.name, b.name);
    return (scoreDown ? scores.reversed() : scores)
        .thenComparing(nameDown ? names.reversed() : names);
  }

  private static IndexShape shape(boolean scoreDown, boolean nameDown, boolean unique) {
    return new IndexShape(
        1, IndexKind.ORDERED, new int[] {SCORE, NAME}, new boolean[] {scoreDown, nameDown}, unique);
  }

  /** All rows in the order that the index has to have. */
  private List<Long> expected(Comparator<Key> order) {
    TreeMap<Key, List<Long>> model = new TreeMap<>(order);
    rows.forEach((row, key) -> model.computeIfAbsent(key, _ -> new ArrayList<>()).add(row));
    return model.values().stream().flatMap(same -> same.stream().sorted()).toList();
  }

  private static List<Long> entries(OrderedIndex index) {
    List<Long> found = new ArrayList<>();
    OrderedCursor cursor = new OrderedCursor(false);
    while (index.read(OrderedRange.all(), cursor)) {
      for (int i = 0; i < cursor.count(); i++) {
        found.add(cursor.row(i));
      }
    }
    return found;
  }

  private static void requireWhole(OrderedIndex index, List<Long> expected) {
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).as("seed %d", SEED).isEmpty();
    assertThat(entries(index)).as("seed %d", SEED).isEqualTo(expected);
    assertThat(index.entryCount()).isEqualTo(expected.size());
  }

  @ParameterizedTest
  @CsvSource({
    // rows, scores, bytes of names, one of how many is dead
    "0, 1, 0, 0",
    "1, 1, 0, 0",
    "3000, 100000, 2, 3",
    "65536, 2, 3, 0",
    "200000, 1000000, 0, 20",
    "150000, 3, 5, 50",
    "20000, 2, 515, 0",
  })
  void aBuiltIndexIsChangedAndReopened(int n, int scores, int nameBytes, int dead) {
    boolean scoreDown = random.nextBoolean();
    boolean nameDown = random.nextBoolean();
    Comparator<Key> order = order(scoreDown, nameDown);
    boolean whole = nameBytes < 500;
    TableStore table = table();
    fill(table, n, scores, nameBytes, dead);
    int ordinal = table.addIndex(shape(scoreDown, nameDown, false));
    assertThat(new IndexBuild(table, table.index(ordinal), THREADS).run(true))
        .isEqualTo(IndexBuild.NO_ROW);
    OrderedIndex index = (OrderedIndex) table.index(ordinal);
    requireWhole(index, whole ? expected(order) : entries(index));
    assertThat(entries(index)).hasSize(rows.size()).doesNotHaveDuplicates();
    for (int batch = 0; batch < 12; batch++) {
      insert(table, index, 1 + random.nextInt(batch % 4 == 0 ? 5000 : 40), scores, nameBytes);
      remove(table, index, random.nextInt(200));
    }
    List<Long> after = whole ? expected(order) : entries(index);
    requireWhole(index, after);
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    space.close();
    try (TableSpace again = TableSpace.open(medium, false)) {
      requireWhole((OrderedIndex) Objects.requireNonNull(again.table(9)).index(ordinal), after);
    }
  }

  /** Appends a batch of rows and its entries, by a batch of rows next to each other or of any. */
  private void insert(TableStore table, OrderedIndex index, int n, int scores, int nameBytes) {
    long first = table.appendRows(n);
    long last = first + n - 1;
    long end = Math.min(last, first / Tablet.ROWS * Tablet.ROWS + Tablet.ROWS - 1);
    KeyBatch batch = new KeyBatch();
    for (long row = first; row <= last; row++) {
      put(table, row, scores, nameBytes, false);
    }
    int count = (int) (end - first + 1);
    batch.begin((int) (first % Tablet.ROWS), count, first);
    addColumns(table, batch, first);
    index.insertAll(batch, null);
    for (long row = end + 1; row <= last; row++) {
      Key key = Objects.requireNonNull(rows.get(row));
      index.insert(raw(table, key), new boolean[] {key.score == null, false}, row);
    }
    index.insertAll(batch, null);
  }

  private static void addColumns(TableStore table, KeyBatch batch, long row) {
    Tablet tablet = table.tablet((int) (row / Tablet.ROWS));
    batch.add(
        tablet.type(SCORE),
        tablet.values(SCORE).onHost().segment(),
        Objects.requireNonNull(tablet.validity(SCORE)).onHost().segment());
    batch.add(tablet.type(NAME), tablet.values(NAME).onHost().segment(), null);
  }

  private static long[] raw(TableStore table, Key key) {
    int code = Objects.requireNonNull(table.dictionary(NAME)).find(key.name, 0, key.name.length);
    return new long[] {key.score == null ? 0 : key.score, code};
  }

  private void remove(TableStore table, OrderedIndex index, int n) {
    List<Long> some = rows.keySet().stream().skip(random.nextInt(rows.size())).limit(n).toList();
    for (long row : some) {
      Key key = Objects.requireNonNull(rows.get(row));
      if (key.score != null) {
        assertThat(index.remove(raw(table, key), row)).isTrue();
        rows.remove(row);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 40, 515})
  void theFirstRowWithTheKeyOfAnEarlierOneIsFound(int nameBytes) {
    for (int n : new int[] {2, 300, 70_000}) {
      TableStore table =
          space.createTable(1000 + n, new TableShape(SampleTables.SHAPE.columns(), List.of()));
      rows.clear();
      fill(table, n, nameBytes == 2 ? 5_000_000 : n * 50, nameBytes, 9);
      TreeMap<Key, Long> seen = new TreeMap<>(order(false, false));
      long expected = IndexBuild.NO_ROW;
      for (long row = 0; row < n && expected == IndexBuild.NO_ROW; row++) {
        Key key = rows.get(row);
        if (key != null && key.score != null && seen.put(key, row) != null) {
          expected = row;
        }
      }
      int ordinal = table.addIndex(shape(true, true, true));
      assertThat(new IndexBuild(table, table.index(ordinal), THREADS).run(true))
          .as("seed %d, rows %d", SEED, n)
          .isEqualTo(expected);
    }
  }

  @Test
  void whereMemoryIsShortEntriesGoInTabletByTablet() {
    TableStore table = table();
    fill(table, 150_000, 1_000_000, 2, 7);
    int ordinal = table.addIndex(shape(false, true, false));
    MemoryAccount work = space.memory().work();
    work.limit(3 << 20);
    try (MemoryAccount.Scope _ = work.bind()) {
      IndexBuild build = new IndexBuild(table, table.index(ordinal), SharedWork.ALONE);
      assertThat(build.run(true)).isEqualTo(IndexBuild.NO_ROW);
      assertThatThrownBy(() -> work.take(4 << 20)).hasMessageContaining("memory");
    }
    assertThat(work.usedBytes()).isZero();
    requireWhole((OrderedIndex) table.index(ordinal), expected(order(false, true)));
  }

  @Test
  void aBuildThatFailsLeavesTheIndexEmpty() {
    TableStore table = table();
    fill(table, 150_000, 1_000_000, 2, 0);
    long before = space.memory().tables().usedBytes();
    int ordinal = table.addIndex(shape(false, false, false));
    SharedWork failing =
        (pieces, piece) -> {
          for (int i = 0; i < pieces; i++) {
            if (i == 3) {
              throw new IllegalStateException("stopped");
            }
            piece.accept(i);
          }
        };
    IndexBuild build = new IndexBuild(table, table.index(ordinal), failing);
    assertThatThrownBy(() -> build.run(true)).hasMessage("stopped");
    assertThat(table.index(ordinal).entryCount()).isZero();
    assertThat(space.memory().tables().usedBytes()).isEqualTo(before);
  }
}
