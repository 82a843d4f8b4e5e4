package io.gpdb.planner.function;

import io.gpdb.planner.text.Characters;
import io.gpdb.planner.text.SimilarPattern;
import io.gpdb.planner.text.TextLimit;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.calcite.linq4j.function.Strict;
import org.jspecify.annotations.Nullable;

/**
 * Searches by regular expressions, which are those of {@link Pattern}; no argument is NULL. Flags
 * are letters: {@code i} any case, {@code c} as written, {@code m} lines, {@code s} or {@code n} a
 * dot finds line ends, {@code x} blanks and comments.
 */
@Strict
public final class RegularExpressions {
  /** A pattern is nearly always the same for every row. */
  private static volatile Known last = new Known("", "", Pattern.compile(""));

  private record Known(String expression, String flags, Pattern pattern) {}

  private static volatile Similar lastSimilar = new Similar("", "", "");

  private record Similar(String pattern, String escape, String expression) {}

  private RegularExpressions() {}

  public static boolean regexpLike(String text, String expression) {
    return regexpLike(text, expression, "");
  }

  public static boolean regexpLike(String text, String expression, String flags) {
    return search(text, expression, flags, Matcher::find);
  }

  public static String regexpReplace(String text, String expression, String by) {
    return regexpReplace(text, expression, by, "");
  }

  public static String regexpReplace(String text, String expression, String by, String flags) {
    return search(text, expression, flags, found -> replaced(found, by));
  }

  /** What is found first; null where nothing is. */
  public static @Nullable String regexpSubstr(String text, String expression) {
    return regexpSubstr(text, expression, 1, 1, "");
  }

  public static @Nullable String regexpSubstr(String text, String expression, long from) {
    return regexpSubstr(text, expression, from, 1, "");
  }

  public static @Nullable String regexpSubstr(
      String text, String expression, long from, long occurrence) {
    return regexpSubstr(text, expression, from, occurrence, "");
  }

  /** What is found for the n-th time from a character on; null where it is not. */
  public static @Nullable String regexpSubstr(
      String text, String expression, long from, long occurrence, String flags) {
    return search(
        text, expression, flags, m -> isFound(m, text, from, occurrence) ? m.group() : null);
  }

  public static int regexpInstr(String text, String expression) {
    return regexpInstr(text, expression, 1, 1);
  }

  public static int regexpInstr(String text, String expression, long from) {
    return regexpInstr(text, expression, from, 1);
  }

  /** The place of what is found for the n-th time from a character on; 0 where it is not. */
  public static int regexpInstr(String text, String expression, long from, long occurrence) {
    return search(
        text,
        expression,
        "",
        m -> isFound(m, text, from, occurrence) ? text.codePointCount(0, m.start()) + 1 : 0);
  }

  public static int regexpCount(String text, String expression) {
    return regexpCount(text, expression, 1, "");
  }

  public static int regexpCount(String text, String expression, long from) {
    return regexpCount(text, expression, from, "");
  }

  /** How often a pattern is found from a character on, behind each other. */
  public static int regexpCount(String text, String expression, long from, String flags) {
    return search(
        text,
        expression,
        flags,
        m -> {
          int count = 0;
          for (boolean found = isFound(m, text, from); found; found = m.find()) {
            count++;
          }
          return count;
        });
  }

  private static boolean isFound(Matcher matcher, String text, long from, long occurrence) {
    if (occurrence < 1) {
      throw noPlace("occurrence", occurrence);
    }
    boolean found = isFound(matcher, text, from);
    for (long i = 1; found && i < occurrence; i++) {
      found = matcher.find();
    }
    return found;
  }

  private static boolean isFound(Matcher matcher, String text, long from) {
    if (from < 1) {
      throw noPlace("character", from);
    }
    return from <= Characters.length(text) + 1L
        && matcher.find(text.offsetByCodePoints(0, (int) from - 1));
  }

  private static GpdbException noPlace(String what, long number) {
    return new GpdbException(
        ErrorCode.INVALID_ARGUMENT,
        what + " " + number + " of a regular expression, not 1 or more");
  }

  /** SIMILAR TO; an empty escape is none. */
  public static boolean similar(String text, String pattern, String escape) {
    Similar known = lastSimilar;
    if (!known.pattern.equals(pattern) || !known.escape.equals(escape)) {
      known = new Similar(pattern, escape, SimilarPattern.expression(pattern, escape));
      lastSimilar = known;
    }
    return search(text, known.expression, "s", Matcher::matches);
  }

  private static String replaced(Matcher found, String by) {
    StringBuilder all = new StringBuilder();
    while (found.find()) {
      try {
        found.appendReplacement(all, by);
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new GpdbException(
            SqlCondition.INVALID_REGULAR_EXPRESSION,
            "'" + by + "' cannot replace what was found: " + e.getMessage(),
            e);
      }
      TextLimit.check("REGEXP_REPLACE", all.length());
    }
    found.appendTail(all);
    TextLimit.check("REGEXP_REPLACE", all.length());
    return all.toString();
  }

  private static <T extends @Nullable Object> T search(
      String text, String expression, String flags, Function<Matcher, T> search) {
    try {
      return search.apply(pattern(expression, flags).matcher(new Stopped(text)));
    } catch (StackOverflowError e) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "the regular expression '" + expression + "' goes back too far in a text",
          e);
    }
  }

  private static Pattern pattern(String expression, String flags) {
    Known known = last;
    if (!known.expression.equals(expression) || !known.flags.equals(flags)) {
      known = new Known(expression, flags, compiled(expression, flags));
      last = known;
    }
    return known.pattern;
  }

  private static Pattern compiled(String expression, String flags) {
    int bits = 0;
    for (int i = 0; i < flags.length(); i++) {
      bits =
          switch (flags.charAt(i)) {
            case 'i' -> bits | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
            case 'c' -> bits & ~(Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
            case 'm' -> bits | Pattern.MULTILINE;
            case 's', 'n' -> bits | Pattern.DOTALL;
            case 'x' -> bits | Pattern.COMMENTS;
            default ->
                throw new GpdbException(
                    SqlCondition.INVALID_REGULAR_EXPRESSION,
                    "'" + flags + "' are no flags of a regular expression");
          };
    }
    try {
      return Pattern.compile(expression, bits);
    } catch (PatternSyntaxException e) {
      throw new GpdbException(
          SqlCondition.INVALID_REGULAR_EXPRESSION,
          "'" + expression + "' is no regular expression: " + e.getDescription(),
          e);
    }
  }

  /** A text whose reader is stopped with its statement, however often it goes back. */
  private static final class Stopped implements CharSequence {
    private final String text;
    private int read;

    Stopped(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      StopSignal.poll(read++);
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
