package io.gpdb.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every medium promises. */
public abstract class PersistentMemoryContract {
  private static final int MIB = 1 << 20;
  private StorageDirectory directory;

  /** A new, empty directory of the medium. */
  protected abstract StorageDirectory newDirectory() throws Exception;

  protected PersistentMemory open(StorageDirectory in, String name, long bytes) throws Exception {
    return in.open(name, bytes);
  }

  @BeforeEach
  void makeDirectory() throws Exception {
    directory = newDirectory();
  }

  @AfterEach
  void closeDirectory() {
    directory.close();
  }

  private static MemorySegment bytes(int length, long seed) {
    byte[] b = new byte[length];
    new Random(seed).nextBytes(b);
    return MemorySegment.ofArray(b);
  }

  private static MemorySegment loaded(PersistentMemory memory, long offset, int length) {
    MemorySegment target = MemorySegment.ofArray(new byte[length]);
    memory.load(offset, target);
    return target;
  }

  private static void assertSame(MemorySegment found, MemorySegment expected) {
    assertThat(found.mismatch(expected)).isEqualTo(-1);
  }

  @Test
  void aNewMemoryIsZeroAndOfTheRoundedSize() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 5000);
    assertThat(memory.sizeBytes()).isEqualTo(8192);
    assertThat(memory.name()).isEqualTo("m.gpdb");
    assertThat(memory.domain()).isEqualTo(directory.domain());
    assertSame(loaded(memory, 0, 8192), MemorySegment.ofArray(new byte[8192]));
  }

  @Test
  void whatIsStoredIsLoadedAndViewed() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 3 * MIB);
    MemorySegment source = bytes(2 * MIB + 77, 1);
    memory.store(4099, source);
    assertSame(loaded(memory, 4099, 2 * MIB + 77), source);
    assertSame(memory.view(4099, 2 * MIB + 77, false), source);
    memory.persist(4099, source.byteSize());
  }

  /** Short ones, long ones, and more short ones than a file is written with one call. */
  @Test
  void piecesAreStoredOneBehindTheOther() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", MIB);
    MemorySegment source = bytes(MIB - 4099, 1);
    int[] lengths = {64, 0, 300, 64 << 10, 7, 100_000, 1, 30_000, 40_000, 5, (64 << 10) - 5, 3};
    List<MemorySegment> pieces = new ArrayList<>();
    long bytes = 0;
    for (int length : lengths) {
      pieces.add(source.asSlice(bytes, length));
      bytes += length;
    }
    memory.store(4099, pieces);
    assertSame(loaded(memory, 4099, (int) bytes), source.asSlice(0, bytes));
    assertSame(loaded(memory, 0, 4099), MemorySegment.ofArray(new byte[4099]));
    memory.persist(4099, bytes);
  }

  /** Stores in parts by several threads, plain ones before and behind them, against an array. */
  @Test
  void sharedStoresAreAsPlainOnes() throws Exception {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    int size = 4 * MIB;
    PersistentMemory memory = open(directory, "m.gpdb", size);
    byte[] expected = new byte[size];
    for (int run = 0; run < 30; run++) {
      int offset = random.nextInt(size);
      int limit = Math.min(size - offset, 1 << random.nextInt(8, 23));
      List<MemorySegment> pieces = new ArrayList<>();
      int bytes = 0;
      while (bytes < limit && pieces.size() < 500) {
        int length = Math.min(limit - bytes, random.nextInt(1 << random.nextInt(1, 21)));
        MemorySegment piece = bytes(length, random.nextLong());
        MemorySegment.copy(piece, ValueLayout.JAVA_BYTE, 0, expected, offset + bytes, length);
        pieces.add(piece);
        bytes += length;
      }
      long before = memory.counters().snapshot().bytesStored();
      boolean plain = random.nextInt(3) == 0;
      SharedStore shared = plain ? null : memory.shareStore(offset, pieces);
      if (shared == null) {
        memory.store(offset, pieces);
      } else {
        storeByThreads(shared, random);
      }
      String where = "seed=" + seed + ", run=" + run + ", shared=" + (shared != null);
      assertThat(memory.counters().snapshot().bytesStored() - before).as(where).isEqualTo(bytes);
      if (random.nextBoolean()) {
        memory.persist(offset, bytes);
      }
      MemorySegment all = MemorySegment.ofArray(expected);
      assertThat(loaded(memory, 0, size).mismatch(all)).as(where).isEqualTo(-1);
      assertThat(memory.view(0, size, false).mismatch(all)).as("view " + where).isEqualTo(-1);
    }
  }

  /**
   * Appends one behind the other, with plain stores between them, also from another place on,
   * against an array: what is behind an append, to the end of its block, may be zero.
   */
  @Test
  void appendsAreAsStoresAndHarmNothingBeforeThem() throws Exception {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    int size = 4 * MIB;
    PersistentMemory memory = open(directory, "m.gpdb", size);
    byte[] expected = new byte[size];
    int at = 4096;
    for (int run = 0; run < 300; run++) {
      List<MemorySegment> pieces = new ArrayList<>();
      int bytes = 0;
      for (int piece = random.nextInt(1, 4); piece > 0; piece--) {
        int length = random.nextInt(1 << random.nextInt(1, random.nextInt(8) == 0 ? 17 : 9));
        pieces.add(bytes(length, random.nextLong()));
        MemorySegment.copy(
            pieces.getLast(), ValueLayout.JAVA_BYTE, 0, expected, at + bytes, length);
        bytes += length;
      }
      String where = "seed=" + seed + ", run=" + run;
      int end = (at + bytes + 4095) / 4096 * 4096;
      MemorySegment behind = loaded(memory, at + bytes, end - at - bytes);
      switch (random.nextInt(6)) {
        case 0 -> memory.store(at, pieces);
        case 1 -> memory.store(at, MemorySegment.ofArray(expected).asSlice(at, bytes));
        default -> {
          memory.append(at, pieces);
          MemorySegment left = loaded(memory, at + bytes, end - at - bytes);
          boolean zero = left.mismatch(MemorySegment.ofArray(new byte[end - at - bytes])) < 0;
          assertThat(zero || left.mismatch(behind) < 0).as(where).isTrue();
          MemorySegment.copy(
              left, ValueLayout.JAVA_BYTE, 0, expected, at + bytes, end - at - bytes);
        }
      }
      if (random.nextBoolean()) {
        memory.persist(at, bytes);
      }
      MemorySegment all = MemorySegment.ofArray(expected);
      assertThat(loaded(memory, 0, size).mismatch(all)).as(where).isEqualTo(-1);
      assertThat(memory.view(0, size, false).mismatch(all)).as("view " + where).isEqualTo(-1);
      at = random.nextInt(20) == 0 ? random.nextInt(1, 2 * MIB) : at + bytes;
      at = at > 3 * MIB ? 4096 : at;
    }
  }

  private static void storeByThreads(SharedStore shared, Random random) throws Exception {
    List<Integer> parts = new ArrayList<>();
    for (int part = 0; part < shared.parts(); part++) {
      parts.add(part);
    }
    Collections.shuffle(parts, random);
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<?>> stored = new ArrayList<>();
      parts.forEach(part -> stored.add(threads.submit(() -> shared.store(part))));
      for (Future<?> each : stored) {
        each.get();
      }
    }
    shared.end();
  }

  @Test
  void viewsStoresAndLoadsAreOneMemory() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 8192);
    MemorySegment read = memory.view(0, 8192, false);
    MemorySegment write = memory.view(4096, 64, true);
    write.set(ValueLayout.JAVA_LONG, 8, 42);
    assertThat(read.get(ValueLayout.JAVA_LONG, 4104)).isEqualTo(42);
    assertThat(loaded(memory, 4104, 8).get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(42);
    memory.store(4104, MemorySegment.ofArray(new long[] {43}));
    assertThat(write.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(43);
    assertThatThrownBy(() -> read.set(ValueLayout.JAVA_LONG, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void growthKeepsTheBytesAddsZerosAndLeavesViewsValid() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 4096);
    MemorySegment source = bytes(4096, 2);
    memory.store(0, source);
    MemorySegment early = memory.view(0, 4096, true);
    for (long size = 10_000; size < 5L * MIB; size *= 3) {
      memory.grow(size);
      assertThat(memory.sizeBytes()).isGreaterThanOrEqualTo(size);
      long last = memory.sizeBytes() - 4096;
      assertSame(loaded(memory, last, 4096), MemorySegment.ofArray(new byte[4096]));
    }
    memory.grow(3L * MIB);
    memory.grow(1);
    early.set(ValueLayout.JAVA_BYTE, 7, (byte) 9);
    assertThat(loaded(memory, 7, 1).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 9);
    MemorySegment late = memory.view(2L * MIB, MIB, true);
    late.fill((byte) 5);
    assertThat(loaded(memory, 3L * MIB - 1, 1).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 5);
    assertSame(loaded(memory, 8, 4088), source.asSlice(8));
  }

  @Test
  void whatIsCutOffIsGoneOrKeptAndGrowsAgain() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 4096);
    memory.grow(3L * MIB);
    MemorySegment kept = bytes(8192, 5);
    memory.store(0, kept);
    memory.view(2L * MIB, 4096, true).fill((byte) 5);
    memory.persist(2L * MIB, 4096);
    memory.shrink(8192);
    boolean cut = memory.sizeBytes() == 8192;
    assertThat(cut || memory.sizeBytes() == 3L * MIB).isTrue();
    memory.shrink(3L * MIB);
    assertSame(loaded(memory, 0, 8192), kept);
    memory.persist(0, 4096);
    memory.grow(3L * MIB);
    assertThat(memory.sizeBytes()).isEqualTo(3L * MIB);
    byte[] expected = new byte[4096];
    java.util.Arrays.fill(expected, (byte) (cut ? 0 : 5));
    assertSame(loaded(memory, 2L * MIB, 4096), MemorySegment.ofArray(expected));
    memory.view(2L * MIB, 4096, true).fill((byte) 6);
    assertThat(memory.view(2L * MIB, 4096, false).get(ValueLayout.JAVA_BYTE, 17))
        .isEqualTo((byte) 6);
    assertSame(loaded(memory, 0, 8192), kept);
  }

  @Test
  void rangesOutsideAreRefusedWithTheirPlace() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 4096);
    MemorySegment ten = bytes(10, 3);
    for (long offset : new long[] {-1, 4087, 4096, Long.MAX_VALUE - 4}) {
      assertThatThrownBy(() -> memory.store(offset, ten))
          .isInstanceOf(GpdbException.class)
          .hasMessageContaining("offset=" + offset)
          .hasMessageContaining("sizeBytes=4096");
      assertThatThrownBy(() -> memory.load(offset, ten)).isInstanceOf(GpdbException.class);
      assertThatThrownBy(() -> memory.view(offset, 10, true)).isInstanceOf(GpdbException.class);
      assertThatThrownBy(() -> memory.flush(offset, 10)).isInstanceOf(GpdbException.class);
    }
  }

  @Test
  void countersCountBytesLinesBlocksAndDrains() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 8192);
    memory.counters().reset();
    memory.store(60, bytes(8, 4));
    memory.flush(60, 8);
    memory.flush(256, 256);
    memory.drain();
    PersistCounters.Snapshot s = memory.counters().snapshot();
    assertThat(s.bytesStored()).isEqualTo(8);
    assertThat(s.bytesFlushed()).isEqualTo(264);
    assertThat(s.linesFlushed()).isEqualTo(2 + 4);
    assertThat(s.mediaBlocksFlushed()).isEqualTo(1 + 1);
    assertThat(s.drains()).isEqualTo(1);
    assertThat(directory.counters().snapshot().drains()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void aClosedMemoryRefusesAndReopensWithItsBytes() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 4096);
    MemorySegment source = bytes(4096, 5);
    memory.store(0, source);
    memory.persist(0, 4096);
    memory.close();
    memory.close();
    assertThatThrownBy(() -> memory.store(0, source))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThatThrownBy(memory::drain).isInstanceOf(GpdbException.class);
    PersistentMemory again = directory.open("m.gpdb", MIB);
    assertThat(again.sizeBytes()).isEqualTo(4096);
    assertSame(loaded(again, 0, 4096), source);
  }

  @Test
  void anOpenMemoryIsShared() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 4096);
    assertThat(directory.open("m.gpdb", 1)).isSameAs(memory);
  }

  @Test
  void namesComeAndGo() throws Exception {
    open(directory, "b.gpdb", 4096).store(0, bytes(16, 6));
    open(directory, "a.gpdb", 4096);
    assertThat(directory.names()).containsExactly("a.gpdb", "b.gpdb");
    PersistentMemory b = directory.open("b.gpdb", 4096);
    directory.rename("b.gpdb", "a.gpdb");
    directory.syncNames();
    assertThat(directory.names()).containsExactly("a.gpdb");
    assertThat(directory.exists("b.gpdb")).isFalse();
    assertThat(b.name()).isEqualTo("a.gpdb");
    b.grow(2L * MIB);
    b.view(MIB, 100, true).fill((byte) 1);
    assertSame(loaded(directory.open("a.gpdb", 1), 0, 16), bytes(16, 6));
    directory.delete("a.gpdb");
    assertThat(directory.names()).isEmpty();
    assertThat(directory.exists("a.gpdb")).isFalse();
    assertThatThrownBy(() -> directory.delete("a.gpdb"))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
  }

  @Test
  void anInterruptedThreadDoesNotLoseTheMemory() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 4096);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.currentThread().interrupt();
                memory.store(0, bytes(64, 7));
                memory.persist(0, 64);
                memory.view(0, 64, true);
                memory.grow(MIB);
                directory.syncNames();
                assertThat(Thread.interrupted()).isTrue();
              } catch (Throwable t) {
                failure.set(t);
              }
            });
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
    assertSame(loaded(memory, 0, 64), bytes(64, 7));
    memory.persist(0, 64);
  }

  @Test
  void manyThreadsPersistAtOnce() throws Exception {
    PersistentMemory memory = open(directory, "m.gpdb", 64 * 4096);
    Thread[] threads = new Thread[4];
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int t = 0; t < threads.length; t++) {
      int number = t;
      threads[t] =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 16; i++) {
                    long at = (number * 16L + i) * 4096;
                    memory.store(at, bytes(4096, at));
                    memory.persist(at, 4096);
                  }
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    for (long at = 0; at < 64 * 4096; at += 4096) {
      assertSame(loaded(memory, at, 4096), bytes(4096, at));
    }
  }
}
