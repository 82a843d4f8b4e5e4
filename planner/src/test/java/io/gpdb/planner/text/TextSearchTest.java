package io.gpdb.planner.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Searches for long texts against those of String; {@code -Dgpdb.seed=S} repeats them. */
class TextSearchTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);

  private static String text(Random random, int length, int letters) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(letters)));
    }
    return text.toString();
  }

  @Test
  void findsAndReplacesAsStringDoes() {
    Random random = new Random(SEED);
    for (int round = 0; round < 2_000; round++) {
      int period = 1 + random.nextInt(100);
      String text = text(random, period, 2).repeat(1 + 1_000 / period);
      int from = random.nextInt(text.length());
      String what = text.substring(from, Math.min(text.length(), from + random.nextInt(200) + 1));
      what += random.nextInt(4) == 0 ? "x" : "";
      TextSearch search = new TextSearch(what);
      int start = random.nextInt(text.length() + 5);
      assertThat(search.in(text, start)).as("seed %d", SEED).isEqualTo(text.indexOf(what, start));
      assertThat(search.replaced(text, "-")).as("seed %d", SEED).isEqualTo(text.replace(what, "-"));
    }
  }

  @Test
  void longTextsTakeNoLongerThanTheirLength() {
    String text = "a".repeat(8_000_000);
    assertThat(new TextSearch("a".repeat(4_000_000) + "b").in(text, 0)).isEqualTo(-1);
  }
}
