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
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Picks elements by index. Called by the planner behind joins and sorts. One lane per index; for an
 * index of -1 it stores 0 and "not present". Results are valid when the launch returns. Few are
 * picked without a launch, where the host reads the device's memory. Thread-safe.
 */
public final class GridGather {
  private static final int BLOCK_LANES = 1024;

  /** A launch of one block has no other thread than the one that asks, and costs more. */
  private static final int HOST_ROWS_MAX = BLOCK_LANES;

  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam INDEXES = BufferParam.input("indexes", Element.I32);
  private static final BufferParam SOURCE = BufferParam.input("source", Element.I32);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);

  private static final KernelTexts<Element> VALUES_TEXTS =
      new KernelTexts<>(GridGather::valuesKernel);
  private static final KernelTexts<Boolean> VALIDITY_TEXTS =
      new KernelTexts<>(GridGather::validityKernel);

  private final boolean readsMemory;
  private final LoadedKernels<Element> values;
  private final LoadedKernels<Boolean> validity;

  public GridGather(Device device) {
    this(device, device.memory().isHosts());
  }

  /**
   * @param readsMemory whether the host may pick rows itself
   */
  GridGather(Device device, boolean readsMemory) {
    this.readsMemory = readsMemory;
    values = new LoadedKernels<>(device, VALUES_TEXTS);
    validity = new LoadedKernels<>(device, VALIDITY_TEXTS);
  }

  /** {@code target[i] = source[indexes[i]]} for i below n; 0 where the i32 index is -1. */
  public void values(
      Element element, DeviceBuffer source, DeviceBuffer indexes, int n, DeviceBuffer target) {
    if (readsMemory && n <= HOST_ROWS_MAX) {
      pick(element.bytes(), source.onHost(), indexes.onHost(), n, target.onHost());
      return;
    }
    LoadedKernel kernel = values.get(GridPack.bits(element));
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(N, n)
            .buffer(INDEXES, indexes)
            .buffer(SOURCE, source)
            .buffer(TARGET, target);
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
  }

  private static void pick(
      int width, HostBuffer source, HostBuffer indexes, int n, HostBuffer target) {
    for (int i = 0; i < n; i++) {
      int index = indexes.intAt(i);
      if (index < 0) {
        target.slice((long) i * width, width).fill((byte) 0);
      } else if (width == Integer.BYTES) {
        target.setInt(i, source.intAt(index));
      } else if (width == Long.BYTES) {
        target.setLong(i, source.longAt(index));
      } else {
        target.copyFrom(source, (long) index * width, (long) i * width, width);
      }
    }
  }

  /**
   * Bit i of target = bit indexes[i] of source (null: all set), clear where the index is -1; whole
   * i32 words.
   */
  public void validity(
      @Nullable DeviceBuffer source, DeviceBuffer indexes, int n, DeviceBuffer target) {
    if (readsMemory && n <= HOST_ROWS_MAX) {
      pickBits(source == null ? null : source.onHost(), indexes.onHost(), n, target.onHost());
      return;
    }
    LoadedKernel kernel = validity.get(source != null);
    Arguments arguments =
        new Arguments(kernel.kernel()).scalar(N, n).buffer(INDEXES, indexes).buffer(TARGET, target);
    if (source != null) {
      arguments.buffer(SOURCE, source);
    }
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
  }

  private static void pickBits(
      @Nullable HostBuffer source, HostBuffer indexes, int n, HostBuffer target) {
    for (int first = 0; first < n; first += Integer.SIZE) {
      int word = 0;
      for (int i = first; i < Math.min(n, first + Integer.SIZE); i++) {
        int index = indexes.intAt(i);
        boolean isPresent = index >= 0 && (source == null || Bitmaps.test(source, index));
        word |= isPresent ? 1 << i : 0;
      }
      target.setInt(first / Integer.SIZE, word);
    }
  }

  /**
   * Both halves of a column.
   *
   * @param outer whether -1 occurs among the indexes
   */
  public DenseColumn column(
      DenseColumn source, DeviceBuffer indexes, int n, boolean outer, BufferAllocator results) {
    Element element = source.element();
    DeviceBuffer picked = results.allocate((long) n * element.bytes());
    values(element, source.values(), indexes, n, picked);
    DeviceBuffer sourceValidity = source.validity();
    if (sourceValidity == null && !outer) {
      return new DenseColumn(element, picked, null);
    }
    DeviceBuffer bits = results.allocate(DenseColumn.bitmapBytes(n));
    validity(sourceValidity, indexes, n, bits);
    return new DenseColumn(element, picked, bits);
  }

  static Kernel valuesKernel(Element element) {
    KernelBuilder b = new KernelBuilder("gather_" + element.name().toLowerCase(Locale.ROOT));
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    int indexes = b.buffer(INDEXES);
    int source = b.buffer(SOURCE.of(element));
    int target = b.buffer(TARGET.of(element));
    Reg i = b.global();
    b.ifThen(
        b.lt(i, n),
        () -> {
          Reg index = b.load(indexes, i);
          Reg value = b.variable(b.constant(element.register(), 0));
          b.ifThen(b.ge(index, b.i32(0)), () -> b.set(value, b.load(source, index)));
          b.store(target, i, value);
        });
    return b.build();
  }

  static Kernel validityKernel(boolean nullable) {
    KernelBuilder b = new KernelBuilder(nullable ? "gather_validity" : "gather_presence");
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    int indexes = b.buffer(INDEXES);
    int target = b.buffer(TARGET);
    int source = nullable ? b.buffer(SOURCE) : -1;
    Reg i = b.global();
    Reg inRange = b.lt(i, n);
    Reg present = b.variable(b.pred(false));
    b.ifThen(
        inRange,
        () -> {
          Reg index = b.load(indexes, i);
          b.set(present, b.ge(index, b.i32(0)));
          if (nullable) {
            b.ifThen(present, () -> b.set(present, Lane.bit(b, source, index)));
          }
        });
    GridPack.storeBallot(b, present, inRange, target);
    return b.build();
  }
}
