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
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;

/** The kernels that index a join's build side. One lane per build row. Thread-safe. */
final class JoinKernels {
  private static final int BLOCK_LANES = 1024;
  private static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  private static final BufferParam GROUP_OF = BufferParam.input("group_of", Element.I32);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);

  private final LoadedKernels<Boolean> counts;
  private final LoadedKernels<Boolean> places;

  JoinKernels(Device device) {
    counts = new LoadedKernels<>(device, _ -> countKernel());
    places = new LoadedKernels<>(device, _ -> placeKernel());
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
