package io.gpdb.planner.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.expression.StringDomain;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order of strings, against {@link Arrays#sort} of the strings themselves. */
class StringOrderTest {
  private final Random random = new Random(Long.getLong("gpdb.seed", 5));

  @Test
  void stringsAreInTheOrderOfTheirBytes() {
    for (int round = 0; round < 300; round++) {
      StringDomain.Made made = new StringDomain.Made();
      byte[] shared = bytes(random.nextInt(12), 256);
      int letters = random.nextBoolean() ? 256 : 1 + random.nextInt(3);
      for (int i = random.nextInt(round % 50 == 0 ? 5000 : 40); i > 0; i--) {
        byte[] rest = bytes(random.nextInt(14), letters);
        byte[] string = Arrays.copyOf(shared, shared.length + rest.length);
        System.arraycopy(rest, 0, string, shared.length, rest.length);
        made.intern(string);
      }
      byte[][] expected = new byte[made.size()][];
      for (int code = 0; code < expected.length; code++) {
        expected[code] = made.bytes(code);
      }
      Arrays.sort(expected, Arrays::compareUnsigned);
      int[] codes = StringOrder.of(made, made.size());
      assertThat(codes).hasSameSizeAs(expected);
      for (int rank = 0; rank < codes.length; rank++) {
        assertThat(made.bytes(codes[rank])).isEqualTo(expected[rank]);
      }
    }
  }

  private byte[] bytes(int length, int letters) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(letters);
    }
    return bytes;
  }
}
