package io.gpdb.planner.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Patterns against what the standard says of them, character by character. */
class LikePatternTest {
  private static final long SEED = Long.getLong("gpdb.seed", 1);
  private static final int PATTERNS = 20_000 * Integer.getInteger("gpdb.fuzz", 1);

  /** Letters, a character of two units, and its halves, which are no part of it. */
  private static final String[] CHARACTERS = {
    "a", "b", "a", "b", "\u00e9", "\u4e2d", "\ud83d\ude00", "\ud83d", "\ude00"
  };

  private final Random random = new Random(SEED);

  private static boolean matches(int[] text, int at, int[] pattern, int part) {
    if (part == pattern.length) {
      return at == text.length;
    }
    if (pattern[part] == '%') {
      for (int end = at; end <= text.length; end++) {
        if (matches(text, end, pattern, part + 1)) {
          return true;
        }
      }
      return false;
    }
    return at < text.length
        && (pattern[part] == '_' || pattern[part] == text[at])
        && matches(text, at + 1, pattern, part + 1);
  }

  private String text(int lengthMax, int characters, boolean isPattern) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
      int kind = isPattern ? random.nextInt(10) : 9;
      text.append(kind < 3 ? "%" : kind == 3 ? "_" : CHARACTERS[random.nextInt(characters)]);
    }
    return text.toString();
  }

  @Test
  void patternsMatchWhatTheStandardSays() {
    int[] found = new int[2];
    for (int i = 0; i < PATTERNS; i++) {
      int characters = random.nextBoolean() ? 2 : CHARACTERS.length;
      String pattern = text(6, characters, true);
      if (random.nextBoolean()) {
        pattern = pattern.replace("_", "");
      }
      String text = text(9, characters, false);
      boolean expected = matches(text.codePoints().toArray(), 0, pattern.codePoints().toArray(), 0);
      assertThat(new LikePattern(pattern, "", false).matches(text))
          .as("'%s' LIKE '%s', seed %d", text, pattern, SEED)
          .isEqualTo(expected);
      found[expected ? 1 : 0]++;
    }
    assertThat(found[1]).isGreaterThan(PATTERNS / 20);
    assertThat(found[0]).isGreaterThan(PATTERNS / 20);
  }

  @Test
  void escapedCharactersAreTexts() {
    LikePattern pattern = new LikePattern("a!%%!_!!", "!", false);
    assertThat(pattern.matches("a%b_!")).isTrue();
    assertThat(pattern.matches("a%_!")).isTrue();
    assertThat(pattern.matches("ab_!")).isFalse();
    assertThat(pattern.matches("a%_")).isFalse();
  }
}
