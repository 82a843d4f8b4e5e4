package io.gpdb.planner.text;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** What a string function may make: checked before the memory is taken. */
public final class TextLimit {
  /** Of a result, in characters of text or in bytes. */
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

  /** Refuses texts that together would be longer; characters are counted only near the limit. */
  public static void check(String function, CharSequence... parts) {
    long units = 0;
    for (CharSequence part : parts) {
      units += part.length();
    }
    if (units > LENGTH_MAX) {
      long characters = 0;
      for (CharSequence part : parts) {
        characters += Character.codePointCount(part, 0, part.length());
      }
      check(function, characters);
    }
  }

  /** The text with every {@code search}, which is not empty, replaced. */
  public static String replaced(String text, String search, String by) {
    TextSearch places = new TextSearch(search);
    if (by.length() > search.length()) {
      long found = 0;
      for (int at = places.in(text, 0); at >= 0; at = places.in(text, at)) {
        found++;
        at += search.length();
      }
      long more = (long) Characters.length(by) - Characters.length(search);
      check("REPLACE", Characters.length(text) + found * more);
    }
    return places.replaced(text, by);
  }
}
