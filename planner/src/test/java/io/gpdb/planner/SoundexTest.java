package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.function.TextFunctions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** SOUNDEX and DIFFERENCE of random words are those of H2. */
class SoundexTest {
  private static final int WORDS = 2_000;

  @Test
  void wordsSoundAsTheyDoElsewhere() throws SQLException {
    Random random = new Random(7);
    try (Connection h2 = DriverManager.getConnection("jdbc:h2:mem:");
        PreparedStatement both = h2.prepareStatement("SELECT SOUNDEX(?), DIFFERENCE(?, ?)")) {
      for (int i = 0; i < WORDS; i++) {
        String a = word(random);
        String b = random.nextInt(3) == 0 ? a.substring(0, 1) + word(random) : word(random);
        both.setString(1, a);
        both.setString(2, a);
        both.setString(3, b);
        try (ResultSet row = both.executeQuery()) {
          row.next();
          assertThat(TextFunctions.soundex(a)).as(a).isEqualTo(row.getString(1));
          assertThat(TextFunctions.soundexDifference(a, b))
              .as(a + " " + b)
              .isEqualTo(row.getInt(2));
        }
      }
    }
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int length = 1 + random.nextInt(8); length > 0; length--) {
      word.append((char) ((random.nextBoolean() ? 'a' : 'A') + random.nextInt(26)));
    }
    return word.toString();
  }

  @Test
  void whatIsNoLetterHasNoSound() {
    assertThat(TextFunctions.soundex("")).isEmpty();
    assertThat(TextFunctions.soundex("12 é")).isEmpty();
    assertThat(TextFunctions.soundex(" O'Hara-\u00c9 ")).isEqualTo("O600");
    assertThat(TextFunctions.soundexDifference("", "ab")).isZero();
    assertThat(TextFunctions.soundexDifference("Smothers", "Brothers")).isEqualTo(2);
  }
}
