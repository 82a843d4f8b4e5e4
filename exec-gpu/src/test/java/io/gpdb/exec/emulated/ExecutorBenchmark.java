package io.gpdb.exec.emulated;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.TestBuffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Random;

/**
 * Measures rows per second of the launching thread's CPU time for typical kernels on one worker,
 * one launch per tablet of 65536 rows. Run by its main method; prints the median and the spread of
 * the warm runs.
 */
public final class ExecutorBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int TABLET_ROWS = 65_536;
  private static final int TABLETS = 64;
  private static final int RUNS = 60;
  private static final int WARM_RUNS = 30;

  private ExecutorBenchmark() {}

  public static void main(String[] arguments) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment i32 = arena.allocate((long) TABLETS * TABLET_ROWS * 4, 256);
      MemorySegment f64 = arena.allocate((long) TABLETS * TABLET_ROWS * 8, 256);
      Random random = new Random(7);
      for (int i = 0; i < TABLETS * TABLET_ROWS; i++) {
        i32.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt(1000));
        f64.setAtIndex(ValueLayout.JAVA_DOUBLE, i, random.nextDouble());
      }
      MemorySegment bitmap = arena.allocate(TABLET_ROWS / 8, 256).fill((byte) 0xfd);
      for (Mode mode : new Mode[] {Mode.INTERPRETED, Mode.COMPILED}) {
        try (Device device = new EmulatedDevice(new EmulatedOptions(mode, 1, false))) {
          for (int percent : new int[] {5, 50, 95}) {
            measure(
                device, mode, "count+sum, " + percent + "%", sum(), arena, i32, 4, percent, null);
            measure(
                device, mode, "compact, " + percent + "%", compact(), arena, i32, 4, percent, null);
          }
          measure(device, mode, "count+sum, live bitmap", sumLive(), arena, i32, 4, 50, bitmap);
          measure(device, mode, "sum f64", sumF64(), arena, f64, 8, 50, null);
          measure(device, mode, "log+update, 5%", update(), arena, i32, 4, 5, null);
        }
      }
    }
  }

  private static void measure(
      Device device,
      Mode mode,
      String name,
      Kernel kernel,
      Arena arena,
      MemorySegment column,
      int bytes,
      int percent,
      MemorySegment bitmap) {
    LoadedKernel loaded = device.load(kernel);
    int blocks = TABLET_ROWS / kernel.blockSize();
    MemorySegment out = arena.allocate((long) TABLET_ROWS * 16, 256);
    MemorySegment second = arena.allocate((long) TABLET_ROWS * 8, 256);
    double[] rates = new double[RUNS];
    for (int run = 0; run < RUNS; run++) {
      long start = THREADS.getCurrentThreadCpuTime();
      for (int tablet = 0; tablet < TABLETS; tablet++) {
        MemorySegment rows =
            column.asSlice((long) tablet * TABLET_ROWS * bytes, (long) TABLET_ROWS * bytes);
        Arguments arguments = new Arguments(kernel);
        arguments.scalar(0, TABLET_ROWS);
        arguments.scalar(1, 10L * percent);
        arguments
            .buffer(0, TestBuffers.of(rows))
            .buffer(1, TestBuffers.of(out))
            .buffer(2, TestBuffers.of(second));
        if (bitmap != null) {
          arguments.buffer(3, TestBuffers.of(bitmap));
        }
        loaded.launch(blocks, arguments);
      }
      rates[run] =
          (double) TABLETS * TABLET_ROWS * 1000 / (THREADS.getCurrentThreadCpuTime() - start);
    }
    double[] warm = Arrays.copyOfRange(rates, RUNS - WARM_RUNS, RUNS);
    Arrays.sort(warm);
    System.out.printf(
        "%-12s %-24s %7.0f M rows/s (%.0f to %.0f), first run %.0f%n",
        mode, name, warm[WARM_RUNS / 2], warm[0], warm[WARM_RUNS - 1], rates[0]);
  }

  private static Kernel sum() {
    KernelBuilder b = new KernelBuilder("count_sum");
    Reg rows = b.scalar("rows", Type.I32);
    Reg k = b.scalar("k", Type.I32);
    int column = b.input("column", Element.I32);
    int sums = b.output("sums", Element.I64);
    int counts = b.output("counts", Element.I32);
    Reg passes = b.variable(b.pred(false));
    Reg value = b.variable(b.i64(0));
    b.ifThen(
        b.lt(b.global(), rows),
        () -> {
          Reg x = b.load(column, b.global());
          b.set(passes, b.lt(x, k));
          b.set(value, b.select(passes, b.convert(x, Type.I64), b.i64(0)));
        });
    Reg count = b.blockReduce(ReduceOp.ADD, b.select(passes, b.i32(1), b.i32(0)));
    Reg sum = b.blockReduce(ReduceOp.ADD, value);
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          b.store(sums, b.block(), sum);
          b.store(counts, b.block(), count);
        });
    return b.build();
  }

  private static Kernel sumLive() {
    KernelBuilder b = new KernelBuilder("count_sum_live");
    Reg rows = b.scalar("rows", Type.I32);
    Reg k = b.scalar("k", Type.I32);
    int column = b.input("column", Element.I32);
    int sums = b.output("sums", Element.I64);
    int counts = b.output("counts", Element.I32);
    int live = b.input("live", Element.I32);
    Reg passes = b.variable(b.pred(false));
    Reg value = b.variable(b.i64(0));
    b.ifThen(
        b.lt(b.global(), rows),
        () -> {
          Reg word = b.load(live, b.ushr(b.global(), 5));
          Reg isLive = b.ne(b.and(b.ushr(word, b.global()), 1), 0);
          b.ifThen(
              isLive,
              () -> {
                Reg x = b.load(column, b.global());
                b.set(passes, b.lt(x, k));
                b.set(value, b.select(passes, b.convert(x, Type.I64), b.i64(0)));
              });
        });
    Reg count = b.blockReduce(ReduceOp.ADD, b.select(passes, b.i32(1), b.i32(0)));
    Reg sum = b.blockReduce(ReduceOp.ADD, value);
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          b.store(sums, b.block(), sum);
          b.store(counts, b.block(), count);
        });
    return b.build();
  }

  private static Kernel sumF64() {
    KernelBuilder b = new KernelBuilder("sum_f64");
    Reg rows = b.scalar("rows", Type.I32);
    b.scalar("unused", Type.I32);
    int column = b.input("column", Element.F64);
    int sums = b.output("sums", Element.F64);
    b.output("unused_too", Element.I32);
    Reg value = b.variable(b.f64(0));
    b.ifThen(b.lt(b.global(), rows), () -> b.set(value, b.load(column, b.global())));
    Reg sum = b.blockReduce(ReduceOp.ADD, value);
    b.ifThen(b.eq(b.thread(), 0), () -> b.store(sums, b.block(), sum));
    return b.build();
  }

  private static Kernel compact() {
    KernelBuilder b = new KernelBuilder("compact");
    Reg rows = b.scalar("rows", Type.I32);
    Reg k = b.scalar("k", Type.I32);
    int column = b.input("column", Element.I32);
    int out = b.output("out", Element.I32);
    int counts = b.output("counts", Element.I32);
    Reg passes = b.variable(b.pred(false));
    b.ifThen(b.lt(b.global(), rows), () -> b.set(passes, b.lt(b.load(column, b.global()), k)));
    Reg rank = b.blockRank(passes);
    b.ifThen(
        passes,
        () -> {
          Reg at = b.add(b.sub(b.global(), b.thread()), rank);
          b.store(out, at, b.load(column, b.global()));
        });
    b.ifThen(
        b.eq(b.thread(), b.blockSize() - 1L),
        () -> b.store(counts, b.block(), b.add(rank, b.select(passes, b.i32(1), b.i32(0)))));
    return b.build();
  }

  private static Kernel update() {
    KernelBuilder b = new KernelBuilder("log_update");
    Reg rows = b.scalar("rows", Type.I32);
    Reg k = b.scalar("k", Type.I32);
    int column = b.input("column", Element.I32);
    int log = b.output("log", Element.I32);
    int target = b.output("target", Element.I32);
    b.ifThen(
        b.lt(b.global(), rows),
        () -> {
          Reg x = b.load(column, b.global());
          b.ifThen(
              b.lt(x, k),
              () -> {
                b.logAppend(log, b.i64(0), b.global(), java.util.List.of(b.global(), x));
                b.store(target, b.global(), b.add(x, 1));
              });
        });
    return b.build();
  }
}
