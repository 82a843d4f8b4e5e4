package io.gpdb.planner.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns of SIMILAR TO match the texts that the same pattern written otherwise does. */
class SimilarPatternTest {
  private static final String LETTERS = "ab.\\^$ä😀\n";

  /** A generated pattern, and what it means as a regular expression. */
  private record Both(String similar, String expression) {
    Both then(Both next) {
      return new Both(similar + next.similar, expression + next.expression);
    }

    Both within(String before, String after) {
      return new Both(before + similar + after, "(?:" + before + expression + after + ")");
    }
  }

  @Test
  void generatedPatternsMatchTheSameTexts() {
    Random random = new Random(Long.getLong("gpdb.seed", 1));
    int matched = 0;
    for (int i = 0; i < 3000; i++) {
      Both pattern = pattern(random, 3);
      String text = text(random);
      boolean expected =
          Pattern.compile(pattern.expression, Pattern.DOTALL).matcher(text).matches();
      assertThat(matches(text, pattern.similar, "!"))
          .as("%s SIMILAR TO %s", text, pattern.similar)
          .isEqualTo(expected);
      matched += expected ? 1 : 0;
    }
    assertThat(matched).isBetween(200, 2800);
  }

  private static Both pattern(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 10 : 4)) {
      case 0 -> new Both("%", "[\\s\\S]*");
      case 1 -> new Both("_", ".");
      case 2 -> escaped("%_|*+?{}()[]!".substring(random.nextInt(13)).substring(0, 1));
      case 3 -> {
        String letter = letter(random);
        yield new Both(letter, Pattern.quote(letter));
      }
      case 4 -> pattern(random, depth - 1).within("(", ")*");
      case 5 -> pattern(random, depth - 1).within("(", "){1,2}");
      case 6 -> {
        Both one = pattern(random, depth - 1);
        Both other = pattern(random, depth - 1);
        yield new Both(
            "(" + one.similar + "|" + other.similar + ")",
            "(?:" + one.expression + "|" + other.expression + ")");
      }
      case 7 -> new Both("[a.]", "(?:a|\\.)");
      case 8 -> new Both("[^ab]", "(?!a|b)[\\s\\S]");
      default -> pattern(random, depth - 1).then(pattern(random, depth - 1));
    };
  }

  private static Both escaped(String character) {
    return new Both("!" + character, Pattern.quote(character));
  }

  private static String letter(Random random) {
    int[] letters = LETTERS.codePoints().toArray();
    return Character.toString(letters[random.nextInt(letters.length)]);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(random.nextInt(4) == 0 ? "%" : letter(random));
    }
    return text.toString();
  }

  private static boolean matches(String text, String pattern, String escape) {
    String expression = SimilarPattern.expression(pattern, escape);
    return Pattern.compile(expression, Pattern.DOTALL).matcher(text).matches();
  }

  @ParameterizedTest
  @CsvSource({
    "b7, [:ALPHA:][:DIGIT:], false", // classes are within brackets
    "b7, [[:ALPHA:]][[:DIGIT:]], true",
    "7b, [[:ALPHA:]][[:DIGIT:]], false",
    "'  ', [[:SPACE:]]+, true",
    "Q, [[:UPPER:]x], true",
    "q, [[:UPPER:]x], false",
    "m, [a-z], true",
    "-, [a-], true",
    "], []], true",
    "&&, [&]{2}, true",
  })
  void bracketsHoldCharactersRangesAndClasses(String text, String pattern, boolean expected) {
    assertThat(matches(text, pattern, "")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "a], ''",
    "[a, ''",
    "[[:NONE:]], ''",
    "a!, !",
    "a, !!",
    "'a{1,b}', ''",
    "a{, ''",
    "a}, ''"
  })
  void whatIsNoPatternIsRefused(String pattern, String escape) {
    assertThatThrownBy(() -> SimilarPattern.expression(pattern, escape))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code().sqlState()).startsWith("22"));
  }
}
