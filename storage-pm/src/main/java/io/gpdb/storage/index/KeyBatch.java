package io.gpdb.storage.index;

import static java.util.Objects.requireNonNull;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The keys of n rows next to each other, column by column, as they go into an index. Used by one
 * thread at a time; its arrays are kept from batch to batch.
 */
public final class KeyBatch {
  private static final long[] NONE = {};
  private static final byte[][] NOTHING = {};

  private ElementType[] types = new ElementType[4];
  private MemorySegment[] values = new MemorySegment[4];
  private @Nullable MemorySegment[] validity = new @Nullable MemorySegment[4];
  private int columns;
  private int from;
  private int n;
  private long firstRow;
  private long @Nullable [] rows;
  private long[] gatheredRows = NONE;
  private byte @Nullable [][] gatheredValues = NOTHING;
  private long[] hashes = NONE;
  private @Nullable SortedEntries entries;

  /**
   * Begins a batch of n keys, whose values are at {@code first} and behind it in each column; they
   * are those of {@code row} and the rows behind it.
   */
  public void begin(int first, int count, long row) {
    from = first;
    n = count;
    columns = 0;
    firstRow = row;
    rows = null;
  }

  /**
   * Begins a batch of the keys of n rows of a tablet that are next to each other; the caller holds
   * the latch.
   */
  void begin(Tablet tablet, int first, int count, int[] keyColumns) {
    begin(first, count, (long) tablet.number() * Tablet.ROWS + first);
    for (int c : keyColumns) {
      HostBuffer valid = DeviceBuffer.onHostOrNull(tablet.validity(c));
      add(
          tablet.type(c),
          tablet.values(c).onHost().segment(),
          valid == null ? null : valid.segment());
    }
  }

  /** Begins a batch of that number of keys of columns of a table, which are all gathered then. */
  public void beginGathered(int count, int[] keyColumns, IntFunction<ElementType> typeOf) {
    if (gatheredRows.length < count) {
      gatheredRows = new long[count];
    }
    begin(count, gatheredRows);
    gatheredValues = Arrays.copyOf(gatheredValues, keyColumns.length);
    for (int k = 0; k < keyColumns.length; k++) {
      ElementType type = typeOf.apply(keyColumns[k]);
      byte[] room = gatheredValues[k];
      if (room == null || room.length < count * type.bytes()) {
        room = new byte[Math.multiplyExact(count, type.bytes())];
        gatheredValues[k] = room;
      }
      add(type, MemorySegment.ofArray(room), null);
    }
  }

  /** Begins a batch of the keys at the beginning of each column, which are those of these rows. */
  void begin(int count, long[] rowNumbers) {
    begin(0, count, 0);
    rows = rowNumbers;
  }

  /**
   * Takes the newest keys of some rows of a tablet (i32), in any order, as key {@code first} and
   * those behind it; the caller holds the latch. Several threads may gather keys at different
   * places.
   */
  public void gather(
      int first, Tablet tablet, int[] keyColumns, MemorySegment rowsInTablet, int count) {
    long[] numbers = requireNonNull(rows);
    int[] source = new int[count];
    MemorySegment.copy(rowsInTablet, ValueLayout.JAVA_INT_UNALIGNED, 0, source, 0, count);
    long firstOfTablet = (long) tablet.number() * Tablet.ROWS;
    for (int i = 0; i < count; i++) {
      numbers[first + i] = firstOfTablet + source[i];
    }
    for (int k = 0; k < keyColumns.length; k++) {
      int c = keyColumns[k];
      MemorySegment read = tablet.values(c).onHost().segment();
      types[k].gather(read, source, values[k], first);
      HostBuffer valid = DeviceBuffer.onHostOrNull(tablet.validity(c));
      if (valid != null) {
        gatherNulls(k, valid.segment(), source, first);
      }
    }
  }

  /** Alone, because bits of different places are in one word. */
  private synchronized void gatherNulls(int k, MemorySegment valid, int[] source, int first) {
    MemorySegment bits = validity[k];
    for (int i = 0; i < source.length; i++) {
      if (!Bitmaps.test(valid, source[i])) {
        if (bits == null) {
          bits = MemorySegment.ofArray(allOnes(n));
          validity[k] = bits;
        }
        Bitmaps.set(bits, first + i, false);
      }
    }
  }

  private static int[] allOnes(int bits) {
    int[] words = new int[(bits + Integer.SIZE - 1) / Integer.SIZE];
    Arrays.fill(words, -1);
    return words;
  }

  /** Adds the key's next column; {@code valid} is null where no value is NULL. */
  public void add(ElementType type, MemorySegment columnValues, @Nullable MemorySegment valid) {
    if (columns == types.length) {
      types = Arrays.copyOf(types, columns * 2);
      values = Arrays.copyOf(values, columns * 2);
      validity = Arrays.copyOf(validity, columns * 2);
    }
    types[columns] = type;
    values[columns] = columnValues;
    validity[columns++] = valid;
  }

  public int n() {
    return n;
  }

  /** The keys from here to there, as a batch of their own; of rows that are next to each other. */
  KeyBatch part(int first, int end) {
    KeyBatch part = new KeyBatch();
    part.begin(from + first, end - first, firstRow + first);
    for (int k = 0; k < columns; k++) {
      part.add(types[k], values[k], validity[k]);
    }
    return part;
  }

  /** Whether the rows are next to each other, and each has a key of one column that is not NULL. */
  boolean isPlain() {
    return columns == 1 && rows == null && validity[0] == null;
  }

  /** By how much the first column of key i is less than that of the next one. */
  long step(int i) {
    return raw(i + 1, 0) - raw(i, 0);
  }

  /** Whether the first column ascends by equal steps at key i, to which there are two more. */
  boolean ascends(int i) {
    long key = raw(i, 0);
    long next = raw(i + 1, 0);
    return key < next && next - key > 0 && next - key == raw(i + 2, 0) - next;
  }

  /** Where the keys end that ascend by equal steps from key i on; behind it at least. */
  int ascentEnd(int i) {
    int end = i + 1;
    if (end < n && raw(i, 0) < raw(end, 0) && step(i) > 0) {
      long step = step(i);
      int next;
      for (end++; end < n; end = next) {
        next = ascentEnd(end, ShortLoops.end(end, n), step);
        if (next < ShortLoops.end(end, n)) {
          return next;
        }
      }
    }
    return end;
  }

  /** The first key of some that is not the one before it and a step more; else their end. */
  private int ascentEnd(int first, int to, long step) {
    long last = raw(first - 1, 0);
    for (int i = first; i < to; i++) {
      long key = raw(i, 0);
      if (key - last != step || key < last) {
        return i;
      }
      last = key;
    }
    return to;
  }

  /** Where the keys begin that ascend by equal steps up to key i and the next one. */
  int ascentBegin(int i, int least) {
    long step = step(i);
    int begin = i;
    while (begin > least && step(begin - 1) == step && raw(begin - 1, 0) < raw(begin, 0)) {
      begin--;
    }
    return begin;
  }

  /** The row of key i. */
  public long row(int i) {
    long[] given = rows;
    return given == null ? firstRow + i : given[i];
  }

  /** The greatest row of all keys; of a batch that has some. */
  long lastRow() {
    long[] given = rows;
    long last = given == null ? firstRow + n - 1 : given[0];
    for (int i = 0; given != null && i < n; i++) {
      last = Math.max(last, given[i]);
    }
    return last;
  }

  /** Whether a column of the key may have NULLs. */
  public boolean isNullable() {
    for (int k = 0; k < columns; k++) {
      if (validity[k] != null) {
        return true;
      }
    }
    return false;
  }

  /** Whether key i has a NULL. */
  public boolean isNull(int i) {
    for (int k = 0; k < columns; k++) {
      MemorySegment valid = validity[k];
      if (valid != null && !Bitmaps.test(valid, from + i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether column k of key i is NULL. */
  boolean isNull(int i, int k) {
    MemorySegment valid = validity[k];
    return valid != null && !Bitmaps.test(valid, from + i);
  }

  /** Column k of key i. */
  long raw(int i, int k) {
    return types[k].rawAt(values[k], from + i);
  }

  /** Copies key i. */
  public void key(int i, long[] key) {
    for (int k = 0; k < columns; k++) {
      key[k] = types[k].rawAt(values[k], from + i);
    }
  }

  /** The entries of the keys in an ordered index; not to be changed. */
  SortedEntries entries(OrderedKeys keys) {
    SortedEntries sorted = entries;
    if (sorted == null) {
      sorted = new SortedEntries();
      entries = sorted;
    }
    sorted.set(keys, this);
    return sorted;
  }

  /** The hash of each key, those of keys with a NULL among them; not to be changed. */
  long[] hashes() {
    if (hashes.length < n) {
      hashes = new long[n];
    }
    for (int k = 0; k < columns; k++) {
      KeyHash.addColumn(types[k], values[k], from, n, hashes, k == 0);
    }
    return hashes;
  }
}
