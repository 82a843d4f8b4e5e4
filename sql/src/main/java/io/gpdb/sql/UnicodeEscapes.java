package io.gpdb.sql;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Escapes of six digits in U&'…', which Calcite's parser takes for ones of four: it would read
 * {@code \\+01f44d} as the sign and digits +01f and leave 44d as text.
 */
final class UnicodeEscapes {
  private static final String BEGIN = "&'";
  private static final Pattern UESCAPE = Pattern.compile("(?i)\\s*UESCAPE\\s*'(.)'");

  private UnicodeEscapes() {}

  /** Throws 0A000 for an escape of six digits. */
  static void requireFourDigits(String sql) {
    if (!sql.contains(BEGIN)) {
      return;
    }
    int at = 0;
    while (at < sql.length()) {
      int after = SkippedText.afterComment(sql, at);
      after = after == at ? afterLiteral(sql, at) : after;
      at = Math.max(after, at + 1);
    }
  }

  /** The place after the literal or quoted name that begins here. */
  private static int afterLiteral(String sql, int at) {
    int after = SkippedText.afterQuotes(sql, at);
    boolean escaped =
        after > at
            && at > 1
            && sql.startsWith(BEGIN, at - 1)
            && Character.toUpperCase(sql.charAt(at - 2)) == 'U';
    if (escaped) {
      check(sql, at, after);
    }
    return after;
  }

  private static void check(String sql, int from, int to) {
    Matcher other = UESCAPE.matcher(sql).region(to, sql.length());
    String escape = other.lookingAt() ? other.group(1) : "\\";
    String body = sql.substring(from + 1, to).replace(escape + escape, "  ");
    int six = body.indexOf(escape + "+");
    if (six >= 0) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a Unicode escape of six digits is not supported, write the character or "
              + escape
              + "XXXX"
              + escape
              + "XXXX, its surrogates: at character "
              + (from + 2 + six));
    }
  }
}
