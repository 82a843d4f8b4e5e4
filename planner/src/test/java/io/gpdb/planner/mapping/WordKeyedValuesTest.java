package io.gpdb.planner.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random puts and finds, held against a map of lists. */
class WordKeyedValuesTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime());
  private static final int STEPS = 20_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aKeyHasTheValueThatWasPutLast(int width) {
    Random random = new Random(SEED);
    WordKeyedValues values = new WordKeyedValues(width);
    Map<List<Long>, Object> expected = new HashMap<>();
    int bound = random.nextBoolean() ? 40 : 40_000;
    for (int step = 0; step < STEPS; step++) {
      List<Long> key = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        long word = random.nextInt(bound) - 20L;
        key.add(word);
        values.seek(i, word);
      }
      Object[] found = values.find();
      assertThat(found != null)
          .as("seed %d, step %d", SEED, step)
          .isEqualTo(expected.containsKey(key));
      if (found != null) {
        assertThat(found[0]).as("seed %d, step %d", SEED, step).isEqualTo(expected.get(key));
      }
      if (random.nextInt(3) > 0) {
        Object value = random.nextInt(5) == 0 ? null : (Object) random.nextLong();
        values.put(value);
        expected.put(key, value);
      }
    }
    assertThat(values.size()).isEqualTo(expected.size());
  }
}
