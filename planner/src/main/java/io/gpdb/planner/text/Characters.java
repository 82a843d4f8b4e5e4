package io.gpdb.planner.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.linq4j.function.Strict;

/**
 * Functions of strings by characters, which are Unicode's code points, for every path of execution.
 * Positions count from 1.
 */
@Strict
public final class Characters {
  private Characters() {}

  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** What follows the first {@code count} characters begins here; the end where there are fewer. */
  private static int offset(String text, long count) {
    if (count >= text.length()) {
      return count > text.length() ? text.length() : after(text, (int) count);
    }
    return count <= 0 ? 0 : after(text, (int) count);
  }

  private static int after(String text, int count) {
    int at = 0;
    for (int i = 0; i < count && at < text.length(); i++) {
      at += Character.charCount(text.codePointAt(at));
    }
    return at;
  }

  /** The first characters; none where the count is negative. */
  public static String left(String text, long count) {
    return text.substring(0, offset(text, count));
  }

  /** The last characters; none where the count is negative. */
  public static String right(String text, long count) {
    return text.substring(offset(text, length(text) - Math.max(count, 0)));
  }

  public static String substring(String text, long from) {
    return text.substring(offset(text, from - 1 < from ? from - 1 : from));
  }

  /** Places before the first character count towards the length, as the standard has it. */
  public static String substring(String text, long from, long count) {
    if (count < 0) {
      throw new GpdbException(
          SqlCondition.SUBSTRING_ERROR, "SUBSTRING with negative length " + count);
    }
    long end = from > Long.MAX_VALUE - count ? Long.MAX_VALUE : from + count;
    if (end <= 1 || end <= from) {
      return "";
    }
    int begin = from <= 1 ? 0 : offset(text, from - 1);
    return text.substring(begin, Math.max(begin, offset(text, end - 1)));
  }

  /** Where a text is found first; 0 where it is not. */
  public static int position(String search, String text) {
    int at = new TextSearch(search).in(text, 0);
    return at < 0 ? 0 : text.codePointCount(0, at) + 1;
  }

  /** The same from a character on; 0 where there is no such character. */
  public static int position(String search, String text, long from) {
    if (from < 1 || from > length(text) + 1L) {
      return 0;
    }
    int at = new TextSearch(search).in(text, offset(text, from - 1));
    return at < 0 ? 0 : text.codePointCount(0, at) + 1;
  }

  /** The text with as many characters replaced as the other has. */
  public static String overlaid(String text, String by, long from) {
    return overlaid(text, by, from, length(by));
  }

  /** What is before {@code from}, the other text, and what begins {@code count} after it. */
  public static String overlaid(String text, String by, long from, long count) {
    if (from < 1) {
      throw new GpdbException(SqlCondition.SUBSTRING_ERROR, "OVERLAY from " + from);
    }
    long rest = from > Long.MAX_VALUE - Math.max(count, 0) ? Long.MAX_VALUE : from + count;
    String begin = left(text, from - 1);
    String end = substring(text, rest);
    TextLimit.check("OVERLAY", begin, by, end);
    return begin + by + end;
  }

  /** The text at a length: cut, or with the pad's characters again and again before it. */
  public static String padded(String text, long length, String pad, boolean before) {
    String function = before ? "LPAD" : "RPAD";
    TextLimit.check(function, length);
    long missing = Math.max(length, 0) - length(text);
    if (missing <= 0 || pad.isEmpty()) {
      return left(text, length);
    }
    int padLength = length(pad);
    String all = pad.repeat((int) (missing / padLength)) + left(pad, missing % padLength);
    return before ? all + text : text + all;
  }

  /** The text without one character at its ends. */
  public static String trimmed(String text, String what, boolean before, boolean after) {
    if (what.isEmpty() || length(what) != 1) {
      throw new GpdbException(
          SqlCondition.TRIM_ERROR, "TRIM takes one character, not '" + what + "'");
    }
    int start = 0;
    int end = text.length();
    while (before && start < end && text.startsWith(what, start)) {
      start += what.length();
    }
    while (after && end > start && text.startsWith(what, end - what.length())) {
      end -= what.length();
    }
    return text.substring(start, Math.max(start, end));
  }

  /** The text without any of those characters at its beginning, or else at its end. */
  public static String trimmedOf(String text, String characters, boolean before) {
    int start = 0;
    int end = text.length();
    while (before && start < end && characters.indexOf(text.codePointAt(start)) >= 0) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (!before && end > 0 && characters.indexOf(text.codePointBefore(end)) >= 0) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  /** The characters from the last to the first; what combines with another follows it no more. */
  public static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /** The number of the first character; 0 of an empty text. */
  public static int first(String text) {
    return text.isEmpty() ? 0 : text.codePointAt(0);
  }

  public static String character(long number) {
    if (number < 0 || number > Character.MAX_CODE_POINT) {
      throw invalid("CHR of " + number + ", which is not between 0 and 1114111");
    }
    if (number >= Character.MIN_SURROGATE && number <= Character.MAX_SURROGATE) {
      throw new GpdbException(
          SqlCondition.NOT_A_CHARACTER,
          "CHR of " + number + ", which is half of a surrogate pair and no character");
    }
    return Character.toString((int) number);
  }

  /** Words, of letters and digits, with an upper-case letter first and lower-case ones after it. */
  public static String capitalized(String text) {
    StringBuilder all = new StringBuilder(text.length());
    boolean inWord = false;
    int at = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      all.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toUpperCase(c));
      inWord = Character.isLetterOrDigit(c);
      at += Character.charCount(c);
    }
    return all.toString();
  }

  /** The text cut to a length, as a cast does. */
  public static String cut(String text, int lengthMax) {
    return text.length() <= lengthMax ? text : left(text, lengthMax);
  }

  /** The text itself; raises where it is longer, for digits must not get lost. */
  public static String bounded(String text, int lengthMax) {
    if (length(text) > lengthMax) {
      throw new GpdbException(
          SqlCondition.STRING_TOO_LONG,
          "value '" + text + "' is longer than " + lengthMax + " characters");
    }
    return text;
  }

  /** The text cut or filled with blanks to a length. */
  public static String fixed(String text, int length) {
    String cut = cut(text, length);
    return cut + " ".repeat(length - length(cut));
  }

  /**
   * A text whose UTF-16 units are ordered as the characters of the given one are: surrogates, which
   * encode the characters from U+10000 on, change places with the units above them.
   */
  public static String ordered(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= Character.MIN_SURROGATE) {
        return exchanged(text, i);
      }
    }
    return text;
  }

  private static String exchanged(String text, int from) {
    char[] units = text.toCharArray();
    int above = Character.MAX_VALUE - Character.MAX_SURROGATE;
    int surrogates = Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1;
    for (int i = from; i < units.length; i++) {
      if (units[i] > Character.MAX_SURROGATE) {
        units[i] -= (char) surrogates;
      } else if (units[i] >= Character.MIN_SURROGATE) {
        units[i] += (char) above;
      }
    }
    return new String(units);
  }

  private static GpdbException invalid(String what) {
    return new GpdbException(ErrorCode.INVALID_ARGUMENT, what);
  }
}
