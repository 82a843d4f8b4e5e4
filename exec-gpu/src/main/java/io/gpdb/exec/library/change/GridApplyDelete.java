package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes n rows of a tablet not live, or live again. Called by transactions, under the tablet's
 * exclusive latch. One lane per row; lane i takes row i of the list and entry i of the log. Results
 * are valid when the launch returns. Thread-safe.
 */
public final class GridApplyDelete {
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam ROWS = BufferParam.input("rows", Element.I32);
  private static final BufferParam LIVE = BufferParam.output("live", Element.I32);

  private static final KernelTexts<Shape> TEXTS = new KernelTexts<>(GridApplyDelete::kernel);

  private final LoadedKernels<Shape> kernels;

  /**
   * Which variant.
   *
   * @param change whether live bits change, and to what
   * @param logged whether the rows are logged
   * @param persist whether live bits and log are persistent and durable when the launch returns
   */
  record Shape(Change change, boolean logged, boolean conventional, boolean persist) {
    String kernelName() {
      return "apply_delete_"
          + change.name().toLowerCase(Locale.ROOT)
          + (logged ? "_log" : "")
          + (conventional ? "_locked" : "")
          + (persist ? "_persist" : "");
    }
  }

  enum Change {
    CLEAR,
    SET,
    NONE
  }

  public GridApplyDelete(Device device) {
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

  /** As above for several tablets, by one launch. */
  public void redo(List<Group> groups) {
    if (groups.isEmpty()) {
      return;
    }
    UpdateLog first = groups.getFirst().log();
    Shape shape = new Shape(Change.CLEAR, first != null, first instanceof ConventionalLog, false);
    LoadedKernel kernel = kernels.get(shape);
    List<LaunchGroup> launch = new ArrayList<>(groups.size());
    for (Group g : groups) {
      int blocks = LaneKernels.blocks(g.n(), kernel.kernel().blockSize());
      launch.add(
          new LaunchGroup(
              blocks,
              arguments(
                  kernel, shape, g.rows(), g.n(), g.live(), PersistTarget.VOLATILE, g.log())));
    }
    KernelLibrary.launch(kernel, launch);
  }

  /** Logs the rows; the log is durable on return. The live bits stay as they are. */
  public void undoLog(DeviceBuffer rows, int n, UpdateLog log) {
    run(
        new Shape(Change.NONE, true, log instanceof ConventionalLog, true),
        rows,
        n,
        HostBuffer.NONE,
        PersistTarget.VOLATILE,
        log);
  }

  /** Clears the live bits in place; durable on return. */
  public void undoStore(DeviceBuffer rows, int n, DeviceBuffer live, PersistTarget target) {
    run(new Shape(Change.CLEAR, false, false, true), rows, n, live, target, null);
  }

  /** Sets the live bits: rolls a delete back, or makes appended rows live. */
  public void restore(DeviceBuffer rows, int n, DeviceBuffer live) {
    Shape shape = new Shape(Change.SET, false, false, false);
    run(shape, rows, n, live, PersistTarget.VOLATILE, null);
  }

  private void run(
      Shape shape,
      DeviceBuffer rows,
      int n,
      DeviceBuffer live,
      PersistTarget liveTarget,
      @Nullable UpdateLog log) {
    if (n == 0) {
      return;
    }
    LoadedKernel kernel = kernels.get(shape);
    int blocks = LaneKernels.blocks(n, kernel.kernel().blockSize());
    KernelLibrary.launch(kernel, blocks, arguments(kernel, shape, rows, n, live, liveTarget, log));
  }

  private static Arguments arguments(
      LoadedKernel kernel,
      Shape shape,
      DeviceBuffer rows,
      int n,
      DeviceBuffer live,
      PersistTarget liveTarget,
      @Nullable UpdateLog log) {
    Arguments arguments = new Arguments(kernel.kernel()).scalar(N, n).buffer(ROWS, rows);
    if (shape.change() != Change.NONE) {
      arguments.persistent(LIVE, live, liveTarget);
    }
    if (log != null) {
      LogParams.ONLY.bind(arguments, log);
    }
    return arguments;
  }

  /** The kernel of one variant; one lane per row of the list. */
  static Kernel kernel(Shape shape) {
    KernelBuilder b = new KernelBuilder(shape.kernelName());
    Reg n = b.scalar(N);
    int rows = b.buffer(ROWS);
    Space home = shape.persist() ? Space.PERSISTENT : Space.DEVICE;
    int live = shape.change() == Change.NONE ? -1 : b.buffer(LIVE.in(home));
    LogText log =
        shape.logged()
            ? LogText.of(b, shape.conventional(), shape.persist(), LogParams.ONLY)
            : null;
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
          switch (shape.change()) {
            case CLEAR -> b.atomicUpdate(AtomicOp.AND, live, word, b.not(mask));
            case SET -> b.atomicUpdate(AtomicOp.OR, live, word, mask);
            case NONE -> {}
          }
        });
    if (shape.persist()) {
      b.persist(PersistScope.KERNEL);
    }
    return b.build();
  }
}
