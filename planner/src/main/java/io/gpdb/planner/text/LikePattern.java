package io.gpdb.planner.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;

/** A pattern of LIKE or ILIKE: {@code _} matches one character, {@code %} for any number. */
public final class LikePattern {
  private static final int ONE = -1;
  private static final int ANY = -2;

  private final String pattern;
  private final String escape;
  private final boolean anyCase;

  /** The characters of the pattern, {@link #ONE} and {@link #ANY}. */
  private final int[] parts;

  /** An empty escape is none. */
  public LikePattern(String pattern, String escape, boolean anyCase) {
    this.pattern = pattern;
    this.escape = escape;
    this.anyCase = anyCase;
    this.parts = parts();
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

  private int folded(int c) {
    return anyCase ? Character.toLowerCase(Character.toUpperCase(c)) : c;
  }

  /** Whether all of the text is as the pattern says. */
  public boolean matches(String text) {
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
