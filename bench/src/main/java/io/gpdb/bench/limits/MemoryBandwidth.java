package io.gpdb.bench.limits;

import io.gpdb.bench.harness.Spread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** How many bytes a second threads move or read, each its part of memory outside the heap. */
final class MemoryBandwidth implements AutoCloseable {
  private static final int WARMING = 3;
  private static final int PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment source;
  private final MemorySegment target;
  private final LongAdder sums = new LongAdder(); // so that adding up is not left out

  /**
   * Of twice as much memory.
   *
   * @param bytes much more than the caches hold
   */
  MemoryBandwidth(long bytes) {
    source = arena.allocate(bytes, PAGE);
    target = arena.allocate(bytes, PAGE);
    source.fill((byte) 1);
    target.fill((byte) 2);
  }

  /** Bytes read plus bytes written, each second. */
  Spread copied(int threads, int rounds) throws InterruptedException {
    return measured(
        threads, rounds, 2, (at, size) -> MemorySegment.copy(source, at, target, at, size));
  }

  /** Bytes read each second by adding up words of 8 bytes. */
  Spread summed(int threads, int rounds) throws InterruptedException {
    return measured(threads, rounds, 1, (at, size) -> sums.add(sum(source, at, size)));
  }

  /** What a thread does with its part. */
  @FunctionalInterface
  private interface Pass {
    void over(long at, long size);
  }

  private Spread measured(int threads, int rounds, int bytesOfAByte, Pass pass)
      throws InterruptedException {
    long part = source.byteSize() / threads / PAGE * PAGE;
    List<Double> rates = new ArrayList<>();
    try (Together together = new Together(threads)) {
      for (int round = -WARMING; round < rounds; round++) {
        double seconds = together.seconds(number -> pass.over(number * part, part));
        if (round >= 0) {
          rates.add(bytesOfAByte * (double) part * threads / seconds);
        }
      }
    }
    return Spread.of(rates);
  }

  /** Four sums, so that no addition waits for the one before. */
  private static long sum(MemorySegment words, long at, long size) {
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    MemorySegment part = words.asSlice(at, size);
    int count = Math.toIntExact(size / Long.BYTES);
    for (int i = 0; i < count; i += 4) {
      a += part.getAtIndex(ValueLayout.JAVA_LONG, i);
      b += part.getAtIndex(ValueLayout.JAVA_LONG, i + 1);
      c += part.getAtIndex(ValueLayout.JAVA_LONG, i + 2);
      d += part.getAtIndex(ValueLayout.JAVA_LONG, i + 3);
    }
    return a + b + c + d;
  }

  @Override
  public void close() {
    arena.close();
  }
}
