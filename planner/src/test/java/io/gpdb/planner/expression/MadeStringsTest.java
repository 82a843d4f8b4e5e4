package io.gpdb.planner.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MadeStringsTest {
  private static final int STRINGS = 20_000;

  @Test
  void stringsHaveTheCodesOfTheirFirstPlaces() {
    Random random = new Random(Long.getLong("gpdb.seed", 1));
    StringDomain.Made made = new StringDomain.Made();
    Map<String, Integer> model = new HashMap<>();
    for (int i = 0; i < STRINGS; i++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        bytes = String.valueOf(random.nextInt(STRINGS)).getBytes(StandardCharsets.UTF_8);
      }
      String key = new String(bytes, StandardCharsets.ISO_8859_1);
      Integer known = model.get(key);
      assertThat(made.find(bytes)).isEqualTo(known == null ? -1 : known);
      int expected = known == null ? model.size() : known;
      model.putIfAbsent(key, expected);
      assertThat(made.intern(bytes.clone())).isEqualTo(expected);
      assertThat(made.size()).isEqualTo(model.size());
    }
    model.forEach(
        (key, code) -> {
          assertThat(made.bytes(code)).isEqualTo(key.getBytes(StandardCharsets.ISO_8859_1));
          assertThat(made.find(made.bytes(code))).isEqualTo(code);
        });
  }

  @Test
  void aCodeThatNoStringHasIsRefused() {
    StringDomain.Made made = new StringDomain.Made();
    made.intern(new byte[] {1});
    assertThatThrownBy(() -> made.bytes(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> made.bytes(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
