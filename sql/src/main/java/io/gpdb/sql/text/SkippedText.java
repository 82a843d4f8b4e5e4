package io.gpdb.sql.text;

/**
 * Parts of a text of SQL that are not searched for signs: comments, strings and quoted names. What
 * is not closed ends with the text.
 */
final class SkippedText {
  private SkippedText() {}

  /** The place after the comment that begins here; the same where none does. */
  static int afterComment(String text, int at) {
    if (text.startsWith("--", at)) {
      return after("\n", text, at);
    }
    return text.startsWith("/*", at) ? after("*/", text, at + 2) : at;
  }

  /**
   * The place after the string or quoted name that begins here; the same where none does. A doubled
   * quote ends one and begins the next.
   */
  static int afterQuotes(String text, int at) {
    char c = text.charAt(at);
    boolean quoted = c == '\'' || c == '"' || c == '`';
    return quoted ? after(String.valueOf(c), text, at + 1) : at;
  }

  private static int after(String end, String text, int from) {
    int found = text.indexOf(end, from);
    return found < 0 ? text.length() : found + end.length();
  }
}
