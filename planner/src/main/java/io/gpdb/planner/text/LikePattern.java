package io.gpdb.planner.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pattern of LIKE or ILIKE: {@code _} matches one character, {@code %} for any number. */
public final class LikePattern {
  private static final int ONE = -1;
  private static final int ANY = -2;

  private final String pattern;
  private final String escape;
  private final boolean anyCase;

  /** The characters of the pattern, {@link #ONE} and {@link #ANY}. */
  private final int[] parts;

  /**
   * The texts before, between and behind the {@link #ANY}s, where the pattern has nothing else;
   * null where single characters must be looked at. The JVM searches for texts by vectors, and in
   * code that it has not compiled yet, too.
   */
  private final String @Nullable [] texts;

  /** An empty escape is none. */
  public LikePattern(String pattern, String escape, boolean anyCase) {
    this.pattern = pattern;
    this.escape = escape;
    this.anyCase = anyCase;
    this.parts = parts();
    this.texts = anyCase ? null : texts();
  }

  /** Whether this is the pattern for those texts. */
  public boolean is(String otherPattern, String otherEscape) {
    return pattern.equals(otherPattern) && escape.equals(otherEscape);
  }

  private int[] parts() {
    if (Characters.length(escape) > 1) {
      throw new GpdbException(
          SqlCondition.INVALID_ESCAPE_CHARACTER,
          "ESCAPE takes one character, not '" + escape + "'");
    }
    int escapeCharacter = escape.isEmpty() ? ONE : escape.codePointAt(0);
    int[] characters = pattern.codePoints().toArray();
    int[] found = new int[characters.length];
    int count = 0;
    for (int i = 0; i < characters.length; i++) {
      int c = characters[i];
      if (c == escapeCharacter) {
        i++;
        requireEscaped(i < characters.length ? characters[i] : ONE, escapeCharacter);
        found[count++] = folded(characters[i]);
      } else {
        found[count++] = c == '_' ? ONE : c == '%' ? ANY : folded(c);
      }
    }
    return Arrays.copyOf(found, count);
  }

  private void requireEscaped(int c, int escapeCharacter) {
    if (c != '_' && c != '%' && c != escapeCharacter) {
      throw new GpdbException(
          SqlCondition.INVALID_ESCAPE,
          "after its escape '"
              + escape
              + "' a pattern has _, % or the escape again, unlike '"
              + pattern
              + "'");
    }
  }

  /** A half of a surrogate pair must not be found in a pair, so texts with halves are none. */
  private String @Nullable [] texts() {
    List<String> found = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int part : parts) {
      if (part == ANY) {
        found.add(text.toString());
        text.setLength(0);
      } else if (part == ONE || !Character.isBmpCodePoint(part) || isSurrogate(part)) {
        return null;
      } else {
        text.append((char) part);
      }
    }
    found.add(text.toString());
    return found.toArray(String[]::new);
  }

  private static boolean isSurrogate(int c) {
    return Character.isSurrogate((char) c);
  }

  private int folded(int c) {
    return anyCase ? Character.toLowerCase(Character.toUpperCase(c)) : c;
  }

  /** Whether all of the text is as the pattern says. */
  public boolean matches(String text) {
    return texts == null ? matchesParts(text) : matchesTexts(text, texts);
  }

  private static boolean matchesTexts(String text, String[] texts) {
    String first = texts[0];
    if (texts.length == 1) {
      return text.equals(first);
    }
    String last = texts[texts.length - 1];
    int at = first.length();
    int end = text.length() - last.length();
    if (at > end || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    for (int i = 1; i < texts.length - 1; i++) {
      int found = text.indexOf(texts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + texts[i].length();
    }
    return at <= end;
  }

  private boolean matchesParts(String text) {
    int at = 0;
    int part = 0;
    int lastAny = -1;
    int retry = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (part < parts.length && parts[part] == ANY) {
        lastAny = part++;
        retry = at;
      } else if (part < parts.length && (parts[part] == ONE || parts[part] == folded(c))) {
        part++;
        at += Character.charCount(c);
      } else if (lastAny >= 0) {
        // The last % takes one character more; what earlier ones take need not change.
        retry += Character.charCount(text.codePointAt(retry));
        at = retry;
        part = lastAny + 1;
      } else {
        return false;
      }
    }
    while (part < parts.length && parts[part] == ANY) {
      part++;
    }
    return part == parts.length;
  }
}
