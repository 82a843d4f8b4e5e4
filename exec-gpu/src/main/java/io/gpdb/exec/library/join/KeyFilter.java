package io.gpdb.exec.library.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.exec.library.scan.PassingRows;
import io.gpdb.exec.library.scan.PassingRows.Column;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which whole numbers some rows have in a column: a bit for each number from the least to the
 * greatest. The host's threads read the column of other rows and say which of them have such a
 * number, for a join that has no use for the rest. The loops know nothing of the query, so that
 * HotSpot has compiled them soon. Immutable; used by any number of threads.
 */
public final class KeyFilter {
  /** 8 MiB of bits, which caches of processors hold in good part. */
  private static final long NUMBERS_MAX = 1L << 26;

  /** The bits may take one part in this many of the memory left. */
  private static final int MEMORY_SHARE = 16;

  private static final int PIECE_ROWS = PassingRows.PIECE_ROWS;
  private static final int WORD_ROWS = PassingRows.WORD_ROWS;

  private final Device device;
  private final ElementType element;
  private final long least;
  private final long span;

  /** Those from the least number on, and one more, which is 0. */
  private final long[] bits;

  private final long numbers;

  private KeyFilter(Device device, ElementType element, long least, long span, long[] bits) {
    this.device = device;
    this.element = element;
    this.least = least;
    this.span = span;
    this.bits = bits;
    long count = 0;
    for (long word : bits) {
      count += Long.bitCount(word);
    }
    numbers = count;
  }

  /**
   * The numbers of a column; null where they are too far apart.
   *
   * @param element I32 or I64
   */
  public static @Nullable KeyFilter of(Device device, ElementType element, Column column) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    Values values = new Values(element, column);
    for (int from = 0; from < column.rows(); from += PIECE_ROWS) {
      StopSignal.poll();
      int count = values.read(from);
      for (int i = 0; i < count; i++) {
        if (values.isPresent(i)) {
          least = Math.min(least, values.numbers[i]);
          greatest = Math.max(greatest, values.numbers[i]);
        }
      }
    }
    if (least > greatest) {
      return new KeyFilter(device, element, 0, 0, new long[1]);
    }
    long span = greatest - least + 1;
    long most = Math.min(NUMBERS_MAX, MemoryAccount.current().availableBytes() / MEMORY_SHARE * 8);
    if (span <= 0 || span > most) {
      return null;
    }
    long[] bits = new long[(int) (span / Long.SIZE) + 1];
    for (int from = 0; from < column.rows(); from += PIECE_ROWS) {
      StopSignal.poll();
      int count = values.read(from);
      for (int i = 0; i < count; i++) {
        if (values.isPresent(i)) {
          long place = values.numbers[i] - least;
          bits[(int) (place >>> 6)] |= 1L << place;
        }
      }
    }
    return new KeyFilter(device, element, least, span, bits);
  }

  /** Whose host's threads read the columns. */
  public Device device() {
    return device;
  }

  /** Of the type of the columns that it is asked about. */
  public ElementType element() {
    return element;
  }

  /** How many different numbers there are. */
  public long numbers() {
    return numbers;
  }

  /** Whether most numbers between the least and the greatest are there, so that most rows pass. */
  public boolean isDense() {
    return numbers > span / 2;
  }

  /**
   * Rows that are asked about.
   *
   * @param live the rows that exist; null where all do
   * @param passing bitmap of as many rows, whose words are all written
   */
  public record Rows(Column column, @Nullable HostBuffer live, HostBuffer passing) {}

  /**
   * Says which rows have one of the numbers.
   *
   * @return how many do
   */
  public int pass(Rows rows) {
    return pass(List.of(rows))[0];
  }

  /** The same of several, together: one piece of work for all threads. */
  public int[] pass(List<Rows> all) {
    return PassingRows.of(
        device,
        all.stream()
            .map(rows -> new PassingRows.Rows(rows.column.rows(), rows.live, rows.passing))
            .toList(),
        (of, from, count, passing) -> find(all.get(of).column, from, count, passing));
  }

  private void find(Column column, int from, int count, int[] found) {
    int turns = found.length * WORD_ROWS;
    byte[] flags = new byte[turns];
    if (element == ElementType.I64) {
      long[] numbersOfRows = new long[turns];
      column.values().read(from, numbersOfRows, 0, count);
      HostLoop.run(
          0,
          turns,
          (i, end) -> {
            find(numbersOfRows, i, end, flags);
            PassingRows.pack(flags, i, end, found);
          });
    } else {
      int[] numbersOfRows = new int[turns];
      column.values().read(from, numbersOfRows, 0, count);
      HostLoop.run(
          0,
          turns,
          (i, end) -> {
            find(numbersOfRows, i, end, flags);
            PassingRows.pack(flags, i, end, found);
          });
    }
    PassingRows.and(found, column.validity(), from);
  }

  private void find(long[] ofRows, int from, int end, byte[] flags) {
    for (int i = from; i < end; i++) {
      flags[i] = flag(ofRows[i]);
    }
  }

  private void find(int[] ofRows, int from, int end, byte[] flags) {
    for (int i = from; i < end; i++) {
      flags[i] = flag(ofRows[i]);
    }
  }

  /** Whatever the number is, one bit is read: a branch would often be predicted wrongly. */
  private byte flag(long number) {
    long place = number - least;
    long at = Long.compareUnsigned(place, span) < 0 ? place : span;
    return (byte) (bits[(int) (at >>> 6)] >>> at & 1);
  }

  /** The numbers of a column, piece by piece. */
  private static final class Values {
    final long[] numbers = new long[PIECE_ROWS];
    private final int[] narrow = new int[PIECE_ROWS];
    private final int[] present = new int[PIECE_ROWS / WORD_ROWS];
    private final ElementType element;
    private final Column column;

    Values(ElementType element, Column column) {
      this.element = element;
      this.column = column;
    }

    /** Reads the piece that begins at a row; returns how many rows it has. */
    int read(int from) {
      int count = Math.min(PIECE_ROWS, column.rows() - from);
      if (element == ElementType.I64) {
        column.values().read(from, numbers, 0, count);
      } else {
        column.values().read(from, narrow, 0, count);
        for (int i = 0; i < count; i++) {
          numbers[i] = narrow[i];
        }
      }
      HostBuffer validity = column.validity();
      if (validity != null) {
        validity.read(from / WORD_ROWS, present, 0, Math.ceilDiv(count, WORD_ROWS));
      }
      return count;
    }

    boolean isPresent(int i) {
      return column.validity() == null || (present[i / WORD_ROWS] >>> i & 1) != 0;
    }
  }
}
