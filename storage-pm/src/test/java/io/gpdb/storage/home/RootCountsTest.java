package io.gpdb.storage.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import org.junit.jupiter.api.Test;

/** How many of something a root says that follow, where fewer do. */
class RootCountsTest {
  private static byte[] root(long stateBytes, long tables) {
    Bytes<byte[]> out = Bytes.allocateElasticOnHeap(64);
    out.writeLong(RootLayout.MAGIC);
    out.writeInt(RootLayout.VERSION);
    out.writeStopBit(stateBytes);
    out.writeStopBit(tables);
    return out.toByteArray();
  }

  @Test
  void anEmptyRootIsWrittenLikeThat() {
    byte[] written = RootCodec.encode(new RootImage(new byte[0], List.of()));
    assertThat(Arrays.equals(written, root(0, 0))).isTrue();
    assertThat(RootCodec.decode(written, "here").tables()).isEmpty();
  }

  /** Nothing is allocated by them: it would end the process, not the opening. */
  @Test
  void moreThanThereAreBytesIsDamage() {
    for (long count : new long[] {2, Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 1L << 40}) {
      for (byte[] root : new byte[][] {root(count, 0), root(0, count)}) {
        assertThatThrownBy(() -> RootCodec.decode(root, "here"))
            .as("count %d", count)
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
      }
    }
  }
}
