package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the values of each group's run to the group's sum, one by one, as {@link GroupFloatSums}
 * does by the lane at the run's head. That lane of a GPU waits a microsecond for each value that it
 * loads; here a block has a group, its lanes load 1024 values of the run together, and its first
 * lane adds them from the block's own memory. For runs of many rows and few groups.
 */
final class RunSums {
  /** A block for each group is launched, whether it has rows or not. */
  static final int GROUPS_MAX = 1 << 16;

  private static final int ROW_LANES = 1024;
  private static final int SUM_LANES = 128;

  /** Values that a block has at one time, and that its lane adds without a look at how many. */
  private static final int STAGED = 1024;

  private static final int ADDED_AT_ONCE = 16;

  private static final BufferParam STARTS = BufferParam.input("starts", Element.I32);
  private static final BufferParam ENDS = BufferParam.input("ends", Element.I32);

  private static final KernelTexts<Boolean> BOUND_TEXTS = new KernelTexts<>(_ -> boundsKernel());
  private static final KernelTexts<Boolean> SUM_TEXTS = new KernelTexts<>(_ -> sumKernel());

  private final LoadedKernels<Boolean> bounds;
  private final LoadedKernels<Boolean> sums;

  RunSums(Device device) {
    bounds = new LoadedKernels<>(device, BOUND_TEXTS);
    sums = new LoadedKernels<>(device, SUM_TEXTS);
  }

  /**
   * Adds to the sums.
   *
   * @param groups of the rows, sorted
   * @param order the rows
   * @param totals f64 per group, of at most {@link #GROUPS_MAX}, of each sum
   */
  void add(
      DeviceBuffer groups,
      DeviceBuffer order,
      int rows,
      List<DeviceBuffer> values,
      List<DeviceBuffer> totals) {
    int groupCount = (int) (totals.getFirst().bytes() / Double.BYTES);
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer starts = scratch.ints(groupCount);
      DeviceBuffer ends = scratch.ints(groupCount);
      starts.fill((byte) 0);
      ends.fill((byte) 0);
      LoadedKernel bounding = bounds.get(true);
      Arguments arguments =
          new Arguments(bounding.kernel())
              .scalar(GroupFloatSums.ROWS, rows)
              .buffer(GroupFloatSums.GROUPS, groups)
              .buffer(STARTS, starts)
              .buffer(ENDS, ends);
      KernelLibrary.launch(bounding, LaneKernels.blocks(rows, ROW_LANES), arguments);
      LoadedKernel summing = sums.get(true);
      for (int i = 0; i < values.size(); i++) {
        arguments =
            new Arguments(summing.kernel())
                .buffer(STARTS, starts)
                .buffer(ENDS, ends)
                .buffer(GroupFloatSums.ORDER, order)
                .buffer(GroupFloatSums.VALUES, values.get(i))
                .buffer(GroupFloatSums.TOTALS, totals.get(i));
        KernelLibrary.launch(summing, groupCount, arguments, rows);
      }
    }
  }

  /** The lanes at both ends of a group's run store where it begins and ends. */
  static Kernel boundsKernel() {
    KernelBuilder b = new KernelBuilder("group_runs");
    b.blockSize(ROW_LANES);
    Reg rows = b.scalar(GroupFloatSums.ROWS);
    int groups = b.buffer(GroupFloatSums.GROUPS);
    int starts = b.buffer(STARTS.with(Access.READ_WRITE));
    int ends = b.buffer(ENDS.with(Access.READ_WRITE));
    Reg at = b.global();
    b.ifThen(
        b.lt(at, rows),
        () -> {
          Reg group = b.load(groups, at);
          b.ifThen(
              b.ne(group, GroupFloatSums.NO_GROUP),
              () -> {
                Reg isFirst = b.variable(b.eq(at, 0));
                b.ifThen(
                    b.gt(at, b.i32(0)),
                    () -> b.set(isFirst, b.ne(b.load(groups, b.sub(at, 1)), group)));
                b.ifThen(isFirst, () -> b.store(starts, group, at));
                Reg next = b.add(at, 1);
                Reg isLast = b.variable(b.eq(next, rows));
                b.ifThen(b.lt(next, rows), () -> b.set(isLast, b.ne(b.load(groups, next), group)));
                b.ifThen(isLast, () -> b.store(ends, group, next));
              });
        });
    return b.build();
  }

  /** A block adds the run of the group that has its number. */
  static Kernel sumKernel() {
    KernelBuilder b = new KernelBuilder("group_run_sum");
    b.blockSize(SUM_LANES);
    int starts = b.buffer(STARTS);
    int ends = b.buffer(ENDS);
    int order = b.buffer(GroupFloatSums.ORDER);
    int values = b.buffer(GroupFloatSums.VALUES);
    int totals = b.buffer(GroupFloatSums.TOTALS);
    int staged = b.shared("staged", Element.F64, STAGED);
    Reg group = b.block();
    Reg from = b.variable(b.load(starts, group));
    Reg end = b.load(ends, group);
    Reg isAdding = b.eq(b.thread(), 0);
    Reg total = b.variable(b.f64(0.0));
    b.ifThen(b.and(isAdding, b.lt(from, end)), () -> b.set(total, b.load(totals, group)));
    b.whileLoop(
        () -> b.lt(from, end),
        () -> {
          stage(b, order, values, staged, from, end);
          b.barrier();
          b.ifThen(isAdding, () -> addStaged(b, staged, total, b.sub(end, from)));
          b.barrier();
          b.set(from, b.add(from, STAGED));
        });
    b.ifThen(
        b.and(isAdding, b.lt(b.load(starts, group), end)), () -> b.store(totals, group, total));
    return b.build();
  }

  /**
   * Lanes behind the run's end load its last value: without a branch loads are under way together.
   */
  private static void stage(KernelBuilder b, int order, int values, int staged, Reg from, Reg end) {
    Reg last = b.sub(end, 1);
    List<Reg> loaded = new ArrayList<>();
    for (int i = 0; i < STAGED; i += SUM_LANES) {
      Reg at = b.min(b.add(b.add(from, i), b.thread()), last);
      loaded.add(b.load(values, b.load(order, at)));
    }
    for (int i = 0; i < loaded.size(); i++) {
      b.storeShared(staged, b.add(b.thread(), (long) i * SUM_LANES), loaded.get(i));
    }
  }

  private static void addStaged(KernelBuilder b, int staged, Reg total, Reg left) {
    Reg count = b.min(left, b.i32(STAGED));
    Reg at = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.compare(CompareOp.LE, b.add(at, ADDED_AT_ONCE), count),
        () -> {
          for (int i = 0; i < ADDED_AT_ONCE; i++) {
            b.set(total, b.add(total, b.loadShared(staged, b.add(at, i))));
          }
          b.set(at, b.add(at, ADDED_AT_ONCE));
        });
    b.whileLoop(
        () -> b.lt(at, count),
        () -> {
          b.set(total, b.add(total, b.loadShared(staged, at)));
          b.set(at, b.add(at, 1));
        });
  }
}
