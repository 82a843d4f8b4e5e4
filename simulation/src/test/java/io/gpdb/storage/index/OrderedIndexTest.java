package io.gpdb.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderedIndexTest extends IndexContract {
  private static final long SEED = Long.getLong("gpdb.seed", 20261125L);
  private static final int NAME = 1;
  private static final int SCORE = 2;

  @Override
  IndexKind kind() {
    return IndexKind.ORDERED;
  }

  /** A row's key of the columns SCORE and NAME; both may be NULL. */
  private record Entry(@org.jspecify.annotations.Nullable Integer score, byte[] name, long row) {}

  private TableStore table(boolean... descending) {
    IndexShape shape =
        new IndexShape(1, IndexKind.ORDERED, new int[] {SCORE, NAME}, descending, false);
    return space.createTable(99, new TableShape(SampleTables.SHAPE.columns(), List.of(shape)));
  }

  private static Comparator<Entry> order(boolean scoreDown, boolean nameDown) {
    Comparator<Entry> scores =
        Comparator.comparing(Entry::score, Comparator.nullsLast(Comparator.naturalOrder()));
    Comparator<Entry> names = (a, b) -> Arrays.compareUnsigned(a.name, b.name);
    return (scoreDown ? scores.reversed() : scores)
        .thenComparing(nameDown ? names.reversed() : names)
        .thenComparing(Entry::row);
  }

  /** Names of which one begins another, with zeros and the greatest bytes in them. */
  private static byte[] name(Random random) {
    byte[] name = new byte[random.nextInt(5)];
    for (int i = 0; i < name.length; i++) {
      name[i] = (byte) (random.nextInt(4) == 0 ? 255 - random.nextInt(2) : random.nextInt(3));
    }
    return name;
  }

  private static List<Long> rows(OrderedIndex index, OrderedRange range, boolean descending) {
    List<Long> rows = new ArrayList<>();
    OrderedCursor cursor = new OrderedCursor(descending);
    while (index.read(range, cursor)) {
      for (int i = 0; i < cursor.count(); i++) {
        rows.add(cursor.row(i));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void entriesAreInTheOrderOfTheirKeys(int directions) {
    boolean scoreDown = (directions & 1) != 0;
    boolean nameDown = (directions & 2) != 0;
    Random random = new Random(SEED + directions);
    TableStore table = table(scoreDown, nameDown);
    OrderedIndex index = (OrderedIndex) table.index(0);
    Dictionary names = Objects.requireNonNull(table.dictionary(NAME));
    TreeSet<Entry> model = new TreeSet<>(order(scoreDown, nameDown));
    for (int row = 0; row < 12_000; ) {
      int n = 1 + random.nextInt(random.nextInt(20) == 0 ? 3000 : 5);
      int[] scores = new int[n];
      int[] codes = new int[n];
      int[] valid = new int[(n + 31) / 32];
      for (int i = 0; i < n; i++) {
        byte[] name = name(random);
        scores[i] = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(5) - 2;
        codes[i] = names.intern(name, 0, name.length);
        boolean isNull = random.nextInt(8) == 0;
        valid[i / 32] |= isNull ? 0 : 1 << (i % 32);
        model.add(new Entry(isNull ? null : scores[i], name, row + i));
      }
      KeyBatch batch = new KeyBatch();
      batch.begin(0, n, row);
      batch.add(ElementType.I32, MemorySegment.ofArray(scores), MemorySegment.ofArray(valid));
      batch.add(ElementType.CODE, MemorySegment.ofArray(codes), null);
      index.insertAll(batch, null);
      row += n;
    }
    List<Long> expected = model.stream().map(Entry::row).toList();
    assertThat(rows(index, OrderedRange.all(), false)).as("seed %d", SEED).isEqualTo(expected);
    assertThat(rows(index, OrderedRange.all(), true)).isEqualTo(expected.reversed());
    for (int least = -3; least <= 3; least++) {
      for (int greatest = least; greatest <= 3; greatest++) {
        for (int ends = 0; ends < 4; ends++) {
          requireRange(index, model, scoreDown, least, greatest, ends);
        }
      }
    }
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).isEmpty();
  }

  /**
   * Rows between two scores, each of them in the range or not.
   *
   * @param ends bit 0 leaves out the least score, bit 1 the greatest
   */
  private static void requireRange(
      OrderedIndex index,
      TreeSet<Entry> model,
      boolean scoreDown,
      int least,
      int greatest,
      int ends) {
    boolean withoutLeast = (ends & 1) != 0;
    boolean withoutGreatest = (ends & 2) != 0;
    KeyBytes low = bound(index, scoreDown ? greatest : least);
    KeyBytes high = bound(index, scoreDown ? least : greatest);
    OrderedRange range =
        new OrderedRange(
            low,
            scoreDown ? withoutGreatest : withoutLeast,
            high,
            scoreDown ? withoutLeast : withoutGreatest);
    List<Long> expected =
        model.stream()
            .filter(
                e ->
                    e.score != null
                        && (e.score > least || (!withoutLeast && e.score == least))
                        && (e.score < greatest || (!withoutGreatest && e.score == greatest)))
            .map(Entry::row)
            .toList();
    assertThat(rows(index, range, false)).as("seed %d: %s", SEED, range).isEqualTo(expected);
    assertThat(rows(index, range, true)).isEqualTo(expected.reversed());
    assertThat(index.estimate(range)).isBetween(0L, 2L * model.size());
  }

  private static KeyBytes bound(OrderedIndex index, int score) {
    KeyBytes bound = new KeyBytes(16);
    index.keys().append(bound, 0, score, false);
    return bound;
  }

  @Test
  void numbersOfAllTypesAreInTheirOrder() {
    long[][] ascending = {
      {Byte.MIN_VALUE, -1, 0, 1, Byte.MAX_VALUE},
      {Short.MIN_VALUE, -1, 0, 1, Short.MAX_VALUE},
      {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE},
      {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE},
      floats(
          Float.NEGATIVE_INFINITY, -2.5f, -Float.MIN_VALUE, 0f, 1.5f, Float.MAX_VALUE, Float.NaN),
      doubles(
          Double.NEGATIVE_INFINITY, -2.5, -Double.MIN_VALUE, 0, 1.5, Double.MAX_VALUE, Double.NaN)
    };
    ElementType[] types = {
      ElementType.I8,
      ElementType.I16,
      ElementType.I32,
      ElementType.I64,
      ElementType.F32,
      ElementType.F64
    };
    for (int t = 0; t < types.length; t++) {
      IndexShape shape = new IndexShape(0, IndexKind.ORDERED, new int[] {0}, false);
      OrderedKeys keys = new OrderedKeys(shape, new ElementType[] {types[t]}, new Dictionary[1]);
      byte[] before = {};
      for (long raw : ascending[t]) {
        KeyBytes key = new KeyBytes(16);
        keys.append(key, new long[] {raw}, null);
        assertThat(Arrays.compareUnsigned(before, key.toArray())).as(types[t] + "").isNegative();
        before = key.toArray();
      }
      KeyBytes none = new KeyBytes(16);
      keys.append(none, new long[] {0}, new boolean[] {true});
      assertThat(Arrays.compareUnsigned(before, none.toArray())).isNegative();
    }
  }

  private static long[] floats(float... values) {
    long[] raw = new long[values.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = Float.floatToRawIntBits(values[i]);
    }
    return raw;
  }

  private static long[] doubles(double... values) {
    return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  @Test
  void longKeysAreKeptByTheirBeginning() {
    TableStore table = table(false, false);
    OrderedIndex index = (OrderedIndex) table.index(0);
    Dictionary names = Objects.requireNonNull(table.dictionary(NAME));
    for (int row = 0; row < 1500; row++) {
      byte[] name = ("x".repeat(row % 1000) + row).getBytes(StandardCharsets.UTF_8);
      long[] key = {row % 2, names.intern(name, 0, name.length)};
      assertThat(index.insert(key, row)).isTrue();
      assertThat(index.insert(key, row)).isFalse();
      assertThat(candidates(index, key)).contains((long) row);
    }
    assertThat(rows(index, OrderedRange.all(), false)).hasSize(1500).doesNotHaveDuplicates();
    space.checkpoint(SnapshotImages.current(), 1, new byte[0]);
    List<String> problems = new ArrayList<>();
    index.check(problems);
    assertThat(problems).isEmpty();
  }
}
