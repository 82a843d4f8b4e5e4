package io.gpdb.storage.column;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the first {@code rows} rows of a column's chunk hold, whether they are live or not: how many
 * NULLs, and the least and the greatest of the other values.
 *
 * <p>Values count as ordered longs: integers and codes as they are, floating point by the total
 * order of its bits (-0.0 below 0.0, NaN above infinity). Without values {@code least} is above
 * {@code greatest}.
 */
public record ColumnRange(int rows, int nulls, long least, long greatest) {
  private static final int WORD_ROWS = 32;

  /** Values that are read at a time. */
  private static final int PART_ROWS = 1024;

  /** Whether all rows are NULL. */
  public boolean isEmpty() {
    return nulls == rows;
  }

  /** The value as an ordered long. */
  public static long ordered(ElementType type, long raw) {
    return switch (type) {
      case I8, I16, I32, I64, CODE -> raw;
      case F32 -> orderedInt((int) raw);
      case F64 -> raw ^ ((raw >> 63) & Long.MAX_VALUE);
    };
  }

  private static long orderedInt(int bits) {
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }

  /** Reads the chunk; {@code validity} is null where all rows are valid. */
  public static ColumnRange of(
      ElementType type, MemorySegment values, @Nullable MemorySegment validity, int rows) {
    if (validity == null) {
      return allValid(type, values, rows);
    }
    int nulls = 0;
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int row = 0; row < rows; row += WORD_ROWS) {
      int n = Math.min(WORD_ROWS, rows - row);
      int word = validity.get(JAVA_INT, row / WORD_ROWS * 4L);
      word &= n == WORD_ROWS ? -1 : (1 << n) - 1;
      nulls += n - Integer.bitCount(word);
      for (int left = word; left != 0; left &= left - 1) {
        long value = ordered(type, type.rawAt(values, row + Integer.numberOfTrailingZeros(left)));
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    return new ColumnRange(rows, nulls, least, greatest);
  }

  /**
   * The widths that most columns have are read into arrays, over which loops are fast before they
   * are compiled well, and become vectors then: a database is closed by processes that have just
   * opened it, too.
   */
  private static ColumnRange allValid(ElementType type, MemorySegment values, int rows) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    if (type.bytes() == Integer.BYTES) {
      int[] part = new int[Math.min(rows, PART_ROWS)];
      for (int row = 0; row < rows; row += PART_ROWS) {
        int n = Math.min(PART_ROWS, rows - row);
        MemorySegment.copy(values, JAVA_INT_UNALIGNED, row * 4L, part, 0, n);
        if (type == ElementType.F32) {
          order(part, n);
        }
        least = Math.min(least, least(part, n));
        greatest = Math.max(greatest, greatest(part, n));
      }
    } else if (type.bytes() == Long.BYTES) {
      long[] part = new long[Math.min(rows, PART_ROWS)];
      for (int row = 0; row < rows; row += PART_ROWS) {
        int n = Math.min(PART_ROWS, rows - row);
        MemorySegment.copy(values, JAVA_LONG_UNALIGNED, row * 8L, part, 0, n);
        if (type == ElementType.F64) {
          order(part, n);
        }
        least = Math.min(least, least(part, n));
        greatest = Math.max(greatest, greatest(part, n));
      }
    } else {
      for (int row = 0; row < rows; row++) {
        long value = ordered(type, type.rawAt(values, row));
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    return new ColumnRange(rows, 0, least, greatest);
  }

  private static void order(int[] values, int n) {
    for (int i = 0; i < n; i++) {
      values[i] = (int) orderedInt(values[i]);
    }
  }

  private static void order(long[] values, int n) {
    for (int i = 0; i < n; i++) {
      values[i] = ordered(ElementType.F64, values[i]);
    }
  }

  private static int least(int[] values, int n) {
    int least = values[0];
    for (int i = 1; i < n; i++) {
      least = Math.min(least, values[i]);
    }
    return least;
  }

  private static int greatest(int[] values, int n) {
    int greatest = values[0];
    for (int i = 1; i < n; i++) {
      greatest = Math.max(greatest, values[i]);
    }
    return greatest;
  }

  private static long least(long[] values, int n) {
    long least = values[0];
    for (int i = 1; i < n; i++) {
      least = Math.min(least, values[i]);
    }
    return least;
  }

  private static long greatest(long[] values, int n) {
    long greatest = values[0];
    for (int i = 1; i < n; i++) {
      greatest = Math.max(greatest, values[i]);
    }
    return greatest;
  }
}
