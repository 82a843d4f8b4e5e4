package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExpectedScans;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GridInsertTest {
  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 5000};
  private static final int[] STARTS = {0, 1, 31, 32, 45, 1000};

  private static HostBuffer random(long bytes, Random random) {
    byte[] contents = new byte[(int) bytes];
    random.nextBytes(contents);
    HostBuffer filled = HostBuffer.collected(bytes);
    filled.segment().copyFrom(MemorySegment.ofArray(contents));
    return filled;
  }

  private static byte[] bytes(HostBuffer segment) {
    return segment.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  private static boolean bit(byte[] bitmap, int i) {
    return (bitmap[i >> 3] >> (i & 7) & 1) != 0;
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"REFERENCE", "INTERPRETED", "COMPILED"})
  void everyColumnAndBitmapOfAllTabletsIsStoredByOneLaunch(Mode mode) {
    Device device = Cases.device(mode);
    GridInsert insert = new GridInsert(device);
    storesAll(COUNTS, insert::runByKernel, () -> device.counters().snapshot().launches(), 1);
  }

  @Test
  void whereTheHostReadsTheMemoryItCopiesThemWithoutALaunch() {
    Device device = Cases.device(Mode.AUTO);
    int[] counts = Arrays.copyOf(COUNTS, COUNTS.length + 1);
    counts[COUNTS.length] = 150_000; // more than a MiB: shared
    GridInsert insert = new GridInsert(device);
    storesAll(counts, insert::run, () -> device.counters().snapshot().launches(), 0);
  }

  @Test
  void muchThatIsStoredTellsTheDeviceOnceToExpectScans() {
    ExpectedScans scans = new ExpectedScans();
    Device device = scans.counted(Cases.device(Mode.AUTO));
    int n = 1 << 20;
    HostBuffer source = random(n * 4L, new Random(11));
    HostBuffer target = HostBuffer.collected(n * 4L);
    GridInsert insert = new GridInsert(device);
    long runs = GridInsert.SCANNED_BYTES_MIN / (n * 4L);
    for (int i = 1; i < runs; i++) {
      insert.run(new GridInsert.Rows().values(4, source, 0, target, 0, n, PersistTarget.VOLATILE));
    }
    assertThat(scans.told()).isZero();
    for (int i = 0; i < 3; i++) {
      insert.run(new GridInsert.Rows().values(4, source, 0, target, 0, n, PersistTarget.VOLATILE));
    }
    assertThat(scans.told()).isOne();
  }

  /** Sharing it among threads would raise. */
  @Test
  void valuesThatTheCallersThreadAloneMayReadAreCopiedByIt() {
    Device device = Cases.device(Mode.AUTO);
    int n = 300_000;
    HostBuffer target = random(n * 4L, new Random(9));
    try (Arena arena = Arena.ofConfined()) {
      HostBuffer source = device.memory().map(arena.allocate(n * 4L));
      source.fill((byte) 5);
      new GridInsert(device)
          .run(
              new GridInsert.Rows()
                  .values(4, source, 0, target, 0, n, PersistTarget.VOLATILE)
                  .values(4, source, 0, target, 0, n, PersistTarget.VOLATILE));
    }
    assertThat(bytes(target)).containsOnly((byte) 5);
  }

  private static void storesAll(
      int[] counts, Consumer<GridInsert.Rows> insert, LongSupplier launches, int expected) {
    Random random = new Random(7);
    for (int n : counts) {
      for (int from : STARTS) {
        int sourceFrom = random.nextInt(70);
        GridInsert.Rows rows = new GridInsert.Rows();
        List<Runnable> checks = new ArrayList<>();
        for (int width : new int[] {1, 2, 4, 8}) {
          checks.add(values(rows, width, n, from, sourceFrom, random));
        }
        checks.add(bits(rows, true, n, from, sourceFrom, random));
        checks.add(bits(rows, false, n, from, sourceFrom, random));
        long before = launches.getAsLong();
        insert.accept(rows);
        assertThat(launches.getAsLong() - before).isEqualTo(expected);
        checks.forEach(Runnable::run);
      }
    }
  }

  private static Runnable values(
      GridInsert.Rows rows, int width, int n, int from, int sourceFrom, Random random) {
    HostBuffer source = random((long) (sourceFrom + n) * width, random);
    HostBuffer target = random((from + n + 40L) * width, random);
    byte[] expected = bytes(target);
    System.arraycopy(bytes(source), sourceFrom * width, expected, from * width, n * width);
    rows.values(width, source, sourceFrom, target, from, n, PersistTarget.VOLATILE);
    return () -> assertThat(bytes(target)).as("width %d, n %d", width, n).isEqualTo(expected);
  }

  private static Runnable bits(
      GridInsert.Rows rows, boolean given, int n, int from, int sourceFrom, Random random) {
    HostBuffer source = random(DenseColumn.bitmapBytes(sourceFrom + n), random);
    HostBuffer target = random(DenseColumn.bitmapBytes(from + n + 40), random);
    byte[] before = bytes(target);
    byte[] from0 = bytes(source);
    rows.bits(given ? source : null, sourceFrom, target, from, n, PersistTarget.VOLATILE);
    return () -> {
      byte[] after = bytes(target);
      for (int i = 0; i < before.length * 8; i++) {
        boolean inside = i >= from && i < from + n;
        boolean expected = inside ? !given || bit(from0, sourceFrom + i - from) : bit(before, i);
        if (bit(after, i) != expected) {
          assertThat(bit(after, i))
              .as("bit %d, from %d, n %d, source %d", i, from, n, sourceFrom)
              .isEqualTo(expected);
        }
      }
    };
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"REFERENCE", "INTERPRETED", "COMPILED"})
  void whatIsGivenATargetIsDurableOnReturnAndNothingElse(Mode mode) {
    GridInsert insert = new GridInsert(Cases.device(mode));
    Random random = new Random(8);
    HostBuffer source = random(4000, random);
    HostBuffer stored = random(40_000, random);
    HostBuffer live = random(400, random);
    boolean[] flushed = new boolean[40_000];
    boolean[] drained = new boolean[1];
    PersistTarget target =
        new PersistTarget() {
          @Override
          public synchronized void flush(long offset, long bytes) {
            for (long at = offset; at < offset + bytes; at++) {
              flushed[(int) at] = true;
            }
            drained[0] = false;
          }

          @Override
          public synchronized void drain() {
            drained[0] = true;
          }
        };
    insert.run(
        new GridInsert.Rows()
            .values(4, source, 0, stored, 333, 1000, target)
            .bits(null, 0, live, 333, 1000, PersistTarget.VOLATILE));
    assertThat(drained[0]).isTrue();
    for (int at = 0; at < flushed.length; at++) {
      assertThat(flushed[at]).as("byte " + at).isEqualTo(at >= 333 * 4 && at < 1333 * 4);
    }
  }
}
