package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;

/** The same bytes as Chronicle Bytes makes: {@code -Dgpdb.seed=S} replays the fields. */
class FieldWriterTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime());

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final FieldWriter ours = new FieldWriter(3);
  private final Bytes<byte[]> theirs = Bytes.allocateElasticOnHeap(16);

  private void writeStopBit(long number) {
    ours.writeStopBit(number);
    theirs.writeStopBit(number);
  }

  private void requireSame() {
    assertThat(ours.toByteArray()).as("seed=%d", SEED).isEqualTo(theirs.toByteArray());
  }

  @Test
  void writesEveryLengthOfNumber() {
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (long n : new long[] {1L << bits, (1L << bits) - 1, random.nextLong() >>> bits}) {
        writeStopBit(n);
        writeStopBit(~n);
        writeStopBit(-n);
      }
    }
    requireSame();
  }

  @Test
  void writesFieldsInAnyOrder() {
    for (int i = 0; i < 2000; i++) {
      long number = random.nextLong() >> random.nextInt(Long.SIZE);
      switch (random.nextInt(6)) {
        case 0 -> writeStopBit(number);
        case 1 -> {
          ours.writeInt((int) number);
          theirs.writeInt((int) number);
        }
        case 2 -> {
          ours.writeLong(number);
          theirs.writeLong(number);
        }
        case 3 -> {
          ours.writeBoolean(number > 0);
          theirs.writeBoolean(number > 0);
        }
        case 4 -> {
          ours.writeByte((int) number);
          theirs.writeByte((byte) number);
        }
        default -> {
          byte[] bytes = new byte[random.nextInt(40)];
          random.nextBytes(bytes);
          ours.write(bytes);
          theirs.write(bytes);
        }
      }
    }
    requireSame();
  }
}
