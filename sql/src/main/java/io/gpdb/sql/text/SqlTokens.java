package io.gpdb.sql.text;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words, names, literals and signs of a statement, with their places in its text. */
public final class SqlTokens {
  private static final int TOKENS_MAX = 1024;

  private static final String SIGNS = "=<>!(),.;+-*/|%:";

  private final String sql;
  private final String signs;
  private String[] words = new String[32];
  private Kind[] kinds = new Kind[32];
  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private int count;

  private enum Kind {
    WORD,
    QUOTED,
    NUMBER,
    STRING,
    SIGN
  }

  private SqlTokens(String sql, String signs) {
    this.sql = sql;
    this.signs = signs;
  }

  /** The tokens; null for a text with parameters, comments, or what this class does not know. */
  public static @Nullable SqlTokens of(String sql) {
    return new SqlTokens(sql, SIGNS).all();
  }

  /** As {@link #of}, where the mark of a parameter is a sign. */
  public static @Nullable SqlTokens withParameters(String sql) {
    return new SqlTokens(sql, SIGNS + '?').all();
  }

  private @Nullable SqlTokens all() {
    int at = 0;
    while (at >= 0 && at < sql.length()) {
      at = Character.isWhitespace(sql.charAt(at)) ? at + 1 : next(at);
    }
    return at < 0 ? null : this;
  }

  public int count() {
    return count;
  }

  /** An unquoted word in upper case, a sign, or nothing for all else and beyond the ends. */
  public String word(int token) {
    return token < 0 || token >= count ? "" : words[token];
  }

  public boolean isNumber(int token) {
    return token >= 0 && token < count && kinds[token] == Kind.NUMBER;
  }

  public boolean isLiteral(int token) {
    return isNumber(token) || (token >= 0 && token < count && kinds[token] == Kind.STRING);
  }

  /** Whether the token may be a column's name. */
  public boolean isName(int token) {
    return token >= 0
        && token < count
        && (kinds[token] == Kind.WORD || kinds[token] == Kind.QUOTED);
  }

  /** Whether the token is a name in quotes. */
  public boolean isQuoted(int token) {
    return token >= 0 && token < count && kinds[token] == Kind.QUOTED;
  }

  public int start(int token) {
    return starts[token];
  }

  public int end(int token) {
    return ends[token];
  }

  /** Adds the token that begins here; the place after it, or -1. */
  private int next(int from) {
    char c = sql.charAt(from);
    if (c == '\'' || c == '"') {
      int end = quoted(from, c);
      return end < 0 ? -1 : add(c == '"' ? Kind.QUOTED : Kind.STRING, from, end);
    }
    if (isDigit(c)) {
      return number(from);
    }
    if (isLetter(c)) {
      int end = from + 1;
      while (end < sql.length() && (isLetter(sql.charAt(end)) || isDigit(sql.charAt(end)))) {
        end++;
      }
      return add(Kind.WORD, from, end);
    }
    boolean comment = sql.startsWith("--", from) || sql.startsWith("/*", from);
    return comment || signs.indexOf(c) < 0 ? -1 : add(Kind.SIGN, from, sign(from, c));
  }

  private int sign(int from, char c) {
    boolean pair = "=<>!|:".indexOf(c) >= 0;
    int end = from + 1;
    while (pair && end < sql.length() && "=<>|:".indexOf(sql.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }

  /** Digits with at most one point; what a letter follows has an exponent or is no number. */
  private int number(int from) {
    int end = from;
    int points = 0;
    while (end < sql.length() && (isDigit(sql.charAt(end)) || sql.charAt(end) == '.')) {
      points += sql.charAt(end) == '.' ? 1 : 0;
      end++;
    }
    boolean plain =
        points <= 1
            && sql.charAt(end - 1) != '.'
            && (end == sql.length() || !isLetter(sql.charAt(end)));
    return plain ? add(Kind.NUMBER, from, end) : -1;
  }

  /** The place after the closing quote; doubled quotes are part of the text. */
  private int quoted(int from, char quote) {
    int at = from + 1;
    while (true) {
      int end = sql.indexOf(quote, at);
      if (end < 0) {
        return -1;
      }
      if (end + 1 == sql.length() || sql.charAt(end + 1) != quote) {
        return end + 1;
      }
      at = end + 2;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return Character.isLetter(c) || c == '_' || c == '$';
  }

  private int add(Kind kind, int from, int end) {
    if (count == TOKENS_MAX) {
      return -1;
    }
    if (count == starts.length) {
      words = Arrays.copyOf(words, count * 2);
      kinds = Arrays.copyOf(kinds, count * 2);
      starts = Arrays.copyOf(starts, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
    }
    boolean shown = kind == Kind.WORD || kind == Kind.SIGN;
    words[count] = shown ? sql.substring(from, end).toUpperCase(Locale.ROOT) : "";
    kinds[count] = kind;
    starts[count] = from;
    ends[count] = end;
    count++;
    return end;
  }
}
