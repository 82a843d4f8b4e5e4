package io.gpdb.jdbc.value;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The escapes of JDBC that the parser does not know, as the SQL that they mean: {@code {limit n}},
 * {@code {call f(x)}} with {@code CALL f(x)}, and {@code {fn f(x)}} of functions that SQL itself
 * has. Whatever is left out is a space in its place, so that errors name the place in the caller's
 * text.
 */
public final class JdbcEscapes {
  /** Functions of JDBC that are written in SQL as they are between the braces. */
  private static final Set<String> PLAIN =
      Set.of(
          "CHARACTER_LENGTH",
          "CHAR_LENGTH",
          "CURRENT_DATE",
          "CURRENT_TIME",
          "CURRENT_TIMESTAMP",
          "EXTRACT",
          "OCTET_LENGTH",
          "POSITION",
          "SUBSTR");

  /** Those that SQL writes without the parentheses that JDBC wants. */
  private static final Set<String> WITHOUT_ARGUMENTS =
      Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP");

  private static final Pattern FUNCTION =
      Pattern.compile("\\{\\s*fn\\s+(\\w+)\\s*\\(", Pattern.CASE_INSENSITIVE);
  private static final Pattern LIMIT =
      Pattern.compile("\\{\\s*(?=limit\\s)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CALL =
      Pattern.compile(
          "\\s*(?:\\{\\s*call\\s+(.+)\\}|call\\s+(.+?));?\\s*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Pattern EMPTY_PARENTHESES = Pattern.compile("\\(\\s*\\)");

  private final String sql;
  private final StringBuilder text;

  /** The brace that ends the escape, by the one that begins it. */
  private final Map<Integer, Integer> ends = new HashMap<>();

  private JdbcEscapes(String sql) {
    this.sql = sql;
    this.text = new StringBuilder(sql);
  }

  /** The text for the engine. */
  public static String translated(String sql) {
    Matcher call = CALL.matcher(sql);
    if (call.matches()) {
      String called = call.group(1) == null ? call.group(2) : call.group(1);
      return "VALUES (" + called.strip() + ")";
    }
    return sql.indexOf('{') < 0 ? sql : new JdbcEscapes(sql).outsideOfQuotes();
  }

  private String outsideOfQuotes() {
    Deque<Integer> open = new ArrayDeque<>();
    for (int at = 0; at < sql.length(); at = next(at)) {
      if (sql.charAt(at) == '{') {
        open.push(at);
      } else if (sql.charAt(at) == '}' && !open.isEmpty()) {
        ends.put(open.pop(), at);
      }
    }
    for (int at = 0; at < sql.length(); at = next(at)) {
      Integer end = sql.charAt(at) == '{' ? ends.get(at) : null;
      if (end != null) {
        escape(at, end);
      }
    }
    return text.toString();
  }

  /** Where the next thing begins behind a character, a quoted text or a comment. */
  private int next(int at) {
    return switch (sql.charAt(at)) {
      case '\'', '"' -> behind(sql.indexOf(sql.charAt(at), at + 1));
      case '-' -> sql.startsWith("--", at) ? behind(sql.indexOf('\n', at)) : at + 1;
      case '/' -> sql.startsWith("/*", at) ? behind(sql.indexOf("*/", at + 2)) : at + 1;
      default -> at + 1;
    };
  }

  private int behind(int found) {
    return found < 0 ? sql.length() : found + 1;
  }

  private void escape(int at, int end) {
    Matcher limit = LIMIT.matcher(sql).region(at, end).useTransparentBounds(true);
    Matcher function = FUNCTION.matcher(sql).region(at, end);
    if (limit.lookingAt()) {
      blank(at, limit.end());
      blank(end, end + 1);
    } else if (function.lookingAt()) {
      String name = function.group(1).toUpperCase(Locale.ROOT);
      if (PLAIN.contains(name)) {
        blank(at, function.start(1));
        blank(end, end + 1);
      }
      if (WITHOUT_ARGUMENTS.contains(name)) {
        dropParentheses(function.end() - 1);
      }
    }
  }

  private void dropParentheses(int at) {
    Matcher empty = EMPTY_PARENTHESES.matcher(sql).region(at, sql.length());
    if (empty.lookingAt()) {
      blank(empty.start(), empty.end());
    }
  }

  private void blank(int from, int to) {
    text.replace(from, to, " ".repeat(to - from));
  }
}
