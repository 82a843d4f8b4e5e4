package io.gpdb.planner.constraint;

/** Which values of a key are NULL. */
final class NullFlags {
  private NullFlags() {}

  static boolean isAny(boolean[] nulls) {
    for (boolean isNull : nulls) {
      if (isNull) {
        return true;
      }
    }
    return false;
  }

  static boolean isAll(boolean[] nulls) {
    for (boolean isNull : nulls) {
      if (!isNull) {
        return false;
      }
    }
    return true;
  }
}
