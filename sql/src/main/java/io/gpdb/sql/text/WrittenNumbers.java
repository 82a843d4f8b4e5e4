package io.gpdb.sql.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;

/**
 * Where the numbers of a statement end: a letter, digit or underscore right after one is a mistake,
 * which the parser would take for an alias ({@code SELECT 0x10}, {@code SELECT 1_000}).
 */
final class WrittenNumbers {
  private final String sql;

  private WrittenNumbers(String sql) {
    this.sql = sql;
  }

  static void requireEnds(String sql) {
    WrittenNumbers numbers = new WrittenNumbers(sql);
    int at = 0;
    while (at < sql.length()) {
      at = numbers.next(at);
    }
  }

  private int next(int at) {
    int after = SkippedText.afterComment(sql, at);
    if (after == at) {
      after = SkippedText.afterQuotes(sql, at);
    }
    if (after > at) {
      return after;
    }
    if (isDigit(at) || (sql.charAt(at) == '.' && isDigit(at + 1))) {
      return number(at);
    }
    return isPartOfName(at) ? afterName(at) : at + 1;
  }

  private int number(int from) {
    int at = afterDigits(from);
    if (at < sql.length() && sql.charAt(at) == '.') {
      at = afterDigits(at + 1);
    }
    if (at < sql.length() && (sql.charAt(at) | 0x20) == 'e') {
      boolean signed =
          at + 1 < sql.length() && (sql.charAt(at + 1) == '+' || sql.charAt(at + 1) == '-');
      int digits = signed ? at + 2 : at + 1;
      at = isDigit(digits) ? afterDigits(digits) : at;
    }
    if (isPartOfName(at) && !isLength(from, at)) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          "a number ends where a letter follows: '"
              + sql.substring(from, afterName(at))
              + "'"
              + place(from));
    }
    return at;
  }

  /** Whether the number is that of a length with a unit: {@code CLOB(10K)}. */
  private boolean isLength(int from, int end) {
    int before = from - 1;
    while (before >= 0 && Character.isWhitespace(sql.charAt(before))) {
      before--;
    }
    return before >= 0
        && sql.charAt(before) == '('
        && "KMG".indexOf(Character.toUpperCase(sql.charAt(end))) >= 0
        && !isPartOfName(end + 1);
  }

  private String place(int at) {
    int line = 1;
    int lineStart = 0;
    for (int end = sql.indexOf('\n'); end >= 0 && end < at; end = sql.indexOf('\n', end + 1)) {
      line++;
      lineStart = end + 1;
    }
    return " at line " + line + ", column " + (at - lineStart + 1);
  }

  private int afterDigits(int from) {
    int at = from;
    while (isDigit(at)) {
      at++;
    }
    return at;
  }

  private int afterName(int from) {
    int at = from;
    while (isPartOfName(at)) {
      at++;
    }
    return at;
  }

  private boolean isDigit(int at) {
    return at < sql.length() && sql.charAt(at) >= '0' && sql.charAt(at) <= '9';
  }

  private boolean isPartOfName(int at) {
    return at < sql.length()
        && (Character.isLetterOrDigit(sql.charAt(at))
            || sql.charAt(at) == '_'
            || sql.charAt(at) == '$'
            || Character.isSurrogate(sql.charAt(at)));
  }
}
