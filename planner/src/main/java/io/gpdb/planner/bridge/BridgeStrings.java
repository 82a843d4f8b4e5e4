package io.gpdb.planner.bridge;

import io.gpdb.planner.expression.LikePattern;
import io.gpdb.planner.text.Characters;
import io.gpdb.planner.text.TextLimit;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.runtime.SqlFunctions;

/**
 * Functions of strings that compiled queries call: by {@link Characters} and within {@link
 * TextLimit}; no argument is NULL.
 */
@Strict
public final class BridgeStrings {
  private BridgeStrings() {}

  public static String concat(String a, String b) {
    TextLimit.check("||", a, b);
    return a.concat(b);
  }

  public static ByteString concatBinary(ByteString a, ByteString b) {
    TextLimit.check("||", (long) a.length() + b.length());
    return a.concat(b);
  }

  public static int lengthOf(String text) {
    return Characters.length(text);
  }

  public static String leftOf(String text, long count) {
    return Characters.left(text, count);
  }

  public static String rightOf(String text, long count) {
    return Characters.right(text, count);
  }

  public static String substringFrom(String text, long from) {
    return Characters.substring(text, from);
  }

  public static String substringFor(String text, long from, long count) {
    return Characters.substring(text, from, count);
  }

  public static int positionOf(String search, String text) {
    return Characters.position(search, text);
  }

  public static int positionFrom(String search, String text, long from) {
    return Characters.position(search, text, from);
  }

  public static String overlay(String text, String by, long from) {
    return Characters.overlaid(text, by, from);
  }

  public static String overlayFor(String text, String by, long from, long count) {
    return Characters.overlaid(text, by, from, count);
  }

  public static String trimmed(String text, String what, boolean before, boolean after) {
    return Characters.trimmed(text, what, before, after);
  }

  public static String trimmedOf(String text, String characters, boolean before) {
    return Characters.trimmedOf(text, characters, before);
  }

  public static String reversed(String text) {
    return Characters.reversed(text);
  }

  public static int firstCharacter(String text) {
    return Characters.first(text);
  }

  public static String character(long number) {
    return Characters.character(number);
  }

  public static String capitalized(String text) {
    return Characters.capitalized(text);
  }

  public static boolean like(String text, String pattern, String escape) {
    return new LikePattern(pattern, escape, false).matches(text);
  }

  public static boolean likeInAnyCase(String text, String pattern, String escape) {
    return new LikePattern(pattern, escape, true).matches(text);
  }

  public static String cutText(String text, int lengthMax) {
    return Characters.cut(text, lengthMax);
  }

  public static String fixedText(String text, int length) {
    return Characters.fixed(text, length);
  }

  public static String ordered(String text) {
    return Characters.ordered(text);
  }

  public static String repeat(String text, int times) {
    TextLimit.check("REPEAT", (long) Characters.length(text) * Math.max(times, 0));
    return SqlFunctions.repeat(text, times);
  }

  public static String lpad(String text, long length) {
    return Characters.padded(text, length, " ", true);
  }

  public static String lpadWith(String text, long length, String pad) {
    return Characters.padded(text, length, pad, true);
  }

  public static String rpad(String text, long length) {
    return Characters.padded(text, length, " ", false);
  }

  public static String rpadWith(String text, long length, String pad) {
    return Characters.padded(text, length, pad, false);
  }

  public static String replace(String text, String search, String by) {
    return search.isEmpty() ? text : TextLimit.replaced(text, search, by);
  }
}
