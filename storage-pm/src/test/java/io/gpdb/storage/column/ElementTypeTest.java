package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElementTypeTest {
  @ParameterizedTest
  @EnumSource
  void allValuesAreReadAsEachAlone(ElementType type) {
    Random random = new Random(7);
    try (Arena arena = Arena.ofConfined()) {
      for (int n : new int[] {0, 1, 23, 24, 25, 1000}) {
        MemorySegment values = arena.allocate(n * (long) type.bytes() + 1, 8);
        for (int i = 0; i < n; i++) {
          type.setRawAt(values, i, type.isFloat() ? i : random.nextLong());
        }
        long[] raws = new long[n];
        type.read(values.asSlice(0, n * (long) type.bytes()), raws);
        for (int i = 0; i < n; i++) {
          assertThat(raws[i]).isEqualTo(type.rawAt(values, i));
        }
      }
    }
  }
}
