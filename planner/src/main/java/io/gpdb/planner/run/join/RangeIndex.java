package io.gpdb.planner.run.join;

import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.OrderWords;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of a batch whose first key is at most one value and whose second key is at least
 * another one: points in an interval, where both keys are one field, and intervals that contain a
 * point or overlap with another.
 *
 * <p>The rows are in <em>places</em> by their first key, so what is at most a value is a prefix.
 * Above the places is a tree of the greatest second keys of 16, 256, 4096 … of them (a priority
 * search tree; McCreight, SIAM J. Comput. 1985, with nodes of 16): a node whose greatest is too
 * small is passed over. Some log n + 16 k places are looked at for k rows. Where k is a part of all
 * rows that is large, all of them are looked at one after the other instead. A row with a NULL in a
 * key is never found.
 */
final class RangeIndex implements AutoCloseable {
  private static final int NODE_BITS = 4;
  private static final int NODE = 1 << NODE_BITS;

  /** Where more than one row in this many is found, all are looked at. */
  private static final int DENSE_PART = 8;

  private static final int RADIX_BITS = 8;
  private static final int RADIX = 1 << RADIX_BITS;
  private static final int NOWHERE = Integer.MAX_VALUE;

  /** What a row takes, also while places are found. */
  static final int ROW_BYTES = 4 * Integer.BYTES + 4 * Long.BYTES;

  private final MemoryAccount account = MemoryAccount.current();
  private final int rows;

  /** Whether there is a second key only: then the first one is its complement. */
  private final boolean reversed;

  /** The first keys in order. */
  private final long[] firsts;

  /** The row in each place. */
  private final int[] rowAt;

  /** The place of each row. */
  private final int[] placeOf;

  /** The second keys in order of places, and the greatest of each node above; or none. */
  private final long[][] greatest;

  private int[] found = new int[NODE];
  private int count;

  /**
   * @param types of the batch's fields
   * @param ranges whose left fields are keys: of {@code atMost} the first, of {@code atLeast} the
   *     second
   */
  RangeIndex(DenseBatch batch, List<SqlTypeSpec> types, PairRanges ranges) {
    int atMost = ranges.atMost() == null ? -1 : ranges.atMost().left();
    int atLeast = ranges.atLeast() == null ? -1 : ranges.atLeast().left();
    rows = batch.rows();
    account.charge((long) ROW_BYTES * rows);
    try {
      reversed = atMost < 0;
      int[] numbers = present(batch, atMost, atLeast);
      long[] keys = keys(batch, types, reversed ? atLeast : atMost, numbers, reversed);
      sort(keys, numbers);
      firsts = keys;
      rowAt = numbers;
      placeOf = new int[rows];
      Arrays.fill(placeOf, NOWHERE);
      for (int place = 0; place < rowAt.length; place++) {
        placeOf[rowAt[place]] = place;
      }
      greatest = reversed || atLeast < 0 ? new long[0][] : tree(batch, types, atLeast);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The rows that have all keys. */
  private static int[] present(DenseBatch batch, int atMost, int atLeast) {
    int[] numbers = new int[batch.rows()];
    int count = 0;
    for (int row = 0; row < numbers.length; row++) {
      boolean isNull =
          (atMost >= 0 && batch.isNull(atMost, row))
              || (atLeast >= 0 && batch.isNull(atLeast, row));
      numbers[count] = row;
      count += isNull ? 0 : 1;
    }
    return count == numbers.length ? numbers : Arrays.copyOf(numbers, count);
  }

  private static long[] keys(
      DenseBatch batch, List<SqlTypeSpec> types, int field, int[] numbers, boolean complement) {
    SqlTypeSpec type = types.get(field);
    HostBuffer values = batch.hostValues(field);
    long[] keys = new long[numbers.length];
    for (int i = 0; i < keys.length; i++) {
      StopSignal.poll(i);
      long word = OrderWords.word(type, type.element().rawAt(values, numbers[i]));
      keys[i] = complement ? ~word : word;
    }
    return keys;
  }

  /** Sorts keys, and the numbers with them, by their bytes; equal keys stay as they are. */
  private static void sort(long[] keys, int[] numbers) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (long key : keys) {
      least = Math.min(least, key);
      greatest = Math.max(greatest, key);
    }
    long[] from = keys;
    int[] fromNumbers = numbers;
    long[] to = new long[keys.length];
    int[] toNumbers = new int[keys.length];
    boolean isThere = true;
    for (int shift = 0; shift < Long.SIZE && (greatest - least) >>> shift != 0; ) {
      StopSignal.poll();
      int[] ends = new int[RADIX + 1];
      for (long key : from) {
        ends[digit(key - least, shift) + 1]++;
      }
      for (int d = 0; d < RADIX; d++) {
        ends[d + 1] += ends[d];
      }
      for (int i = 0; i < from.length; i++) {
        int place = ends[digit(from[i] - least, shift)]++;
        to[place] = from[i];
        toNumbers[place] = fromNumbers[i];
      }
      long[] sorted = to;
      to = from;
      from = sorted;
      int[] sortedNumbers = toNumbers;
      toNumbers = fromNumbers;
      fromNumbers = sortedNumbers;
      isThere = !isThere;
      shift += RADIX_BITS;
    }
    if (!isThere) {
      System.arraycopy(from, 0, keys, 0, keys.length);
      System.arraycopy(fromNumbers, 0, numbers, 0, numbers.length);
    }
  }

  private static int digit(long distance, int shift) {
    return (int) (distance >>> shift) & (RADIX - 1);
  }

  private long[][] tree(DenseBatch batch, List<SqlTypeSpec> types, int field) {
    int levels = 1;
    for (int nodes = rowAt.length; nodes > NODE; nodes = (nodes + NODE - 1) >>> NODE_BITS) {
      levels++;
    }
    long[][] tree = new long[levels][];
    tree[0] = keys(batch, types, field, rowAt, false);
    for (int level = 1; level < levels; level++) {
      long[] below = tree[level - 1];
      long[] nodes = new long[(below.length + NODE - 1) >>> NODE_BITS];
      Arrays.fill(nodes, Long.MIN_VALUE);
      for (int i = 0; i < below.length; i++) {
        nodes[i >>> NODE_BITS] = Math.max(nodes[i >>> NODE_BITS], below[i]);
      }
      tree[level] = nodes;
    }
    return tree;
  }

  /**
   * Finds the rows whose first key is at most one value and whose second key is at least another.
   *
   * @return how many they are
   */
  int find(long first, long second) {
    int end = end(reversed ? ~second : first);
    count = 0;
    boolean isDense = end > rows / DENSE_PART + NODE;
    if (greatest.length == 0) {
      if (isDense) {
        return all(end, 0);
      }
      found = room(found, end);
      System.arraycopy(rowAt, 0, found, 0, end);
      count = end;
    } else if (!below(greatest.length - 1, 0, greatest[greatest.length - 1].length, end, second)) {
      return all(end, second);
    }
    Arrays.sort(found, 0, count);
    return count;
  }

  /** The rows that were found, in their order. */
  int[] found() {
    return found;
  }

  /** The first place whose key is greater. */
  private int end(long key) {
    int low = 0;
    int high = firsts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (firsts[middle] <= key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the rows below some nodes of a level, of places before the end, are few. */
  private boolean below(int level, int from, int to, int end, long second) {
    long[] nodes = greatest[level];
    int shift = NODE_BITS * level;
    for (int node = from; node < to && (long) node << shift < end; node++) {
      if (nodes[node] < second) {
        continue;
      }
      if (level > 0) {
        int first = node << NODE_BITS;
        int last = Math.min(first + NODE, greatest[level - 1].length);
        if (!below(level - 1, first, last, end, second)) {
          return false;
        }
      } else {
        if (count > rows / DENSE_PART + NODE) {
          return false;
        }
        found = room(found, count + 1);
        found[count++] = rowAt[node];
      }
    }
    return true;
  }

  /** Looks at all rows, one after the other. */
  private int all(int end, long second) {
    found = room(found, rows);
    long @Nullable [] seconds = greatest.length == 0 ? null : greatest[0];
    int next = 0;
    for (int row = 0; row < rows; row++) {
      int place = placeOf[row];
      if (place < end && (seconds == null || seconds[place] >= second)) {
        found[next++] = row;
      }
    }
    count = next;
    return next;
  }

  private static int[] room(int[] known, int wanted) {
    return wanted <= known.length
        ? known
        : Arrays.copyOf(known, Math.max(wanted, 2 * known.length));
  }

  @Override
  public void close() {
    account.discharge((long) ROW_BYTES * rows);
  }
}
