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
 * {@code {call f(x)}}, {@code {fn f(x)}} of functions that SQL itself has, and types of {@code {fn
 * CONVERT(x, SQL_…)}}. Whatever is left out is a space in its place, so that errors name the place
 * in the caller's text.
 */
public final class JdbcEscapes {
  /** Functions that are written in SQL as they are between the braces: JDBC's and a few more. */
  private static final Set<String> PLAIN =
      Set.of(
          "CHARACTER_LENGTH",
          "CHAR_LENGTH",
          "COALESCE",
          "CURRENT_DATE",
          "CURRENT_TIME",
          "CURRENT_TIMESTAMP",
          "EXTRACT",
          "LOWER",
          "NULLIF",
          "OCTET_LENGTH",
          "POSITION",
          "SUBSTR",
          "TRIM",
          "UPPER");

  /** Those that SQL writes without the parentheses that JDBC wants. */
  private static final Set<String> WITHOUT_ARGUMENTS =
      Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP");

  /** Types of CONVERT by what they are called there, each no longer than its name in JDBC. */
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("SQL_BINARY", "VARBINARY"),
          Map.entry("SQL_BIT", "BOOLEAN"),
          Map.entry("SQL_CHAR", "VARCHAR"),
          Map.entry("SQL_CLOB", "VARCHAR"),
          Map.entry("SQL_LONGNVARCHAR", "VARCHAR"),
          Map.entry("SQL_LONGVARBINARY", "VARBINARY"),
          Map.entry("SQL_LONGVARCHAR", "VARCHAR"),
          Map.entry("SQL_NCHAR", "VARCHAR"),
          Map.entry("SQL_NCLOB", "VARCHAR"),
          Map.entry("SQL_NVARCHAR", "VARCHAR"));

  private static final Pattern FUNCTION =
      Pattern.compile("\\{\\s*fn\\s+(\\w+)\\s*(?:\\(|(?=\\}))", Pattern.CASE_INSENSITIVE);
  private static final Pattern LIMIT =
      Pattern.compile("\\{\\s*(?=limit\\s)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CALL =
      Pattern.compile(
          "\\s*(\\{)\\s*call\\s.+(\\})[\\s;]*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

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
    String text = call.matches() ? withoutBraces(sql, call) : sql;
    return text.indexOf('{') < 0 ? text : new JdbcEscapes(text).outsideOfQuotes();
  }

  /** The call with spaces in the places of the braces around it. */
  private static String withoutBraces(String sql, Matcher call) {
    StringBuilder text = new StringBuilder(sql);
    text.setCharAt(call.start(1), ' ');
    text.setCharAt(call.start(2), ' ');
    return text.toString();
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
    Matcher function = FUNCTION.matcher(sql).region(at, end).useTransparentBounds(true);
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
      } else if (name.equals("CONVERT")) {
        renameType(end);
      }
    }
  }

  /** The type is the last word before the parenthesis that closes the call. */
  private void renameType(int end) {
    int closes = lastBefore(end);
    int last = sql.charAt(closes) == ')' ? lastBefore(closes) : -1;
    int first = last;
    while (first >= 0 && Character.isJavaIdentifierPart(sql.charAt(first))) {
      first--;
    }
    String type = TYPES.get(sql.substring(first + 1, last + 1).toUpperCase(Locale.ROOT));
    if (type != null) {
      blank(first + 1, last + 1);
      text.replace(first + 1, first + 1 + type.length(), type);
    }
  }

  /** The last character before that one which is no space; an escape has one. */
  private int lastBefore(int end) {
    int at = end - 1;
    while (Character.isWhitespace(sql.charAt(at))) {
      at--;
    }
    return at;
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
