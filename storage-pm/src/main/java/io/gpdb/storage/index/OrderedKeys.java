package io.gpdb.storage.index;

import static java.util.Objects.requireNonNull;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.dictionary.Dictionary;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the keys of an ordered index as bytes that compare, without a sign, as the keys do.
 *
 * <p>A column is a byte that says whether there is a value, and the value: a number by its bytes,
 * most significant first, so that the least has zeros alone (0.0 and -0.0 are one, and so are all
 * NaNs, which come last); a string by its bytes, in which 0 is 0 1, and 0 0 behind them. NULL comes
 * behind all values. A descending column has all of its bits the other way round.
 *
 * <p>No key is the beginning of another, so that an entry's row may follow it at once. Keys are cut
 * behind {@link OrderedIndexLayout#KEY_BYTES_MAX} bytes: two that are equal as far as that have
 * entries in the order of their rows.
 */
public final class OrderedKeys {
  /** Numbers below NULL's, so that NULL comes last. */
  private static final int VALUE = 1;

  private static final int NULL = 2;
  private static final int END = 0;
  private static final int ZERO = 1;
  private static final byte[] NOTHING = {};

  private final ElementType[] types;
  private final @Nullable Dictionary[] dictionaries;
  private final boolean[] descending;
  private final boolean hasStrings;
  private final int numberBytes;

  /** Of an index of a table that has these columns. */
  OrderedKeys(IndexShape shape, ElementType[] columns, @Nullable Dictionary[] strings) {
    int[] indexed = shape.columns();
    types = new ElementType[indexed.length];
    dictionaries = new @Nullable Dictionary[indexed.length];
    descending = shape.descending();
    int bytes = 0;
    for (int k = 0; k < indexed.length; k++) {
      types[k] = columns[indexed[k]];
      dictionaries[k] = strings[indexed[k]];
      bytes += 1 + types[k].bytes();
    }
    numberBytes = bytes;
    hasStrings = Arrays.asList(types).contains(ElementType.CODE);
  }

  /** Columns of a key. */
  int columns() {
    return types.length;
  }

  /** Room that no key goes beyond, but for strings; with eight bytes to spare. */
  public int room() {
    return numberBytes + (hasStrings ? 64 : 0) + OrderedIndexLayout.ROW_BYTES + Long.BYTES;
  }

  /** Appends a whole key; {@code nulls} says which columns are NULL, or is null if none is. */
  public void append(KeyBytes target, long[] key, boolean @Nullable [] nulls) {
    int from = target.length();
    for (int k = 0; k < types.length; k++) {
      append(target, k, key[k], nulls != null && nulls[k]);
    }
    target.cut(from + OrderedIndexLayout.KEY_BYTES_MAX);
  }

  /**
   * Appends the entries of a batch, keys and rows.
   *
   * @param ends takes where each entry ends, from {@code ends[first + 1]} on
   */
  void appendAll(KeyBytes target, KeyBatch batch, int[] ends, int first) {
    if (!hasStrings && !batch.isNullable()) {
      appendNumbers(target, batch, ends, first);
      return;
    }
    for (int i = 0, n = batch.n(); i < n; i++) {
      append(target, batch, i);
      target.addRow(batch.row(i));
      ends[first + i + 1] = target.length();
    }
  }

  /** Appends entries that are all of one length. */
  private void appendNumbers(KeyBytes target, KeyBatch batch, int[] ends, int first) {
    int n = batch.n();
    int entryBytes = numberBytes + OrderedIndexLayout.ROW_BYTES;
    int from = target.addRoom(Math.multiplyExact(n, entryBytes));
    int at = from;
    for (int k = 0; k < types.length; k++) {
      appendNumbers(target, at, entryBytes, batch, k);
      at += 1 + types[k].bytes();
    }
    for (int i = 0; i < n; i++) {
      target.setBytes(at + i * entryBytes, batch.row(i), OrderedIndexLayout.ROW_BYTES);
      ends[first + i + 1] = from + (i + 1) * entryBytes;
    }
  }

  private void appendNumbers(KeyBytes target, int from, int stride, KeyBatch batch, int k) {
    ElementType type = types[k];
    long inverted = descending[k] ? -1 : 0;
    int at = from;
    for (int i = 0, n = batch.n(); i < n; i++) {
      target.setBytes(at, VALUE ^ inverted, 1);
      target.setBytes(at + 1, ascending(type, batch.raw(i, k)) ^ inverted, type.bytes());
      at += stride;
    }
  }

  /** Whether an entry's key, which begins there and is not cut, has a NULL. */
  boolean hasNull(byte[] entry, int from) {
    int at = from;
    for (int k = 0; k < types.length; k++) {
      byte inverted = (byte) (descending[k] ? -1 : 0);
      if ((entry[at++] ^ inverted) == NULL) {
        return true;
      }
      at = types[k] == ElementType.CODE ? endOfString(entry, at, inverted) : at + types[k].bytes();
    }
    return false;
  }

  /** Where the string ends that begins there; all bits are turned round where inverted has ones. */
  private static int endOfString(byte[] entry, int from, byte inverted) {
    int at = from;
    while (entry[at] != inverted || entry[at + 1] != inverted) {
      at += entry[at] == inverted ? 2 : 1;
    }
    return at + 2;
  }

  /** Appends key i of a batch. */
  private void append(KeyBytes target, KeyBatch batch, int i) {
    int from = target.length();
    for (int k = 0; k < types.length; k++) {
      append(target, k, batch.raw(i, k), batch.isNull(i, k));
    }
    target.cut(from + OrderedIndexLayout.KEY_BYTES_MAX);
  }

  /** Appends column k, whose value is {@code raw}, a string's code. */
  void append(KeyBytes target, int k, long raw, boolean isNull) {
    int from = target.length();
    target.add(isNull ? NULL : VALUE);
    if (!isNull) {
      if (types[k] == ElementType.CODE) {
        appendString(target, bytes(k, raw));
      } else {
        appendNumber(target, types[k], raw);
      }
    }
    if (descending[k]) {
      target.invert(from);
    }
  }

  /** The entries of a range of keys; some more, where a bound is longer than an entry's key. */
  public OrderedRange range(KeyRange keys) {
    KeyBytes low = new KeyBytes(room());
    int k = 0;
    for (KeyRange.Value value : keys.equal()) {
      append(low, k++, value);
    }
    KeyBytes high = new KeyBytes(low.length() + room());
    high.addAll(low.array(), 0, low.length());
    KeyRange.Bound least = keys.low();
    KeyRange.Bound greatest = keys.high();
    if (keys.present() && descending[k]) {
      least = keys.high();
      greatest = keys.low();
    }
    boolean lowExcluded = keys.present() && bound(low, k, least);
    boolean highExcluded = keys.present() && bound(high, k, greatest);
    return new OrderedRange(low, lowExcluded, high, highExcluded);
  }

  /** Appends a bound, or what all values of the column begin with; whether it is excluded. */
  private boolean bound(KeyBytes target, int k, KeyRange.@Nullable Bound bound) {
    if (bound == null) {
      target.add(descending[k] ? ~VALUE : VALUE);
      target.cut(OrderedIndexLayout.KEY_BYTES_MAX);
      return false;
    }
    append(target, k, bound.value());
    boolean whole = target.length() < OrderedIndexLayout.KEY_BYTES_MAX;
    target.cut(OrderedIndexLayout.KEY_BYTES_MAX);
    return whole && !bound.included();
  }

  private void append(KeyBytes target, int k, KeyRange.Value value) {
    byte[] text = value.bytes();
    if (text == null) {
      append(target, k, value.raw(), value.isNull());
    } else {
      append(target, k, text);
    }
    target.cut(OrderedIndexLayout.KEY_BYTES_MAX);
  }

  /** Appends column k, a string of these bytes. */
  void append(KeyBytes target, int k, byte[] text) {
    int from = target.length();
    target.add(VALUE);
    appendString(target, text);
    if (descending[k]) {
      target.invert(from);
    }
  }

  /**
   * The string; an empty one for a code that was freed, of a row that replay changes later, or that
   * never came, of a row that is damaged.
   */
  private byte[] bytes(int k, long code) {
    Dictionary strings = requireNonNull(dictionaries[k]);
    return strings.isUsed(code) ? strings.bytes((int) code) : NOTHING;
  }

  private static void appendString(KeyBytes target, byte[] text) {
    for (int i = 0, n = Math.min(text.length, OrderedIndexLayout.KEY_BYTES_MAX); i < n; i++) {
      target.add(text[i]);
      if (text[i] == 0) {
        target.add(ZERO);
      }
    }
    target.add(END);
    target.add(END);
  }

  private static void appendNumber(KeyBytes target, ElementType type, long raw) {
    target.addLong(ascending(type, raw), type.bytes());
  }

  /** Bits of which the low ones, as many as the type has, compare without a sign as values do. */
  private static long ascending(ElementType type, long raw) {
    long bits = type.keyOf(raw);
    return type.isFloat() && bits < 0 ? ~bits : bits ^ (1L << (type.bytes() * 8 - 1));
  }
}
