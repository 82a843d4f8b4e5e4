package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.move.GridRadixSort;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;

/**
 * Sums of floats per group, in row order: the batch's rows are sorted by group, stably, and the
 * lane at the head of each group's run adds the run's values one by one to the group's sum. The
 * result is that of a plain loop over the rows, on every device; on a GPU blocks add the runs of
 * few groups ({@link RunSums}). Called by {@code GridGroupBy}. Thread-safe.
 */
public final class GroupFloatSums {
  private static final int BLOCK_LANES = 1024;
  static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  private static final BufferParam GROUP_OF = BufferParam.input("group_of", Element.I32);
  static final BufferParam GROUPS = BufferParam.input("groups", Element.I64);
  static final BufferParam ORDER = BufferParam.input("order", Element.I32);
  static final BufferParam VALUES = BufferParam.input("values", Element.F64);
  static final BufferParam TOTALS = BufferParam.output("totals", Element.F64);
  static final long NO_GROUP = 0xffffffffL;

  private static final KernelTexts<Boolean> PAIR_TEXTS = new KernelTexts<>(_ -> pairKernel());
  private static final KernelTexts<Boolean> SUM_TEXTS = new KernelTexts<>(_ -> sumKernel());

  private final LoadedKernels<Boolean> pairs;
  private final LoadedKernels<Boolean> sums;
  private final GridRadixSort sort;
  private final RunSums runs;
  private final boolean byBlocks;

  public GroupFloatSums(Device device) {
    this(device, !device.memory().isHosts());
  }

  /**
   * @param byBlocks whether runs of few groups are added by a block each
   */
  GroupFloatSums(Device device, boolean byBlocks) {
    this.byBlocks = byBlocks;
    runs = new RunSums(device);
    pairs = new LoadedKernels<>(device, PAIR_TEXTS);
    sums = new LoadedKernels<>(device, SUM_TEXTS);
    sort = new GridRadixSort(device);
  }

  /**
   * Adds a batch.
   *
   * @param groupOf i32 per row; -1 for rows that take no part
   * @param values f64 per row, of each sum
   * @param totals f64 per group, of each sum
   */
  public void add(
      DeviceBuffer groupOf, int rows, List<DeviceBuffer> values, List<DeviceBuffer> totals) {
    if (rows == 0) {
      return;
    }
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer groups = scratch.longs(rows);
      DeviceBuffer order = scratch.ints(rows);
      sortByGroup(groupOf, rows, groups, order);
      if (byBlocks && totals.getFirst().bytes() <= (long) RunSums.GROUPS_MAX * Double.BYTES) {
        runs.add(groups, order, rows, values, totals);
        return;
      }
      LoadedKernel kernel = sums.get(true);
      for (int i = 0; i < values.size(); i++) {
        Arguments arguments =
            new Arguments(kernel.kernel())
                .scalar(ROWS, rows)
                .buffer(GROUPS, groups)
                .buffer(ORDER, order)
                .buffer(VALUES, values.get(i))
                .buffer(TOTALS, totals.get(i));
        KernelLibrary.launch(kernel, LaneKernels.blocks(rows, BLOCK_LANES), arguments);
      }
    }
  }

  /** The rows in the order of their groups (then of rows), with the groups; -1 comes last. */
  public void sortByGroup(DeviceBuffer groupOf, int rows, DeviceBuffer groups, DeviceBuffer order) {
    LoadedKernel kernel = pairs.get(true);
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(ROWS, rows)
            .buffer(GROUP_OF, groupOf)
            .buffer(GROUPS, groups)
            .buffer(ORDER, order);
    KernelLibrary.launch(kernel, LaneKernels.blocks(rows, BLOCK_LANES), arguments);
    sort.sort(groups, order, rows);
  }

  /** Lane r writes (group, r). */
  static Kernel pairKernel() {
    KernelBuilder b = new KernelBuilder("group_pairs");
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int groupOf = b.buffer(GROUP_OF);
    int groups = b.buffer(GROUPS.with(Access.READ_WRITE));
    int order = b.buffer(ORDER.with(Access.READ_WRITE));
    Reg row = b.global();
    b.ifThen(
        b.lt(row, rows),
        () -> {
          Reg group = b.convert(b.load(groupOf, row), Type.I64);
          b.store(groups, row, b.and(group, NO_GROUP));
          b.store(order, row, row);
        });
    return b.build();
  }

  /** The lane at the head of a run adds the run. */
  static Kernel sumKernel() {
    KernelBuilder b = new KernelBuilder("group_float_sum");
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int groups = b.buffer(GROUPS);
    int order = b.buffer(ORDER);
    int values = b.buffer(VALUES);
    int totals = b.buffer(TOTALS);
    Reg at = b.global();
    b.ifThen(
        b.lt(at, rows),
        () -> {
          Reg group = b.load(groups, at);
          Reg head = b.variable(b.ne(group, NO_GROUP));
          b.ifThen(
              b.and(head, b.gt(at, b.i32(0))),
              () -> b.set(head, b.ne(b.load(groups, b.sub(at, 1)), group)));
          b.ifThen(
              head,
              () -> {
                Reg total = b.variable(b.load(totals, group));
                Reg next = b.variable(at);
                Reg inRun = b.variable(b.pred(true));
                b.whileLoop(
                    () -> inRun,
                    () -> {
                      b.set(total, b.add(total, b.load(values, b.load(order, next))));
                      b.set(next, b.add(next, 1));
                      b.set(inRun, b.lt(next, rows));
                      b.ifThen(inRun, () -> b.set(inRun, b.eq(b.load(groups, next), group)));
                    });
                b.store(totals, group, total);
              });
        });
    return b.build();
  }
}
