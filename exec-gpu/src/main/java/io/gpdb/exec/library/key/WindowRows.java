package io.gpdb.exec.library.key;

import io.gpdb.exec.library.lane.LaneVariant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/** Some of the tablets that are added to groups together, in their order. */
public final class WindowRows {
  private final IntFunction<BoundRows> all;
  private final int[] numbers;
  private final long[] bases;

  private WindowRows(IntFunction<BoundRows> all, int[] numbers, long[] bases) {
    this.all = all;
    this.numbers = numbers;
    this.bases = bases;
  }

  /**
   * All tablets.
   *
   * @param rowsOf what is called for the rows of a tablet, several times; what it returns is used
   *     before the next call
   * @param base the number of the first row
   */
  public static WindowRows of(int tablets, IntFunction<BoundRows> rowsOf, long base) {
    int[] numbers = new int[tablets];
    long[] bases = new long[tablets + 1];
    bases[0] = base;
    for (int i = 0; i < tablets; i++) {
      numbers[i] = i;
      bases[i + 1] = bases[i] + rowsOf.apply(i).rows();
    }
    return new WindowRows(rowsOf, numbers, bases);
  }

  public int count() {
    return numbers.length;
  }

  /** The number of the row after the last of all tablets. */
  public long end() {
    return bases[bases.length - 1];
  }

  /** Of the i-th tablet. */
  public BoundRows rows(int i) {
    return all.apply(numbers[i]);
  }

  /** How many rows the i-th tablet has. */
  public int size(int i) {
    return (int) (bases[numbers[i] + 1] - base(i));
  }

  /** How many rows all these tablets have. */
  public long rowCount() {
    long rows = 0;
    for (int i = 0; i < count(); i++) {
      rows += size(i);
    }
    return rows;
  }

  /** Whether rows are matched with those of another table, which is to be done once. */
  public boolean anyMatches() {
    for (int i = 0; i < count(); i++) {
      BoundRows tablet = rows(i);
      if (LaneVariant.of(tablet.bindings(), tablet.live() != null).match() != null) {
        return true;
      }
    }
    return false;
  }

  /** Whether a kernel that reads these tablets may not see some of their rows. */
  public boolean anyDropped() {
    for (int i = 0; i < count(); i++) {
      BoundRows tablet = rows(i);
      if (LaneVariant.of(tablet.bindings(), tablet.live() != null).dropsRows()) {
        return true;
      }
    }
    return false;
  }

  /** The number of the first row of the i-th tablet. */
  public long base(int i) {
    return bases[numbers[i]];
  }

  /** The tablets from the {@code from}-th to before the {@code to}-th. */
  public WindowRows part(int from, int to) {
    return new WindowRows(all, Arrays.copyOfRange(numbers, from, to), bases);
  }

  /**
   * Neighbouring tablets together, as many as have room; none where one tablet has not.
   *
   * @param roomOf what a tablet takes, by its number of rows
   */
  public List<WindowRows> parts(long roomMax, IntToLongFunction roomOf) {
    List<WindowRows> parts = new ArrayList<>();
    int from = 0;
    long room = 0;
    for (int i = 0; i < count(); i++) {
      long more = roomOf.applyAsLong(size(i));
      if (more > roomMax) {
        return List.of();
      }
      if (room + more > roomMax) {
        parts.add(part(from, i));
        from = i;
        room = 0;
      }
      room += more;
    }
    parts.add(part(from, count()));
    return parts;
  }

  /** The tablets of which a bit is set. */
  public WindowRows chosen(BitSet which) {
    return new WindowRows(all, which.stream().map(i -> numbers[i]).toArray(), bases);
  }

  /** So many tablets, two at least, from all over them. */
  public WindowRows spread(int some) {
    int[] found = new int[some];
    for (int i = 0; i < some; i++) {
      found[i] = numbers[(int) ((long) i * (numbers.length - 1) / (some - 1))];
    }
    return new WindowRows(all, found, bases);
  }
}
