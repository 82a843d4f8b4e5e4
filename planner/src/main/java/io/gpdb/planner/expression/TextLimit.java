package io.gpdb.planner.expression;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;

/** What a string function may make: checked before the memory is taken. */
public final class TextLimit {
  /** Of a result, in UTF-16 units of text or in bytes. */
  public static final int LENGTH_MAX = 1 << 24;

  private TextLimit() {}

  /** Refuses a result that would be longer. */
  public static void check(String function, long length) {
    if (length > LENGTH_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "the result of %s is too long: length=%d, limit=%d"
              .formatted(function, length, LENGTH_MAX));
    }
  }

  /** The text with every {@code search}, which is not empty, replaced. */
  public static String replaced(String text, String search, String by) {
    if (by.length() > search.length()) {
      long found = 0;
      for (int at = text.indexOf(search); at >= 0; at = text.indexOf(search, at)) {
        found++;
        at += search.length();
      }
      check("REPLACE", text.length() + found * (by.length() - search.length()));
    }
    return text.replace(search, by);
  }
}
