package io.gpdb.planner.function;

import io.gpdb.planner.text.Characters;
import io.gpdb.planner.text.LikePattern;
import io.gpdb.planner.text.TextLimit;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;

/** Functions of strings: by {@link Characters}, within {@link TextLimit}; no argument is NULL. */
@Strict
public final class TextFunctions {
  /** A pattern is nearly always the same for every row. */
  private static volatile LikePattern lastPattern = new LikePattern("", "", false);

  private static volatile LikePattern lastPatternInAnyCase = new LikePattern("", "", true);

  /** The digits that Soundex has for the letters from A to Z. */
  private static final String SOUNDS = "01230120022455012623010202";

  private static final char NO_SOUND = '0';
  private static final int SOUNDEX_LENGTH = 4;

  private TextFunctions() {}

  public static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  public static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  public static String concat(String a, String b) {
    TextLimit.check("||", a, b);
    return a.concat(b);
  }

  public static ByteString concatBinary(ByteString a, ByteString b) {
    TextLimit.check("||", (long) a.length() + b.length());
    return a.concat(b);
  }

  /** Characters of the second text become those of the third, or nothing where it has none. */
  public static String translate(String text, String from, String to) {
    int[] old = from.codePoints().toArray();
    int[] changed = to.codePoints().toArray();
    StringBuilder all = new StringBuilder();
    text.codePoints()
        .forEach(
            character -> {
              int place = 0;
              while (place < old.length && old[place] != character) {
                place++;
              }
              if (place == old.length) {
                all.appendCodePoint(character);
              } else if (place < changed.length) {
                all.appendCodePoint(changed[place]);
              }
            });
    return all.toString();
  }

  /**
   * The n-th of the parts of a text between what parts them, counted from the end where n is
   * negative; empty where it has not as many.
   */
  public static String splitPart(String text, String by, long n) {
    if (n == 0) {
      throw new GpdbException(ErrorCode.INVALID_ARGUMENT, "SPLIT_PART has no part 0");
    }
    List<String> parts = new ArrayList<>();
    int at = 0;
    int end = by.isEmpty() ? -1 : text.indexOf(by);
    while (end >= 0) {
      parts.add(text.substring(at, end));
      at = end + by.length();
      end = text.indexOf(by, at);
    }
    parts.add(text.substring(at));
    long index = n > 0 ? n - 1 : parts.size() + n;
    return index < 0 || index >= parts.size() ? "" : parts.get((int) index);
  }

  public static int positionIn(String text, String search) {
    return Characters.position(search, text);
  }

  /**
   * American Soundex of the letters from A to Z in a text: the first of them and three digits for
   * the consonants behind it, of which neighbours of one sound count once; empty without letters.
   */
  public static String soundex(String text) {
    StringBuilder code = new StringBuilder();
    char last = NO_SOUND;
    for (int i = 0; i < text.length() && code.length() < SOUNDEX_LENGTH; i++) {
      char letter = text.charAt(i);
      letter = letter >= 'a' && letter <= 'z' ? (char) (letter - 'a' + 'A') : letter;
      if (letter < 'A' || letter > 'Z') {
        continue;
      }
      char sound = SOUNDS.charAt(letter - 'A');
      if (code.isEmpty()) {
        code.append(letter);
        last = sound;
      } else if (letter != 'H' && letter != 'W') { // which do not part neighbours
        if (sound != NO_SOUND && sound != last) {
          code.append(sound);
        }
        last = sound;
      }
    }
    return code.isEmpty() ? "" : code.append("000").substring(0, SOUNDEX_LENGTH);
  }

  /** In how many of four places the Soundex of two texts is the same. */
  public static int soundexDifference(String a, String b) {
    String first = soundex(a);
    String second = soundex(b);
    int same = 0;
    for (int i = 0; i < Math.min(first.length(), second.length()); i++) {
      same += first.charAt(i) == second.charAt(i) ? 1 : 0;
    }
    return same;
  }

  public static boolean like(String text, String pattern, String escape) {
    LikePattern known = lastPattern;
    if (!known.is(pattern, escape)) {
      known = new LikePattern(pattern, escape, false);
      lastPattern = known;
    }
    return known.matches(text);
  }

  public static boolean likeInAnyCase(String text, String pattern, String escape) {
    LikePattern known = lastPatternInAnyCase;
    if (!known.is(pattern, escape)) {
      known = new LikePattern(pattern, escape, true);
      lastPatternInAnyCase = known;
    }
    return known.matches(text);
  }

  public static int bytesOfText(String text, int factor) {
    return text.getBytes(StandardCharsets.UTF_8).length * factor;
  }

  public static int bytesOfBinary(ByteString bytes, int factor) {
    return bytes.length() * factor;
  }

  public static String repeat(String text, int times) {
    TextLimit.check("REPEAT", (long) Characters.length(text) * Math.max(times, 0));
    return text.repeat(Math.max(times, 0));
  }

  public static String spaces(int times) {
    return repeat(" ", times);
  }

  public static String lpad(String text, long length) {
    return Characters.padded(text, length, " ", true);
  }

  public static String lpad(String text, long length, String pad) {
    return Characters.padded(text, length, pad, true);
  }

  public static String rpad(String text, long length) {
    return Characters.padded(text, length, " ", false);
  }

  public static String rpad(String text, long length, String pad) {
    return Characters.padded(text, length, pad, false);
  }

  public static String replace(String text, String search, String by) {
    return search.isEmpty() ? text : TextLimit.replaced(text, search, by);
  }
}
