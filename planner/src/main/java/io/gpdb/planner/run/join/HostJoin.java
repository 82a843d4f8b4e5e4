package io.gpdb.planner.run.join;

import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A join of few rows on the host: what {@link GridHashJoin} does by kernels for many. Pairs come in
 * the same order, by the probed row and then by the built one; a NULL key matches nothing. Keys are
 * fields of any type but floats. For one thread.
 *
 * <p>A key is a word: the value's bits, or the code that the string has among the built side's. The
 * table of slots is addressed openly; a slot has the first row of a key, {@code next} its others.
 */
final class HostJoin {
  private static final int NONE = -1;

  /** More pairs are made piece by piece, by kernels. */
  private static final int PAIRS_MAX = 4096;

  /**
   * Spreads words that differ in a few bits (Knuth's multiplicative hashing by the golden ratio).
   */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final JoinArm arm;
  private final GridHashJoin.Kind kind;
  private final DenseBatch held;
  private final int width;
  private final long[] words;
  private final int[] slots;
  private final int[] next;

  /** Whether the host can join so. */
  static boolean isPossible(JoinArm arm) {
    if (!arm.built.hasKeyFieldsOnly() || !arm.probed.hasKeyFieldsOnly()) {
      return false;
    }
    for (int i = 0; i < arm.built.keys().size(); i++) {
      ElementType element = arm.built.keyType(i).element();
      if (element.isFloat() || element != arm.probed.keyType(i).element()) {
        return false;
      }
    }
    return true;
  }

  HostJoin(JoinArm arm, DenseBatch held) {
    this.arm = arm;
    this.kind = arm.kind();
    this.held = held;
    width = arm.built.keys().size();
    words = new long[width * held.rows()];
    next = new int[held.rows()];
    slots = new int[4 * Integer.highestOneBit(Math.max(1, held.rows()))];
    Arrays.fill(slots, NONE);
    Keys keys = new Keys(arm.built, held, null);
    for (int row = held.rows() - 1; row >= 0; row--) {
      StopSignal.poll(row);
      if (keys.read(row, words, row * width)) {
        int slot = slot(words, row * width);
        next[row] = slots[slot];
        slots[slot] = row;
      }
    }
  }

  /** The slot of a key, or the one where it would be. */
  private int slot(long[] key, int at) {
    long hash = 0;
    for (int i = 0; i < width; i++) {
      hash = (hash ^ key[at + i]) * GOLDEN;
    }
    int slot = (int) (hash >>> 32) & (slots.length - 1);
    while (slots[slot] != NONE && !isSame(key, at, slots[slot] * width)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private boolean isSame(long[] key, int at, int of) {
    return Arrays.equals(key, at, at + width, words, of, of + width);
  }

  /** The words of the keys of a batch's rows. */
  private static final class Keys {
    private final Batch batch;
    private final int[] fields;
    private final ElementType[] elements;
    private final @Nullable StringDomain[] own;
    private final @Nullable StringDomain[] built;

    /**
     * @param held the built rows, whose strings have codes; null where the batch is these
     */
    Keys(JoinArm.Side side, Batch batch, @Nullable HostJoin held) {
      this.batch = batch;
      int width = side.keys().size();
      fields = new int[width];
      elements = new ElementType[width];
      own = new StringDomain[width];
      built = new StringDomain[width];
      for (int i = 0; i < width; i++) {
        fields[i] = side.keyField(i);
        SqlTypeSpec type = side.keyType(i);
        elements[i] = type.element();
        if (held != null && type.kind().isString()) {
          StringDomain other = held.held.strings(held.arm.built.keyField(i));
          StringDomain strings = batch.strings(fields[i]);
          if (!strings.isSameAs(other)) {
            own[i] = strings;
            built[i] = other;
          }
        }
      }
    }

    /** Writes the row's words; false where one is NULL, or a string that no built row can have. */
    boolean read(int row, long[] to, int at) {
      for (int i = 0; i < fields.length; i++) {
        if (batch.isNull(fields[i], row)) {
          return false;
        }
        long word = elements[i].rawAt(batch.hostValues(fields[i]), row);
        StringDomain strings = own[i];
        StringDomain others = built[i];
        if (strings != null && others != null) {
          word = others.find(strings.bytes((int) word));
          if (word < 0) {
            return false;
          }
        }
        to[at + i] = word;
      }
      return true;
    }
  }

  /** The pairs of a window's rows, null where they are too many. */
  @Nullable Pairs pairs(List<Batch> window) {
    Pairs pairs = new Pairs(window);
    long[] key = new long[width];
    for (int b = 0; b < window.size(); b++) {
      Batch batch = window.get(b);
      Keys keys = new Keys(arm.probed, batch, this);
      for (int row = 0; row < batch.rows(); row++) {
        StopSignal.poll(row);
        if (batch.isLive(row)) {
          int first = keys.read(row, key, 0) ? slots[slot(key, 0)] : NONE;
          if (!add(pairs, b, row, first)) {
            return null;
          }
        }
      }
    }
    return pairs;
  }

  /** Adds the row with all built rows from that one on; false where that is too many. */
  private boolean add(Pairs pairs, int batch, int row, int first) {
    switch (kind) {
      case INNER, LEFT -> {
        if (first == NONE && kind == GridHashJoin.Kind.LEFT) {
          pairs.add(batch, row, NONE);
        }
        for (int r = first; r != NONE; r = next[r]) {
          pairs.add(batch, row, r);
        }
      }
      case SEMI -> {
        if (first != NONE) {
          pairs.add(batch, row, NONE);
        }
      }
      case ANTI -> {
        if (first == NONE) {
          pairs.add(batch, row, NONE);
        }
      }
    }
    return pairs.count <= PAIRS_MAX;
  }

  /** Rows of a window, each with a built row or none. */
  final class Pairs {
    private static final int ROOM_FIRST = 64;

    private final List<Batch> window;
    private int[] batches = new int[ROOM_FIRST];
    private int[] rows = new int[ROOM_FIRST];
    private int[] builtRows = new int[ROOM_FIRST];
    private int count;

    private Pairs(List<Batch> window) {
      this.window = window;
    }

    private void add(int batch, int row, int builtRow) {
      if (count == rows.length) {
        batches = Arrays.copyOf(batches, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
        builtRows = Arrays.copyOf(builtRows, 2 * count);
      }
      batches[count] = batch;
      rows[count] = row;
      builtRows[count++] = builtRow;
    }

    int count() {
      return count;
    }

    /** Sets a field of the result, of these rows, to that one of the window's rows. */
    void copyProbed(DenseBatch result, int field, int from, SqlTypeSpec type) {
      copy(result, field, from, type, i -> window.get(batches[i]), rows, window.getLast());
    }

    /** As {@link #copyProbed}, that one of the built rows; NULL where there is none. */
    void copyBuilt(DenseBatch result, int field, int from, SqlTypeSpec type) {
      copy(result, field, from, type, _ -> held, builtRows, held);
    }

    /**
     * @param sources the batch of each pair's row
     * @param numbers of the rows in them
     * @param strings has the strings of the field
     */
    private void copy(
        DenseBatch result,
        int field,
        int from,
        SqlTypeSpec type,
        IntFunction<Batch> sources,
        int[] numbers,
        Batch strings) {
      ElementType element = type.element();
      HostBuffer values = result.memory().pin((long) count * element.bytes());
      HostBuffer validity = result.memory().bitmap(count);
      boolean hasNulls = false;
      for (int i = 0; i < count; i++) {
        hasNulls |= !copy(sources.apply(i), from, element, numbers[i], values, validity, i);
      }
      result.set(field, values, hasNulls ? validity : null);
      if (type.kind().isString()) {
        result.strings(field, strings.strings(from));
      }
    }

    /** Whether there is a value. */
    private static boolean copy(
        Batch batch,
        int field,
        ElementType element,
        int row,
        HostBuffer values,
        HostBuffer validity,
        int to) {
      boolean present = row != NONE && !batch.isNull(field, row);
      element.setRawAt(values, to, present ? element.rawAt(batch.hostValues(field), row) : 0);
      Bitmaps.set(validity, to, present);
      return present;
    }
  }
}
