package io.gpdb.sql.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses long texts that no parser of recursive methods takes, before it tries: parentheses nested
 * too deeply, operators without end in one expression (Calcite needs the square of their number),
 * words and numbers of thousands of characters. One pass over the text, without its strings, quoted
 * names and comments.
 */
final class StatementComplexity {
  /** Shorter texts cannot reach a limit that matters. */
  static final int TEXT_LENGTH_MIN = 1024;

  static final int DEPTH_MAX = 1000;
  static final int OPERATORS_MAX = 10_000;
  static final int WORD_LENGTH_MAX = 1000;

  /** Calcite reads the digits of a binary literal in quadratic time. */
  static final int BINARY_LITERAL_LENGTH_MAX = 65_536;

  private static final String SIGNS = "+-*/%|=<>!:.";
  private static final Set<String> OPERATORS =
      Set.of("AND", "OR", "NOT", "IS", "UNION", "INTERSECT", "EXCEPT", "MINUS");
  private static final int OPERATOR_LENGTH_MAX = 9;

  private final String sql;

  /** The operators since the last comma, for each parenthesis that is open. */
  private int[] operators = new int[16];

  private int depth;

  private StatementComplexity(String sql) {
    this.sql = sql;
  }

  static void check(String sql) {
    if (sql.length() >= TEXT_LENGTH_MIN) {
      new StatementComplexity(sql).check();
    }
  }

  private void check() {
    int at = 0;
    while (at < sql.length()) {
      at = next(at);
    }
  }

  private int next(int at) {
    int after = SkippedText.afterComment(sql, at);
    if (after == at) {
      after = SkippedText.afterQuotes(sql, at);
      checkBinary(at, after);
    }
    if (after == at && Character.isLetterOrDigit(sql.charAt(at))) {
      after = word(at);
    }
    return after == at ? sign(at) : after;
  }

  private void checkBinary(int from, int to) {
    boolean binary = from > 0 && (sql.charAt(from - 1) == 'X' || sql.charAt(from - 1) == 'x');
    if (binary && to - from - 2 > BINARY_LITERAL_LENGTH_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "binary literal too long, bind it as a parameter: characters="
              + (to - from - 2)
              + ", limit="
              + BINARY_LITERAL_LENGTH_MAX
              + place(from));
    }
  }

  private int sign(int at) {
    char c = sql.charAt(at);
    switch (c) {
      case '(' -> open(at);
      case ')' -> depth = Math.max(0, depth - 1);
      case ',', ';' -> operators[depth] = 0;
      default -> {
        if (SIGNS.indexOf(c) >= 0) {
          count(at);
        }
      }
    }
    return at + 1;
  }

  private void open(int at) {
    depth++;
    if (depth > DEPTH_MAX) {
      throw tooComplex("parentheses", DEPTH_MAX, at);
    }
    if (depth == operators.length) {
      operators = Arrays.copyOf(operators, 2 * depth);
    }
    operators[depth] = 0;
  }

  private void count(int at) {
    if (++operators[depth] > OPERATORS_MAX) {
      throw tooComplex("operators of one expression", OPERATORS_MAX, at);
    }
  }

  private int word(int from) {
    int end = from + 1;
    while (end < sql.length() && isWordPart(sql.charAt(end))) {
      end++;
    }
    int length = end - from;
    if (length > WORD_LENGTH_MAX) {
      throw tooLong(from, length);
    }
    if (length <= OPERATOR_LENGTH_MAX
        && OPERATORS.contains(sql.substring(from, end).toUpperCase(Locale.ROOT))) {
      count(from);
    }
    return end;
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }

  private GpdbException tooComplex(String what, int limit, int at) {
    return new GpdbException(
        ErrorCode.TOO_COMPLEX,
        "the statement is too complex: more than " + limit + " " + what + place(at));
  }

  private GpdbException tooLong(int at, int length) {
    return Character.isDigit(sql.charAt(at))
        ? new GpdbException(
            ErrorCode.NUMERIC_OUT_OF_RANGE,
            "number "
                + sql.substring(at, at + 20)
                + "… of "
                + length
                + " digits is out of range"
                + place(at))
        : new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "name too long: characters="
                + length
                + ", limit="
                + SqlLimits.NAME_LENGTH_MAX
                + place(at));
  }

  private static String place(int at) {
    return " at character " + (at + 1);
  }
}
