package io.gpdb.sql.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Escapes of six digits in U&'…' and U&"…", which Calcite's parser takes for ones of four: it would
 * read {@code \\+01f44d} as the sign and digits +01f and leave 44d as text. They become the
 * characters themselves; blanks behind the literal keep every later place in the text where it is.
 */
final class UnicodeEscapes {
  private static final Pattern BEGIN = Pattern.compile("&['\"]");
  private static final Pattern UESCAPE = Pattern.compile("(?i)\\s*UESCAPE\\s*'(.)'");
  private static final Pattern DIGITS = Pattern.compile("[0-9a-fA-F]{6}");
  private static final int DIGITS_LENGTH = 6;

  private final String sql;
  private final StringBuilder text = new StringBuilder();

  private UnicodeEscapes(String sql) {
    this.sql = sql;
  }

  /** The statement without escapes of six digits; throws 42601 for one that is no character. */
  static String ofFourDigits(String sql) {
    return BEGIN.matcher(sql).find() && sql.indexOf('+') >= 0
        ? new UnicodeEscapes(sql).replaced()
        : sql;
  }

  private String replaced() {
    int at = 0;
    while (at < sql.length()) {
      int after = SkippedText.afterComment(sql, at);
      after = after == at ? afterLiteral(at) : after;
      if (after > at && isEscaped(at)) {
        literal(at, after);
      } else {
        after = Math.max(after, at + 1);
        text.append(sql, at, after);
      }
      at = after;
    }
    return text.toString();
  }

  /** The place after the literal or name that begins here; a doubled quote does not end it. */
  private int afterLiteral(int at) {
    int after = SkippedText.afterQuotes(sql, at);
    while (after > at && after < sql.length() && sql.charAt(after) == sql.charAt(at)) {
      after = SkippedText.afterQuotes(sql, after);
    }
    return after;
  }

  private boolean isEscaped(int at) {
    return at > 1
        && sql.charAt(at - 1) == '&'
        && Character.toUpperCase(sql.charAt(at - 2)) == 'U'
        && (at == 2 || !Character.isJavaIdentifierPart(sql.charAt(at - 3)))
        && (sql.charAt(at) == '\'' || sql.charAt(at) == '"');
  }

  private void literal(int from, int to) {
    Matcher other = UESCAPE.matcher(sql).region(to, sql.length());
    char escape = other.lookingAt() ? other.group(1).charAt(0) : '\\';
    int length = text.length() + to - from;
    int at = from;
    while (at < to) {
      if (sql.charAt(at) != escape || at == from || at + 1 >= to) {
        text.append(sql.charAt(at++));
      } else if (sql.charAt(at + 1) == '+') {
        text.append(character(at, sql.charAt(from), escape));
        at += 2 + DIGITS_LENGTH;
      } else { // four digits, or the sign itself
        text.append(sql, at, at + 2);
        at += 2;
      }
    }
    text.append(" ".repeat(length - text.length()));
  }

  /** What replaces the character of an escape in the literal. */
  private String character(int at, char quote, char escape) {
    Matcher digits = DIGITS.matcher(sql).region(at + 2, sql.length());
    int point = digits.lookingAt() ? Integer.parseInt(digits.group(), 16) : -1;
    if (!Character.isValidCodePoint(point)) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          "a Unicode escape has six hexadecimal digits, of 10FFFF at most: at character "
              + (at + 1));
    }
    if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
      return escape + digits.group().substring(2);
    }
    String character = Character.toString(point);
    return point == quote || point == escape ? character + character : character;
  }
}
