package io.gpdb.exec.emulated.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.LibrarySamples;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.exec.library.reduce.GridReduce;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompiledKernelTest {
  @Test
  void everyLibraryKernelCompilesIntoPartsThatTheJitCompilerTakes() {
    for (Kernel kernel : LibrarySamples.all()) {
      assertThat(CompiledKernel.compile(kernel).isJitCompilable()).as(kernel.name()).isTrue();
    }
  }

  @Test
  void aFilteredSumIsOneLoopWithoutBranches() {
    assertThat(CompiledKernel.compile(filteredSum()).branchFreeRegions()).isEqualTo(1);
  }

  /** A filter; a sum that may overflow; extremes of integers and of floats. */
  @Test
  void aggregatesOfALaneThatTakesSeveralRowsAreLoopsWithoutBranches() {
    LaneInputs inputs = new LaneInputs();
    LaneInputs.Column x = inputs.column("x", Element.I32);
    LaneInputs.Column y = inputs.column("y", Element.F64);
    LaneProgram xs = lane -> lane.column(x);
    LaneProgram ys = lane -> lane.column(y);
    LaneProgram positive =
        lane -> LaneValue.of(lane.builder().gt(lane.column(x).value(), lane.builder().i32(0)));
    LaneProgram doubled =
        lane -> {
          KernelBuilder b = lane.builder();
          Reg value = lane.column(x).value();
          lane.trap(b.overflow(OverflowOp.ADD, value, value), 1);
          return LaneValue.of(b.add(value, value));
        };
    try (Device device = new EmulatedDevice(EmulatedOptions.standard())) {
      List<Aggregate> aggregates =
          List.of(Aggregate.sum(doubled), Aggregate.min(xs), Aggregate.max(ys));
      Kernel kernel = new GridReduce(device, "agg", inputs, positive, aggregates).kernel();
      assertThat(CompiledKernel.compile(kernel).branchFreeRegions()).isEqualTo(4);
    }
  }

  /** The loop over a column is one without branches, and the values that it leads to are apart. */
  @Test
  void whatIsComputedBeforeLoadsAtAnyIndexIsALoopWithoutBranches() {
    assertThat(CompiledKernel.compile(lookedUp(true)).branchFreeRegions()).isEqualTo(3);
    assertThat(CompiledKernel.compile(lookedUp(false)).branchFreeRegions()).isEqualTo(2);
  }

  @Test
  void loadsAtAnyIndexApartFromTheirIndicesAreThoseOfTheirLanes() {
    Kernel kernel = lookedUp(true);
    for (int rows : new int[] {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2047}) {
      for (EmulatedOptions.Mode mode : EmulatedOptions.Mode.values()) {
        try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 1, false));
            Arena arena = Arena.ofShared()) {
          MemorySegment keys = arena.allocate(Math.max(4, rows * 4L), 8);
          MemorySegment values = arena.allocate(100 * 4, 8);
          MemorySegment sum = arena.allocate(8, 8);
          long expected = 0;
          for (int i = 0; i < 100; i++) {
            values.setAtIndex(ValueLayout.JAVA_INT, i, i * i);
          }
          for (int i = 0; i < rows; i++) {
            int key = i * 37 % 150;
            keys.setAtIndex(ValueLayout.JAVA_INT, i, key + 1000);
            expected += key < 100 ? key * key : 0;
          }
          Arguments arguments = new Arguments(kernel).scalar(0, rows).scalar(1, 1000);
          arguments.scalar(2, 100).buffer(0, TestBuffers.of(keys.asSlice(0, rows * 4L)));
          arguments.buffer(1, TestBuffers.of(values)).buffer(2, TestBuffers.of(sum));
          device.load(kernel).launch(1, arguments);
          assertThat(sum.get(ValueLayout.JAVA_LONG, 0))
              .as(mode + ", rows=" + rows)
              .isEqualTo(expected);
        }
      }
    }
  }

  /**
   * The sum of values at places, which are keys or computed of them, where these are in a range.
   */
  private static Kernel lookedUp(boolean computes) {
    KernelBuilder b = new KernelBuilder("looked_up");
    b.blockSize(64);
    Reg rows = b.scalar("rows", Type.I32);
    Reg least = b.scalar("least", Type.I32);
    Reg width = b.scalar("width", Type.I32);
    int keys = b.input("keys", Element.I32);
    int values = b.input("values", Element.I32);
    int sums = b.output("sums", Element.I64);
    Reg total = b.variable(b.i64(0));
    Reg start = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.lt(start, rows),
        () -> {
          Reg row = b.add(start, b.thread());
          Reg place = b.variable(b.i32(-1));
          b.ifThen(
              b.lt(row, rows),
              () -> {
                Reg key = b.load(keys, row);
                b.set(place, computes ? placeOf(b, b.sub(key, least), width) : key);
              });
          b.ifThen(
              b.ge(place, b.i32(0)),
              () -> b.set(total, b.add(total, b.convert(b.load(values, place), Type.I64))));
          b.set(start, b.add(start, 64));
        });
    Reg sum = b.blockReduce(ReduceOp.ADD, total);
    b.ifThen(b.eq(b.thread(), 0), () -> b.store(sums, b.block(), sum));
    return b.build();
  }

  private static Reg placeOf(KernelBuilder b, Reg distance, Reg width) {
    Reg inside = b.and(b.ge(distance, b.i32(0)), b.lt(distance, width));
    return b.select(inside, distance, b.i32(-1));
  }

  @Test
  void predicatesOfWhichOthersAreComputedAreToldFromThoseThatOnlyBranch() {
    KernelBuilder b = new KernelBuilder("combined");
    Reg row = b.global();
    Reg low = b.gt(row, b.i32(3));
    Reg high = b.lt(row, b.i32(9));
    Reg both = b.and(low, high);
    Reg alone = b.eq(row, b.i32(5));
    b.trap(both, 1, row);
    b.trap(alone, 2, row);
    KernelFacts facts = new KernelFacts(b.build(), 120);
    assertThat(List.of(low, high)).allMatch(facts::isCombined);
    assertThat(List.of(both, alone)).noneMatch(facts::isCombined);
  }

  @Test
  void aLongKernelIsCutIntoPartsThatTheJitCompilerTakes() {
    KernelBuilder b = new KernelBuilder("long");
    int column = b.input("column", Element.I64);
    int out = b.output("out", Element.I64);
    Reg sum = b.variable(b.load(column, b.global()));
    for (int i = 1; i < 3000; i++) {
      b.set(sum, b.add(b.mul(sum, i), b.load(column, b.global())));
    }
    b.store(out, b.global(), sum);
    assertThat(CompiledKernel.compile(b.build()).isJitCompilable()).isTrue();
  }

  @Test
  void lanesBeyondTheRowsTouchNothingAtEveryRowCount() {
    Kernel kernel = filteredSum();
    try (Device device =
            new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.COMPILED, 1, false));
        Arena arena = Arena.ofShared()) {
      for (int rows : new int[] {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2047}) {
        MemorySegment column = arena.allocate(Math.max(4, rows * 4L), 8);
        long expected = 0;
        for (int i = 0; i < rows; i++) {
          column.setAtIndex(ValueLayout.JAVA_INT, i, i % 100);
          expected += i % 100 < 50 ? i % 100 : 0;
        }
        MemorySegment sums = arena.allocate(16, 8);
        Arguments arguments = new Arguments(kernel).scalar(0, rows).scalar(1, 50);
        device
            .load(kernel)
            .launch(
                2,
                arguments
                    .buffer(0, TestBuffers.of(column.asSlice(0, rows * 4L)))
                    .buffer(1, TestBuffers.of(sums)));
        long actual =
            sums.getAtIndex(ValueLayout.JAVA_LONG, 0) + sums.getAtIndex(ValueLayout.JAVA_LONG, 1);
        assertThat(actual).as("rows=" + rows).isEqualTo(expected);
      }
    }
  }

  @Test
  void overlappingBuffersAreReadBeforeTheBarrierAsTheProgramSays() {
    KernelBuilder b = new KernelBuilder("reverse");
    b.blockSize(64);
    int from = b.input("from", Element.I32);
    int to = b.output("to", Element.I32);
    Reg value = b.load(from, b.global());
    b.barrier();
    b.store(to, b.sub(b.i32(63), b.global()), value);
    Kernel kernel = b.build();
    for (EmulatedOptions.Mode mode : EmulatedOptions.Mode.values()) {
      try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 1, false));
          Arena arena = Arena.ofShared()) {
        MemorySegment both = arena.allocate(256, 8);
        for (int i = 0; i < 64; i++) {
          both.setAtIndex(ValueLayout.JAVA_INT, i, i);
        }
        device
            .load(kernel)
            .launch(
                1,
                new Arguments(kernel)
                    .buffer(0, TestBuffers.of(both))
                    .buffer(1, TestBuffers.of(both)));
        for (int i = 0; i < 64; i++) {
          assertThat(both.getAtIndex(ValueLayout.JAVA_INT, i)).as(mode + " " + i).isEqualTo(63 - i);
        }
      }
    }
  }

  /** The start of a turn's rows moves on after what is done behind a barrier. */
  @Test
  void rowsAreThoseOfTheTurnBehindABarrier() {
    KernelBuilder b = new KernelBuilder("turns");
    b.blockSize(64);
    Reg rows = b.scalar("rows", Type.I32);
    int column = b.input("column", Element.I32);
    int sum = b.output("sum", Element.I32);
    Reg start = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.lt(start, rows),
        () -> {
          Reg row = b.add(start, b.thread());
          Reg known = b.variable(b.i32(-1));
          b.ifThen(b.lt(row, rows), () -> b.set(known, b.load(sum, b.i32(0))));
          b.barrier();
          b.ifThen(
              b.ge(known, b.i32(0)),
              () -> b.atomicUpdate(AtomicOp.ADD, sum, b.i32(0), b.load(column, row)));
          b.set(start, b.add(start, 64));
        });
    Kernel kernel = b.build();
    for (EmulatedOptions.Mode mode : EmulatedOptions.Mode.values()) {
      try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 1, false));
          Arena arena = Arena.ofShared()) {
        MemorySegment values = arena.allocate(300 * 4, 8);
        for (int i = 0; i < 300; i++) {
          values.setAtIndex(ValueLayout.JAVA_INT, i, i);
        }
        MemorySegment total = arena.allocate(8, 8);
        Arguments arguments = new Arguments(kernel).scalar(0, 200);
        arguments.buffer(0, TestBuffers.of(values)).buffer(1, TestBuffers.of(total));
        device.load(kernel).launch(1, arguments);
        assertThat(total.get(ValueLayout.JAVA_INT, 0)).as(mode.name()).isEqualTo(200 * 199 / 2);
      }
    }
  }

  /** Compiled code takes memory to have no owner, so other memory is not for it. */
  @Test
  void memoryOfOneThreadIsInterpreted() {
    Kernel kernel = filteredSum();
    for (EmulatedOptions.Mode mode : EmulatedOptions.Mode.values()) {
      try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 2, false));
          Arena arena = Arena.ofConfined()) {
        MemorySegment column = arena.allocate(4000 * 4, 8);
        for (int i = 0; i < 4000; i++) {
          column.setAtIndex(ValueLayout.JAVA_INT, i, i % 100);
        }
        MemorySegment sums = arena.allocate(64, 8);
        Arguments arguments = new Arguments(kernel).scalar(0, 4000).scalar(1, 50);
        arguments.buffer(0, TestBuffers.of(column)).buffer(1, TestBuffers.of(sums));
        device.load(kernel).launch(4, arguments);
        long total = 0;
        for (int block = 0; block < 4; block++) {
          total += sums.getAtIndex(ValueLayout.JAVA_LONG, block);
        }
        assertThat(total).as(mode.name()).isEqualTo(40 * 49 * 50 / 2);
      }
    }
  }

  private static Kernel filteredSum() {
    KernelBuilder b = new KernelBuilder("filtered_sum");
    Reg rows = b.scalar("rows", Type.I32);
    Reg k = b.scalar("k", Type.I32);
    int column = b.input("column", Element.I32);
    int sums = b.output("sums", Element.I64);
    Reg value = b.variable(b.i64(0));
    b.ifThen(
        b.lt(b.global(), rows),
        () -> {
          Reg x = b.load(column, b.global());
          b.set(value, b.select(b.lt(x, k), b.convert(x, Type.I64), b.i64(0)));
        });
    Reg sum = b.blockReduce(ReduceOp.ADD, value);
    b.ifThen(b.eq(b.thread(), 0), () -> b.store(sums, b.block(), sum));
    return b.build();
  }
}
