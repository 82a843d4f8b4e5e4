package io.gpdb.sql.text;

import java.util.Locale;

/**
 * Counts, while a text of SQL is read, how deep a place is in BEGIN ATOMIC … END, whose semicolons
 * do not end the statement.
 */
public final class AtomicBlocks {
  private String before = "";
  private int depth;

  /** Whether the place that was read last is in a block. */
  public boolean isInside() {
    return depth > 0;
  }

  /** Begins the next statement. */
  public void begin() {
    before = "";
    depth = 0;
  }

  /**
   * Reads the word that begins at a place outside of strings, quoted names and comments.
   *
   * @return the place after it, or after the one character there where that begins no word
   */
  public int afterWord(String text, int at) {
    int end = at;
    while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
      end++;
    }
    if (end == at) {
      before = Character.isWhitespace(text.charAt(at)) ? before : "";
      return at + 1;
    }
    boolean other = end - at > "ATOMIC".length();
    String word = other ? "" : text.substring(at, end).toUpperCase(Locale.ROOT);
    switch (word) {
      case "ATOMIC" -> depth += before.equals("BEGIN") ? 1 : 0;
      case "CASE" -> depth += depth > 0 ? 1 : 0;
      case "END" -> depth -= depth > 0 ? 1 : 0;
      default -> {
        // no word of a block
      }
    }
    before = word;
    return end;
  }
}
