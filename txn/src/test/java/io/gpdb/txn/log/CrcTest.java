package io.gpdb.txn.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.index.SharedWork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checksums of parts, held against those of the whole. */
class CrcTest {
  private final Random random = new Random(Long.getLong("gpdb.seed", 20261126L));

  private MemorySegment bytes(Arena arena, int n) {
    MemorySegment bytes = arena.allocate(Math.max(1, n));
    for (int i = 0; i < n; i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    return bytes.asSlice(0, n);
  }

  @Test
  void checksumsOfTwoPartsMakeThatOfTheWhole() {
    try (Arena arena = Arena.ofConfined()) {
      for (int run = 0; run < 500; run++) {
        int n = random.nextInt(run < 250 ? 40 : 5000);
        MemorySegment whole = bytes(arena, n);
        int front = random.nextInt(n + 1);
        int joined =
            Crc.joined(Crc.of(whole, 0, front), Crc.of(whole, front, n - front), n - front);
        assertThat(joined).as("%d of %d bytes", front, n).isEqualTo(Crc.of(whole, 0, n));
      }
    }
  }

  @Test
  void manyThreadsFindTheChecksumOfEachList() {
    for (int run = 0; run < 12; run++) {
      try (Arena arena = Arena.ofConfined()) {
        int near = random.nextInt(3) - 1;
        MemorySegment whole = bytes(arena, (int) Crc.SHARED_BYTES_MIN + 64 + near);
        List<List<CrcPart>> lists = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        List<MemorySegment> pieces = new ArrayList<>();
        long begin = 0;
        long at = 0;
        while (at < whole.byteSize()) {
          long n =
              Math.min(whole.byteSize() - at, 64L + random.nextInt(2 * (int) CrcPart.BYTES_MAX));
          pieces.add(whole.asSlice(at, n));
          at += n;
          if (at == whole.byteSize() || random.nextInt(3) == 0) {
            expected.add(Crc.of(whole, begin + 64, at - begin - 64));
            assertThat(Crc.of(pieces, 64)).isEqualTo(expected.getLast());
            List<CrcPart> parts = new ArrayList<>();
            CrcPart.add(pieces.getFirst().asSlice(64), parts);
            pieces.stream().skip(1).forEach(piece -> CrcPart.add(piece, parts));
            lists.add(parts);
            pieces = new ArrayList<>();
            begin = at;
          }
        }
        assertThat(Crc.of(lists, SharedWork.ALONE))
            .as("run %d, %d lists", run, lists.size())
            .containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
      }
    }
  }
}
