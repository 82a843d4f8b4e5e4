package io.gpdb.exec.library.move;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.Locale;

/**
 * Numbers that follow each other at a distance, as i32 or i64. One lane per number; nothing is
 * read. Thread-safe.
 */
public final class GridSeries {
  private static final int BLOCK_LANES = 1024;
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final ScalarParam FIRST = new ScalarParam("first", Type.I64);
  private static final ScalarParam STEP = new ScalarParam("step", Type.I64);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I64);

  private static final KernelTexts<Element> TEXTS = new KernelTexts<>(GridSeries::kernel);

  private final LoadedKernels<Element> kernels;

  public GridSeries(Device device) {
    kernels = new LoadedKernels<>(device, TEXTS);
  }

  /** target[i] = first + i * step, for i below n, in 64 bits and then cut to the element. */
  public void numbers(Element element, long first, long step, int n, DeviceBuffer target) {
    LoadedKernel kernel = kernels.get(element);
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(N, n)
            .scalar(FIRST, first)
            .scalar(STEP, step)
            .buffer(TARGET, target);
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
  }

  /** Lane i stores number i. */
  public static Kernel kernel(Element element) {
    KernelBuilder b = new KernelBuilder("series_" + element.name().toLowerCase(Locale.ROOT));
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    Reg first = b.scalar(FIRST);
    Reg step = b.scalar(STEP);
    int target = b.buffer(TARGET.of(element));
    Reg i = b.global();
    b.ifThen(
        b.lt(i, n),
        () -> {
          Reg number = b.add(first, b.mul(b.convert(i, Type.I64), step));
          b.store(target, i, element == Element.I64 ? number : b.convert(number, Type.I32));
        });
    return b.build();
  }
}
