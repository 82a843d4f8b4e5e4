package io.gpdb.storage.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;

class FieldReaderTest {
  private static final long SEED = Long.getLong("gpdb.seed", 7);

  @Test
  void readsEveryLengthOfNumberAsChronicleBytesWritesIt() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int bits = 0; bits < Long.SIZE; bits++) {
      for (long n : new long[] {1L << bits, (1L << bits) - 1, random.nextLong() >>> bits}) {
        requireSame(n);
        requireSame(~n);
        requireSame(-n);
      }
    }
  }

  private static void requireSame(long number) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(16);
    out.writeStopBit(number);
    FieldReader in = new FieldReader(out.toByteArray());
    assertThat(in.readStopBit()).as("seed=%d", SEED).isEqualTo(number);
    assertThat(in.remaining()).isZero();
  }

  @Test
  void readsTheOtherFieldsAsChronicleBytesWritesThem() {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(64);
    out.writeInt(0x89abcdef).writeLong(Long.MIN_VALUE + 3);
    out.writeBoolean(true).writeBoolean(false);
    out.writeUnsignedByte(200).writeByte((byte) -7).write(new byte[] {1, 2, 3});
    FieldReader in = new FieldReader(out.toByteArray());
    assertThat(in.readInt()).isEqualTo(0x89abcdef);
    assertThat(in.readLong()).isEqualTo(Long.MIN_VALUE + 3);
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readBoolean()).isFalse();
    assertThat(in.readUnsignedByte()).isEqualTo(200);
    assertThat(in.readByte()).isEqualTo((byte) -7);
    byte[] rest = new byte[3];
    in.read(rest);
    assertThat(rest).containsExactly(1, 2, 3);
  }

  @Test
  void refusesANumberThatIsCutOrTooLong() {
    byte[] endless = new byte[16];
    Arrays.fill(endless, (byte) -1);
    assertThatThrownBy(() -> new FieldReader(endless).readStopBit())
        .isInstanceOf(IllegalStateException.class);
    byte[] tooLong = Arrays.copyOf(endless, 10);
    tooLong[9] = 1;
    assertThatThrownBy(() -> new FieldReader(tooLong).readStopBit())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new FieldReader(new byte[] {-1, -1}).readStopBit())
        .isInstanceOf(BufferUnderflowException.class);
  }
}
