package io.gpdb.planner.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A pattern of SIMILAR TO as a regular expression of {@link java.util.regex.Pattern}: {@code _}
 * matches one character, {@code %} any number; {@code | * + ? {n,m} ( ) [ ]} are as in regular
 * expressions, and within brackets {@code [:ALPHA:]} and its like are classes.
 */
public final class SimilarPattern {
  private static final Map<String, String> CLASSES =
      Map.of(
          "ALPHA", "\\p{IsAlphabetic}",
          "UPPER", "\\p{Lu}",
          "LOWER", "\\p{Ll}",
          "DIGIT", "\\d",
          "ALNUM", "\\p{IsAlphabetic}\\d",
          "SPACE", " ",
          "WHITESPACE", "\\s");

  private static final Pattern COUNT = Pattern.compile("\\d{1,9}(,\\d{0,9})?");

  private final String pattern;
  private final int escape;
  private final StringBuilder expression = new StringBuilder();
  private int at;

  private SimilarPattern(String pattern, String escape) {
    if (Characters.length(escape) > 1) {
      throw new GpdbException(
          SqlCondition.INVALID_ESCAPE_CHARACTER,
          "ESCAPE takes one character, not '" + escape + "'");
    }
    this.pattern = pattern;
    this.escape = escape.isEmpty() ? -1 : escape.codePointAt(0);
  }

  /** The regular expression that matches the same whole texts; an empty escape is none. */
  public static String expression(String pattern, String escape) {
    SimilarPattern made = new SimilarPattern(pattern, escape);
    while (made.at < pattern.length()) {
      made.add(made.next());
    }
    return made.expression.toString();
  }

  private int next() {
    int character = pattern.codePointAt(at);
    at += Character.charCount(character);
    return character;
  }

  private void add(int character) {
    if (character == escape) {
      literal(escaped());
      return;
    }
    switch (character) {
      case '%' -> expression.append(".*");
      case '_' -> expression.append('.');
      case '[' -> brackets();
      case '{' -> counted();
      case ']', '}' -> throw wrong();
      case '|', '*', '+', '?', '(', ')' -> expression.appendCodePoint(character);
      default -> literal(character);
    }
  }

  private int escaped() {
    if (at == pattern.length()) {
      throw new GpdbException(
          SqlCondition.INVALID_ESCAPE, "a pattern does not end with its escape: '" + pattern + "'");
    }
    return next();
  }

  private void literal(int character) {
    if (!Character.isLetterOrDigit(character) && character < 0x80) {
      expression.append('\\');
    }
    expression.appendCodePoint(character);
  }

  private void counted() {
    int end = pattern.indexOf('}', at);
    String numbers = end < 0 ? "" : pattern.substring(at, end);
    if (!COUNT.matcher(numbers).matches()) {
      throw wrong();
    }
    expression.append('{').append(numbers).append('}');
    at = end + 1;
  }

  private void brackets() {
    expression.append('[');
    if (at < pattern.length() && pattern.charAt(at) == '^') {
      expression.append('^');
      at++;
    }
    int members = 0;
    while (true) {
      if (at == pattern.length()) {
        throw wrong();
      }
      int character = next();
      if (character == ']' && members > 0) {
        expression.append(']');
        return;
      }
      members++;
      if (character == escape) {
        literal(escaped());
      } else if (pattern.startsWith("[:", at - 1)) {
        named();
      } else if (character == '-') {
        expression.append('-');
      } else {
        literal(character);
      }
    }
  }

  private void named() {
    int end = pattern.indexOf(":]", at);
    String characters = end < 0 ? null : CLASSES.get(pattern.substring(at + 1, end));
    if (characters == null) {
      throw wrong();
    }
    expression.append(characters);
    at = end + 2;
  }

  private GpdbException wrong() {
    return new GpdbException(
        SqlCondition.INVALID_REGULAR_EXPRESSION, "'" + pattern + "' is no pattern of SIMILAR TO");
  }
}
