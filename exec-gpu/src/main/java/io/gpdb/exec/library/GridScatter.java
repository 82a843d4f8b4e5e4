package io.gpdb.exec.library;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Places elements by index. Called by the planner. One lane per element; results are valid when the
 * launch returns. Thread-safe.
 */
public final class GridScatter {
  private static final int BLOCK_LANES = 1024;

  private final LoadedKernels<Element> kernels;

  public GridScatter(Device device) {
    kernels = new LoadedKernels<>(device, GridScatter::kernel);
  }

  /** {@code target[indexes[i]] = source[i]} for i below n; the i32 indexes are distinct. */
  public void values(
      Element element, MemorySegment source, MemorySegment indexes, int n, MemorySegment target) {
    LoadedKernel kernel = kernels.get(GridPack.bits(element));
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(0, n)
            .buffer(0, indexes)
            .buffer(1, source)
            .buffer(2, target);
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
  }

  static Kernel kernel(Element element) {
    KernelBuilder b = new KernelBuilder("scatter_" + element.name().toLowerCase(Locale.ROOT));
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar("n", Type.I32);
    int indexes = b.input("indexes", Element.I32);
    int source = b.input("source", element);
    int target = b.output("target", element);
    Reg i = b.global();
    b.ifThen(b.lt(i, n), () -> b.store(target, b.load(indexes, i), b.load(source, i)));
    return b.build();
  }
}
