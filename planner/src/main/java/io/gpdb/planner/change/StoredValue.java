package io.gpdb.planner.change;

import org.jspecify.annotations.Nullable;

/**
 * A value as its column stores it.
 *
 * @param string its bytes, in a column of strings; elsewhere it is {@code raw}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredValue(boolean isNull, long raw, byte @Nullable [] string) {
  public static final StoredValue NULL = new StoredValue(true, 0, null);
}
