package io.gpdb.storage.index;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys whose first columns equal values, and whose next column is between bounds.
 *
 * @param equal values of the first columns, which may be NULL
 * @param low of the next column, in the order of its values; null for none
 * @param high of the next column
 * @param present whether the next column is not NULL, as it is where there is a bound
 */
public record KeyRange(
    List<Value> equal, @Nullable Bound low, @Nullable Bound high, boolean present) {
  public KeyRange {
    equal = List.copyOf(equal);
    present |= low != null || high != null;
  }

  /** Of keys that begin with these values. */
  public static KeyRange of(List<Value> equal) {
    return new KeyRange(equal, null, null, false);
  }

  /** A value in a column: a string's bytes, a number's raw bits, or NULL. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Value(boolean isNull, long raw, byte @Nullable [] bytes) {
    public static final Value NULL = new Value(true, 0, null);

    public static Value of(long raw) {
      return new Value(false, raw, null);
    }

    public static Value of(byte[] bytes) {
      return new Value(false, 0, bytes);
    }
  }

  /** A value, no NULL, that is in the range or is not. */
  public record Bound(Value value, boolean included) {}
}
