package io.gpdb.storage.index;

/**
 * A range of keys of an ordered index: from the first entry that is not below {@code low} (or, if
 * that is excluded, does not begin with it either) to the last one that begins with {@code high} or
 * is below it (or, if that is excluded, is below it). Bounds are beginnings of keys; an empty one
 * bounds nothing when it is included.
 */
public record OrderedRange(KeyBytes low, boolean lowExcluded, KeyBytes high, boolean highExcluded) {

  /** All entries. */
  public static OrderedRange all() {
    return new OrderedRange(new KeyBytes(0), false, new KeyBytes(0), false);
  }
}
