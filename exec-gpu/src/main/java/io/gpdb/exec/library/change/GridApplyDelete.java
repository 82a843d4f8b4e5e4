package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
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
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes n rows of a tablet not live. Called by transactions, under the tablet's exclusive latch.
 * One lane per row; lane i takes row i of the list and entry i of the log. Results are valid when
 * the launch returns. Thread-safe.
 */
public final class GridApplyDelete {
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam ROWS = BufferParam.input("rows", Element.I32);
  private static final BufferParam LIVE = BufferParam.output("live", Element.I32);

  private static final KernelTexts<Shape> TEXTS = new KernelTexts<>(GridApplyDelete::kernel);

  private final Device device;
  private final LoadedKernels<Shape> kernels;

  /**
   * Which variant.
   *
   * @param logged whether the rows are logged
   * @param conventional the log is a {@link ConventionalLog}; otherwise hierarchical coalesced
   */
  record Shape(boolean logged, boolean conventional) {
    String kernelName() {
      return "apply_delete_clear" + (logged ? "_log" : "") + (conventional ? "_locked" : "");
    }
  }

  public GridApplyDelete(Device device) {
    this.device = device;
    kernels = new LoadedKernels<>(device, TEXTS);
  }

  /**
   * The rows of one tablet.
   *
   * @param rows i32 row in the tablet, n of them, distinct
   * @param live the tablet's live bits
   * @param log all groups of a launch have logs of one kind, or none
   */
  public record Group(DeviceBuffer rows, int n, DeviceBuffer live, @Nullable UpdateLog log) {}

  /**
   * Clears the live bits and logs the rows where there is a log; all volatile.
   *
   * @param rows i32 row in the tablet, n of them, distinct
   */
  public void redo(DeviceBuffer rows, int n, DeviceBuffer live, @Nullable UpdateLog log) {
    redo(List.of(new Group(rows, n, live, log)));
  }

  /** As above for several tablets, by one launch, or by the host where that is sooner done. */
  public void redo(List<Group> groups) {
    if (device.memory().isHosts() && HostDelete.redo(groups)) {
      return;
    }
    launch(groups);
  }

  /** By one launch. */
  void launch(List<Group> groups) {
    if (groups.isEmpty()) {
      return;
    }
    UpdateLog first = groups.getFirst().log();
    Shape shape = new Shape(first != null, first instanceof ConventionalLog);
    LoadedKernel kernel = kernels.get(shape);
    List<LaunchGroup> launch = new ArrayList<>(groups.size());
    for (Group g : groups) {
      int blocks = LaneKernels.blocks(g.n(), kernel.kernel().blockSize());
      launch.add(new LaunchGroup(blocks, arguments(kernel, g)));
    }
    KernelLibrary.launch(kernel, launch);
  }

  private static Arguments arguments(LoadedKernel kernel, Group group) {
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(N, group.n())
            .buffer(ROWS, group.rows())
            .buffer(LIVE, group.live());
    if (group.log() != null) {
      LogParams.ONLY.bind(arguments, group.log());
    }
    return arguments;
  }

  /** The kernel of one variant; one lane per row of the list. */
  static Kernel kernel(Shape shape) {
    KernelBuilder b = new KernelBuilder(shape.kernelName());
    Reg n = b.scalar(N);
    int rows = b.buffer(ROWS);
    int live = b.buffer(LIVE);
    LogText log =
        shape.logged() ? LogText.of(b, shape.conventional(), false, LogParams.ONLY) : null;
    Reg i = b.global();
    b.ifThen(
        b.lt(i, n),
        () -> {
          Reg row = b.load(rows, i);
          if (log != null) {
            log.append(i, List.of(row));
          }
          Reg word = b.ushr(row, 5);
          Reg mask = b.shl(b.i32(1), row);
          b.atomicUpdate(AtomicOp.AND, live, word, b.not(mask));
        });
    return b.build();
  }
}
