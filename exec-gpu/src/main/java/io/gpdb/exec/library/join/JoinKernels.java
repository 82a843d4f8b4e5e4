package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;

/** The kernels that index a join's build side. One lane per build row. Thread-safe. */
final class JoinKernels {
  private static final int BLOCK_LANES = 1024;
  private static final int NO_PART = -1;
  private static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  private static final BufferParam GROUP_OF = BufferParam.input("group_of", Element.I32);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);

  private static final KernelTexts<Boolean> PARTICIPANTS_TEXTS =
      new KernelTexts<>(_ -> participantsKernel());
  private static final KernelTexts<Boolean> COUNT_TEXTS = new KernelTexts<>(_ -> countKernel());
  private static final KernelTexts<Boolean> PLACE_TEXTS = new KernelTexts<>(_ -> placeKernel());

  private final LoadedKernels<Boolean> participants;
  private final LoadedKernels<Boolean> counts;
  private final LoadedKernels<Boolean> places;

  JoinKernels(Device device) {
    participants = new LoadedKernels<>(device, PARTICIPANTS_TEXTS);
    counts = new LoadedKernels<>(device, COUNT_TEXTS);
    places = new LoadedKernels<>(device, PLACE_TEXTS);
  }

  /** How many numbers are not -1. */
  long participants(DeviceBuffer groupOf, int rows) {
    int blocks = LaneKernels.blocks(rows, BLOCK_LANES);
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer counted = scratch.ints(blocks);
      launch(participants.get(true), groupOf, rows, counted);
      HostBuffer onHost = counted.onHost();
      long sum = 0;
      for (int i = 0; i < blocks; i++) {
        sum += onHost.intAt(i);
      }
      return sum;
    }
  }

  /** Counts the rows of each key; -1 counts nowhere. */
  void count(DeviceBuffer groupOf, int rows, DeviceBuffer counters) {
    launch(counts.get(true), groupOf, rows, counters);
  }

  /** {@code order[groupOf[row]] = row}, for keys that have one row each. */
  void place(DeviceBuffer groupOf, int rows, DeviceBuffer order) {
    launch(places.get(true), groupOf, rows, order);
  }

  private static void launch(
      LoadedKernel kernel, DeviceBuffer groupOf, int rows, DeviceBuffer target) {
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(ROWS, rows)
            .buffer(GROUP_OF, groupOf)
            .buffer(TARGET, target);
    KernelLibrary.launch(kernel, LaneKernels.blocks(rows, BLOCK_LANES), arguments);
  }

  /** Block b stores its number of rows that take part. */
  static Kernel participantsKernel() {
    KernelBuilder b = new KernelBuilder("join_participants");
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int groupOf = b.buffer(GROUP_OF);
    int target = b.buffer(TARGET);
    Reg one = b.variable(b.i32(0));
    b.ifThen(
        b.lt(b.global(), rows),
        () -> b.set(one, b.select(b.ne(b.load(groupOf, b.global()), NO_PART), b.i32(1), b.i32(0))));
    Reg count = b.blockReduce(ReduceOp.ADD, one);
    b.ifThen(b.eq(b.thread(), 0), () -> b.store(target, b.block(), count));
    return b.build();
  }

  static Kernel countKernel() {
    return kernel(
        "join_count", (b, group, target) -> b.atomicUpdate(AtomicOp.ADD, target, group, b.i32(1)));
  }

  static Kernel placeKernel() {
    return kernel("join_place", (b, group, target) -> b.store(target, group, b.global()));
  }

  private interface Body {
    void write(KernelBuilder b, Reg group, int target);
  }

  private static Kernel kernel(String name, Body body) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int groupOf = b.buffer(GROUP_OF);
    int target = b.buffer(TARGET);
    Reg row = b.global();
    b.ifThen(
        b.lt(row, rows),
        () -> {
          Reg group = b.load(groupOf, row);
          b.ifThen(b.ge(group, b.i32(0)), () -> body.write(b, group, target));
        });
    return b.build();
  }
}
