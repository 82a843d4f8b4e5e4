package io.gpdb.sql.text;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The JDBC escapes whose content is SQL already: {@code {oj a LEFT JOIN b ON …}} and {@code {escape
 * '!'}}. Their braces (and {@code oj}) become blanks, so that every place in the text stays where
 * it is. All other escapes belong to the grammar.
 */
final class EscapeClauses {
  private static final String OUTER_JOIN = "oj";
  private static final String LIKE_ESCAPE = "escape";

  private final String sql;
  private final StringBuilder text;

  /** Where the braces that are open begin; those of other escapes as -1. */
  private final Deque<Integer> open = new ArrayDeque<>();

  private EscapeClauses(String sql) {
    this.sql = sql;
    text = new StringBuilder(sql);
  }

  /** The statement with blanks in the places of those braces. */
  static String blanked(String sql) {
    return sql.indexOf('{') < 0 ? sql : new EscapeClauses(sql).blanked();
  }

  private String blanked() {
    int at = 0;
    while (at < sql.length()) {
      at = next(at);
    }
    return text.toString();
  }

  private int next(int at) {
    int after = SkippedText.afterComment(sql, at);
    if (after == at) {
      after = SkippedText.afterQuotes(sql, at);
    }
    if (after > at) {
      return after;
    }
    switch (sql.charAt(at)) {
      case '{' -> open.push(begins(at) ? at : -1);
      case '}' -> close(at);
      default -> {}
    }
    return at + 1;
  }

  private boolean begins(int brace) {
    return isWord(OUTER_JOIN, wordAt(brace)) || isWord(LIKE_ESCAPE, wordAt(brace));
  }

  private int wordAt(int brace) {
    int at = brace + 1;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private boolean isWord(String word, int at) {
    int end = at + word.length();
    return end <= text.length()
        && text.substring(at, end).equalsIgnoreCase(word)
        && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
  }

  /** Blanks a pair of braces once both are found; one that is not closed stays, as an error. */
  private void close(int at) {
    int begin = open.isEmpty() ? -1 : open.pop();
    if (begin < 0) {
      return;
    }
    text.setCharAt(begin, ' ');
    text.setCharAt(at, ' ');
    int word = wordAt(begin);
    if (isWord(OUTER_JOIN, word)) {
      text.replace(word, word + OUTER_JOIN.length(), " ".repeat(OUTER_JOIN.length()));
    }
  }
}
