package io.gpdb.planner.text;

import io.gpdb.storage.error.StopSignal;

/**
 * Finds a text in a text in steps that grow with the length of both together (Knuth, Morris and
 * Pratt 1977), not with their product: both may have millions of characters.
 */
final class TextSearch {
  /** Up to this length, comparing at every place is faster. */
  private static final int SHORT = 64;

  private final String what;

  /** By length of what fits: how much of it is also the beginning of {@code what}; or none. */
  private final int[] borders;

  TextSearch(String what) {
    this.what = what;
    borders = what.length() <= SHORT ? new int[0] : borders(what);
  }

  private static int[] borders(String what) {
    int[] borders = new int[what.length()];
    int border = 0;
    for (int i = 1; i < borders.length; i++) {
      StopSignal.poll(i);
      while (border > 0 && what.charAt(i) != what.charAt(border)) {
        border = borders[border - 1];
      }
      border += what.charAt(i) == what.charAt(border) ? 1 : 0;
      borders[i] = border;
    }
    return borders;
  }

  /** Where it is first found from there on, or -1. */
  int in(String text, int from) {
    if (borders.length == 0) {
      return text.indexOf(what, from);
    }
    int fits = 0;
    for (int i = Math.max(from, 0); i < text.length(); i++) {
      StopSignal.poll(i);
      while (fits > 0 && text.charAt(i) != what.charAt(fits)) {
        fits = borders[fits - 1];
      }
      fits += text.charAt(i) == what.charAt(fits) ? 1 : 0;
      if (fits == borders.length) {
        return i - fits + 1;
      }
    }
    return -1;
  }

  /** The text with every place, none over another one, replaced; the search is not empty. */
  String replaced(String text, String by) {
    if (borders.length == 0) {
      return text.replace(what, by);
    }
    StringBuilder made = new StringBuilder();
    int copied = 0;
    for (int at = in(text, 0); at >= 0; at = in(text, copied)) {
      made.append(text, copied, at).append(by);
      copied = at + what.length();
    }
    return made.append(text, copied, text.length()).toString();
  }
}
