package io.gpdb.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.InvalidKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.KernelParser;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every device must do. A subclass makes the device. */
public abstract class DeviceContract {
  private static final int[] ROW_COUNTS = {
    0, 1, 31, 32, 33, 64, 65, 127, 128, 129, 1023, 1024, 1025, 10_000
  };
  private static final long GENERATED_KERNELS = 40;

  private final Arena arena = Arena.ofShared();
  private Device device;

  protected abstract Device open();

  /** Whether the device flushes the lines that a kernel stored to, and no others. */
  protected boolean knowsStoredLines() {
    return true;
  }

  @BeforeEach
  void start() {
    device = open();
  }

  @AfterEach
  void close() {
    device.close();
    arena.close();
  }

  @Test
  void compactsRowsInOrderForEveryRowCount() {
    LoadedKernel evens = device.load(compactEvens(128));
    for (int rows : ROW_COUNTS) {
      int blocks = (rows + 127) / 128;
      MemorySegment in = ints(IntStream.range(0, rows).map(i -> i * 7 % 10).toArray());
      MemorySegment out = ints(new int[blocks * 128]);
      MemorySegment counts = ints(new int[blocks]);
      evens.launch(blocks, bind(evens, in, out, counts).scalar(0, rows));
      for (int block = 0; block < blocks; block++) {
        int end = Math.min(rows, (block + 1) * 128);
        int[] expected =
            IntStream.range(block * 128, end)
                .map(i -> i * 7 % 10)
                .filter(v -> v % 2 == 0)
                .toArray();
        int count = counts.getAtIndex(ValueLayout.JAVA_INT, block);
        int[] found = out.asSlice(block * 512L, count * 4L).toArray(ValueLayout.JAVA_INT);
        assertThat(found).as("rows=" + rows + ", block=" + block).isEqualTo(expected);
      }
    }
  }

  /** Each block writes its even values to its own part of out, and their number to counts. */
  private static Kernel compactEvens(int blockSize) {
    KernelBuilder b = new KernelBuilder("compact_evens").blockSize(blockSize);
    int in = b.input("in", Element.I32);
    int out = b.output("out", Element.I32);
    int counts = b.output("counts", Element.I32);
    Reg inRange = b.lt(b.global(), b.scalar("rows", Type.I32));
    Reg value = b.variable(b.i32(1));
    b.ifThen(inRange, () -> b.set(value, b.load(in, b.global())));
    Reg even = b.eq(b.and(value, 1), 0);
    Reg rank = b.blockRank(even);
    Reg start = b.mul(b.block(), blockSize);
    b.ifThen(even, () -> b.store(out, b.add(start, rank), value));
    Reg count = b.blockReduce(ReduceOp.ADD, b.select(even, b.i32(1), b.i32(0)));
    b.ifThen(b.eq(b.thread(), 0), () -> b.store(counts, b.block(), count));
    return b.build();
  }

  @Test
  void aLoadUnderAConditionLeavesOtherLanesAsTheyWere() {
    String text =
        """
        kernel load_evens block 128 {
          buffer x : i32 device read
          buffer y : i32 device readwrite
          %0:i32 = special global  %1:i32 = const 1  %2:i32 = and %0, %1
          %3:pred = lt %2, %1
          %4:i32 = const -7
          if %3 { %4:i32 = load x[%0] } else { }
          store y[%0], %4
        }
        """;
    LoadedKernel evens = device.load(KernelParser.parse(text));
    MemorySegment found = ints(new int[512]);
    evens.launch(4, bind(evens, ints(IntStream.range(0, 512).toArray()), found));
    int[] expected = IntStream.range(0, 512).map(i -> i % 2 == 0 ? i : -7).toArray();
    assertThat(found.toArray(ValueLayout.JAVA_INT)).isEqualTo(expected);
  }

  @Test
  void groupsOfOneLaunchHaveTheirOwnGridsAndBindings() {
    LoadedKernel evens = device.load(compactEvens(128));
    List<LaunchGroup> groups = new ArrayList<>();
    List<MemorySegment[]> results = new ArrayList<>();
    for (int rows : ROW_COUNTS) {
      int blocks = (rows + 127) / 128;
      MemorySegment in = ints(IntStream.range(0, rows).map(i -> i * 7 % 10 + rows).toArray());
      MemorySegment[] out = {ints(new int[blocks * 128]), ints(new int[blocks])};
      results.add(out);
      groups.add(new LaunchGroup(blocks, bind(evens, in, out[0], out[1]).scalar(0, rows)));
    }
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    evens.launch(groups);
    ExecutionCounters.Snapshot counted = device.counters().snapshot().minus(before);
    assertThat(counted.launches()).isEqualTo(1);
    assertThat(counted.blocks()).isEqualTo(groups.stream().mapToInt(LaunchGroup::blocks).sum());
    for (int g = 0; g < ROW_COUNTS.length; g++) {
      int rows = ROW_COUNTS[g];
      for (int block = 0; block < groups.get(g).blocks(); block++) {
        int[] expected =
            IntStream.range(block * 128, Math.min(rows, (block + 1) * 128))
                .map(i -> i * 7 % 10 + rows)
                .filter(v -> v % 2 == 0)
                .toArray();
        int count = results.get(g)[1].getAtIndex(ValueLayout.JAVA_INT, block);
        int[] found =
            results.get(g)[0].asSlice(block * 512L, count * 4L).toArray(ValueLayout.JAVA_INT);
        assertThat(found).as("rows=" + rows + ", block=" + block).isEqualTo(expected);
      }
    }
  }

  @Test
  void atomicsOfAllGroupsAddUp() {
    KernelBuilder b = new KernelBuilder("tally_groups").blockSize(64);
    int tally = b.output("tally", Element.I64);
    b.atomicUpdate(AtomicOp.ADD, tally, b.i32(0), b.scalar("amount", Type.I64));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment total = arena.allocate(8, 8);
    List<LaunchGroup> groups = new ArrayList<>();
    for (int g = 1; g <= 50; g++) {
      groups.add(new LaunchGroup(g % 3, bind(kernel, total).scalar(0, g)));
    }
    kernel.launch(groups);
    long expected = IntStream.rangeClosed(1, 50).mapToLong(g -> 64L * (g % 3) * g).sum();
    assertThat(total.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(expected);
    kernel.launch(List.of());
  }

  @Test
  void theSmallestTrapOfAllGroupsIsReportedAndAllGroupsEnd() {
    KernelBuilder b = new KernelBuilder("trap_groups").blockSize(32);
    int out = b.output("out", Element.I32);
    Reg detail = b.scalar("detail", Type.I32);
    b.store(out, b.global(), b.i32(1));
    b.trap(b.eq(b.global(), 3), 9, detail);
    b.store(out, b.global(), b.i32(2));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment[] left = new MemorySegment[20];
    List<LaunchGroup> groups = new ArrayList<>();
    for (int g = 0; g < left.length; g++) {
      left[g] = ints(new int[32]);
      groups.add(new LaunchGroup(1, bind(kernel, left[g]).scalar(0, 100 - g)));
    }
    KernelTrap trap = catchThrowableOfType(KernelTrap.class, () -> kernel.launch(groups));
    assertThat(trap.detail()).isEqualTo(81);
    for (MemorySegment group : left) {
      assertThat(group.getAtIndex(ValueLayout.JAVA_INT, 3)).isEqualTo(1);
      assertThat(group.getAtIndex(ValueLayout.JAVA_INT, 31)).isEqualTo(2);
    }
  }

  @Test
  void everyPersistScopeMakesTheLinesOfAllGroupsDurable() {
    for (PersistScope scope : PersistScope.values()) {
      KernelBuilder b = new KernelBuilder("persist_groups").blockSize(64);
      int table =
          b.buffer(new BufferParam("table", Element.I64, Space.PERSISTENT, Access.READ_WRITE));
      b.store(table, b.global(), b.i64(7));
      b.persist(scope);
      LoadedKernel kernel = device.load(b.build());
      List<LaunchGroup> groups = new ArrayList<>();
      List<MemorySegment> segments = new ArrayList<>();
      List<Durable> targets = new ArrayList<>();
      for (int g = 0; g < 12; g++) {
        MemorySegment segment = arena.allocate(64L * 8 * (1 + g % 3), 64);
        Durable target = new Durable(segment);
        segments.add(segment);
        targets.add(target);
        Arguments arguments = new Arguments(kernel.kernel()).persistent(0, mapped(segment), target);
        groups.add(new LaunchGroup(1 + g % 3, arguments));
      }
      kernel.launch(groups);
      for (int g = 0; g < segments.size(); g++) {
        assertThat(targets.get(g).drained())
            .as(scope.name() + ", group " + g)
            .isEqualTo(segments.get(g).toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  @Test
  void sharedMemoryIsZeroInEveryBlock() {
    KernelBuilder b = new KernelBuilder("shared_zero").blockSize(64);
    int out = b.output("out", Element.I64);
    int cells = b.shared("cells", Element.I64, 64);
    b.store(out, b.global(), b.loadShared(cells, b.thread()));
    b.storeShared(cells, b.thread(), b.i64(-1));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment left = arena.allocate(64L * 40 * 8, 8).fill((byte) 1);
    kernel.launch(40, bind(kernel, left));
    assertThat(left.toArray(ValueLayout.JAVA_LONG)).containsOnly(0);
  }

  @Test
  void atomicsOfAllBlocksAddUp() {
    KernelBuilder b = new KernelBuilder("tally").blockSize(256);
    int tally = b.output("tally", Element.I64);
    Reg cell = b.and(b.global(), 3);
    b.atomicUpdate(AtomicOp.ADD, tally, cell, b.i64(1));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment tallies = arena.allocate(4 * 8, 8);
    kernel.launch(100, bind(kernel, tallies));
    assertThat(tallies.toArray(ValueLayout.JAVA_LONG)).containsOnly(100 * 256 / 4);
  }

  @Test
  void theSmallestTrapIsReportedAfterAllBlocksEnd() {
    KernelBuilder b = new KernelBuilder("trapping").blockSize(64);
    int out = b.output("out", Element.I32);
    Reg limit = b.scalar("limit", Type.I32);
    b.store(out, b.global(), b.i32(1));
    Reg fromTop = b.sub(b.i32(64 * 50 - 1), b.global());
    b.trap(b.ge(b.global(), limit), 9, fromTop);
    b.store(out, b.global(), b.i32(2));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment out32 = ints(new int[64 * 50]);
    KernelTrap trap =
        catchThrowableOfType(
            KernelTrap.class, () -> kernel.launch(50, bind(kernel, out32).scalar(0, 1000)));
    assertThat(trap.code()).isEqualTo(9);
    assertThat(trap.detail()).isZero();
    int[] left = out32.toArray(ValueLayout.JAVA_INT);
    assertThat(IntStream.range(0, 1000).map(i -> left[i])).containsOnly(2);
    assertThat(IntStream.range(1000, left.length).map(i -> left[i])).containsOnly(1);
    kernel.launch(50, bind(kernel, out32).scalar(0, 64 * 50));
  }

  @Test
  void anIndexOutOfRangeTrapsWithTheLane() {
    KernelBuilder b = new KernelBuilder("out_of_range").blockSize(32);
    int in = b.input("in", Element.I8);
    int out = b.output("out", Element.I8);
    b.store(out, b.global(), b.load(in, b.sub(b.global(), 5)));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment in8 = arena.allocate(27).fill((byte) 3);
    MemorySegment out8 = arena.allocate(32);
    KernelTrap trap =
        catchThrowableOfType(KernelTrap.class, () -> kernel.launch(1, bind(kernel, in8, out8)));
    assertThat(trap.code()).isEqualTo(Op.OUT_OF_RANGE);
    assertThat(trap.detail()).isZero();
    assertThat(out8.get(ValueLayout.JAVA_BYTE, 4)).isZero();
    assertThat(out8.get(ValueLayout.JAVA_BYTE, 5)).isEqualTo((byte) 3);
  }

  @Test
  void integerDivisionByZeroTrapsAndFloatDivisionDoesNot() {
    KernelBuilder b = new KernelBuilder("divide").blockSize(32);
    int out = b.output("out", Element.F64);
    Reg lane = b.global();
    b.store(out, lane, b.div(b.f64(1), b.convert(lane, Type.F64)));
    Reg quotient = b.div(b.i32(7), b.sub(lane, 6));
    b.store(out, lane, b.convert(quotient, Type.F64));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment out64 = arena.allocate(32 * 8, 8);
    KernelTrap trap =
        catchThrowableOfType(KernelTrap.class, () -> kernel.launch(1, bind(kernel, out64)));
    assertThat(trap.code()).isEqualTo(Op.DIVIDE_BY_ZERO);
    assertThat(trap.detail()).isEqualTo(6);
    assertThat(out64.getAtIndex(ValueLayout.JAVA_DOUBLE, 6)).isEqualTo(1.0 / 6);
    assertThat(out64.getAtIndex(ValueLayout.JAVA_DOUBLE, 13)).isEqualTo(1.0);
  }

  @Test
  void noBlocksDoNothing() {
    LoadedKernel kernel = device.load(compactEvens(128));
    kernel.launch(0, bind(kernel, ints(), ints(), ints()).scalar(0, 0));
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    LoadedKernel kernel = device.load(compactEvens(128));
    Arguments incomplete = new Arguments(kernel.kernel()).buffer(0, mapped(ints()));
    assertThatThrownBy(() -> kernel.launch(1, incomplete))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("argument out is not bound");
    Arguments noScalar = bind(kernel, ints(), ints(), ints());
    assertThatThrownBy(() -> kernel.launch(1, noScalar)).hasMessageContaining("argument rows");
    assertThatThrownBy(() -> kernel.launch(-1, bind(kernel, ints(), ints(), ints()).scalar(0, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    int tooMany = Integer.MAX_VALUE / 128 + 1;
    assertThatThrownBy(
            () -> kernel.launch(tooMany, bind(kernel, ints(), ints(), ints()).scalar(0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(tooMany));
    Arguments fitting = bind(kernel, ints(), ints(), ints()).scalar(0, 0);
    LaunchGroup half = new LaunchGroup(tooMany / 2 + 1, fitting);
    assertThatThrownBy(() -> kernel.launch(List.of(half, half)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKernelThatBreaksARuleIsNotLoaded() {
    Kernel broken =
        new Kernel("broken", 33, List.of(), List.of(), List.of(), List.of(new Op.Barrier()));
    assertThatThrownBy(() -> device.load(broken)).isInstanceOf(InvalidKernel.class);
  }

  @Test
  void oneKernelRunsFromSeveralThreadsAtOnce() throws InterruptedException {
    LoadedKernel kernel = device.load(compactEvens(128));
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int rows = 5_000 + t * 100;
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, failure) -> failures.add(failure))
              .start(() -> countEvensRepeatedly(kernel, rows)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  private void countEvensRepeatedly(LoadedKernel kernel, int rows) {
    int blocks = (rows + 127) / 128;
    MemorySegment in = ints(IntStream.range(0, rows).toArray());
    MemorySegment out = ints(new int[blocks * 128]);
    MemorySegment counts = ints(new int[blocks]);
    Arguments arguments = bind(kernel, in, out, counts).scalar(0, rows);
    for (int repeat = 0; repeat < 20; repeat++) {
      counts.fill((byte) 0);
      kernel.launch(blocks, arguments);
      int evens = IntStream.of(counts.toArray(ValueLayout.JAVA_INT)).sum();
      assertThat(evens).isEqualTo((rows + 1) / 2);
    }
  }

  @Test
  void everyPersistScopeMakesTheStoredLinesDurableBeforeTheLaunchReturns() {
    for (PersistScope scope : PersistScope.values()) {
      KernelBuilder b = new KernelBuilder("persist_some").blockSize(64);
      int table =
          b.buffer(new BufferParam("table", Element.I64, Space.PERSISTENT, Access.READ_WRITE));
      Reg everyTenth = b.eq(b.rem(b.global(), b.i32(10)), 0);
      b.ifThen(everyTenth, () -> b.store(table, b.mul(b.global(), 8), b.i64(5)));
      b.persist(scope);
      LoadedKernel kernel = device.load(b.build());
      MemorySegment segment = arena.allocate(64L * 64 * 20, 64);
      Durable durable = new Durable(segment);
      kernel.launch(20, new Arguments(kernel.kernel()).persistent(0, mapped(segment), durable));
      assertThat(durable.drained())
          .as(scope.name())
          .isEqualTo(segment.toArray(ValueLayout.JAVA_BYTE));
      if (knowsStoredLines()) {
        assertThat(durable.bytesFlushed()).as(scope.name()).isEqualTo(128 * 64);
      }
    }
  }

  @Test
  void storesToPersistentBuffersAloneMakeNothingDurable() {
    KernelBuilder b = new KernelBuilder("store_only").blockSize(32);
    int table =
        b.buffer(new BufferParam("table", Element.I64, Space.PERSISTENT, Access.READ_WRITE));
    b.store(table, b.global(), b.i64(5));
    LoadedKernel kernel = device.load(b.build());
    MemorySegment segment = arena.allocate(32 * 8, 64);
    Durable durable = new Durable(segment);
    kernel.launch(1, new Arguments(kernel.kernel()).persistent(0, mapped(segment), durable));
    assertThat(durable.bytesFlushed()).isZero();
  }

  @Test
  void launchesAndBlocksAreCounted() {
    ExecutionCounters.Snapshot before = device.counters().snapshot();
    LoadedKernel kernel = device.load(compactEvens(64));
    MemorySegment in = ints(new int[640]);
    Arguments arguments = bind(kernel, in, ints(new int[640]), ints(new int[10]));
    kernel.launch(10, arguments.scalar(0, 640));
    ExecutionCounters.Snapshot counted = device.counters().snapshot().minus(before);
    assertThat(counted.launches()).isEqualTo(1);
    assertThat(counted.blocks()).isEqualTo(10);
  }

  @Test
  void generatedKernelsGiveTheReferencesResults() {
    try (Device reference =
        new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.REFERENCE, 1, false))) {
      for (long seed = 1_000_001; seed <= 1_000_000 + GENERATED_KERNELS; seed++) {
        GeneratedKernel generated = GeneratedKernels.fromSeed(seed);
        GeneratedKernel.Outcome expected = generated.runOn(reference);
        String difference = generated.difference(expected, generated.runOn(device));
        assertThat(difference).as(generated.toString()).isEmpty();
      }
    }
  }

  // Fixtures

  private MemorySegment ints(int... values) {
    return arena.allocateFrom(ValueLayout.JAVA_INT, values);
  }

  /** As the device's kernels reach it. */
  private DeviceBuffer mapped(MemorySegment segment) {
    return device.memory().map(segment);
  }

  private Arguments bind(LoadedKernel kernel, MemorySegment... segments) {
    Arguments arguments = new Arguments(kernel.kernel());
    for (int i = 0; i < segments.length; i++) {
      arguments.buffer(i, mapped(segments[i]));
    }
    return arguments;
  }

  /** Keeps what is durable apart from what is stored. */
  private static final class Durable implements PersistTarget {
    private final MemorySegment stored;
    private final byte[] durable;
    private final List<long[]> flushed = new ArrayList<>();
    private long bytesFlushed;

    Durable(MemorySegment stored) {
      this.stored = stored;
      this.durable = new byte[(int) stored.byteSize()];
    }

    @Override
    public synchronized void flush(long offset, long bytes) {
      flushed.add(new long[] {offset, bytes});
      bytesFlushed += bytes;
    }

    @Override
    public synchronized void drain() {
      for (long[] range : flushed) {
        MemorySegment.copy(
            stored, ValueLayout.JAVA_BYTE, range[0], durable, (int) range[0], (int) range[1]);
      }
      flushed.clear();
    }

    synchronized byte[] drained() {
      return durable;
    }

    synchronized long bytesFlushed() {
      return bytesFlushed;
    }
  }
}
