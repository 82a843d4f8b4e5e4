package io.gpdb.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Against a set of the JDK, with objects that are equal and not the same. */
class FewObjectsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);

  private record Equal(int number) {}

  @Test
  void eachObjectIsThereOnceUntilItIsRemoved() {
    Random random = new Random(SEED);
    List<Equal> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(new Equal(i % 3));
    }
    FewObjects<Equal> few = new FewObjects<>();
    Set<Equal> model = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int step = 0; step < 5000; step++) {
      Equal object = all.get(random.nextInt(all.size()));
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          few.add(object);
          model.add(object);
        }
        case 2, 3 ->
            assertThat(few.remove(object)).as("seed %d", SEED).isEqualTo(model.remove(object));
        default -> {
          Set<Equal> found = Collections.newSetFromMap(new IdentityHashMap<>());
          found.addAll(few.copy());
          assertThat(few.copy()).as("seed %d", SEED).hasSize(model.size());
          assertThat(model.containsAll(found)).as("seed %d", SEED).isTrue();
        }
      }
      if (random.nextInt(500) == 0) {
        few.clear();
        model.clear();
      }
    }
  }
}
