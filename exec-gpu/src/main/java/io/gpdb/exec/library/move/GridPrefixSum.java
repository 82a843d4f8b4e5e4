package io.gpdb.exec.library.move;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.ShuffleKind;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.function.Consumer;

/**
 * Running sums. Called by joins and sorts. Where the host reads the device's memory, its threads
 * make them ({@link RunningSums}). Else a block of 256 lanes takes {@value #TILE} elements, each
 * lane 16 in a row; the blocks' totals are summed the same way, level by level. Results are valid
 * when the last launch returns. Thread-safe.
 */
public final class GridPrefixSum {
  private static final int BLOCK_LANES = 256;
  private static final int LANE_ELEMENTS = 16;
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam COUNTS = BufferParam.input("counts", Element.I32);
  private static final BufferParam TOTALS = BufferParam.output("totals", Element.I64);
  private static final BufferParam BASES = BufferParam.input("bases", Element.I64);
  private static final BufferParam SUMS = BufferParam.output("sums", Element.I64);
  private static final int TILE = BLOCK_LANES * LANE_ELEMENTS;

  private static final KernelTexts<Element> TOTAL_TEXTS =
      new KernelTexts<>(GridPrefixSum::totalsKernel);
  private static final KernelTexts<Element> OFFSET_TEXTS =
      new KernelTexts<>(GridPrefixSum::offsetsKernel);

  private final LoadedKernels<Element> totals;
  private final LoadedKernels<Element> offsets;
  private final Device device;

  public GridPrefixSum(Device device) {
    this.device = device;
    totals = new LoadedKernels<>(device, TOTAL_TEXTS);
    offsets = new LoadedKernels<>(device, OFFSET_TEXTS);
  }

  /** {@code sums[i]} (i64) = sum of counts[0..i) (i32, not negative); returns the sum of all. */
  public long exclusive(DeviceBuffer counts, int n, DeviceBuffer sums) {
    if (n == 0) {
      return 0;
    }
    offsets(counts, n, sums);
    return sums.slice((n - 1L) << 3, Long.BYTES).onHost().longAt(0)
        + counts.slice((n - 1L) << 2, Integer.BYTES).onHost().intAt(0);
  }

  /** As {@link #exclusive}, where nobody wants to know the sum of all. */
  public void offsets(DeviceBuffer counts, int n, DeviceBuffer sums) {
    if (n > 0 && device.memory().isHosts()) {
      RunningSums.of(device, counts.onHost(), n, sums.onHost());
    } else if (n > 0) {
      offsetsByKernels(counts, n, sums);
    }
  }

  /** As {@link #offsets}, by kernels alone; one element at least. */
  void offsetsByKernels(DeviceBuffer counts, int n, DeviceBuffer sums) {
    level(Element.I32, counts, n, sums);
  }

  private void level(Element element, DeviceBuffer counts, int n, DeviceBuffer sums) {
    int blocks = LaneKernels.blocks(n, TILE);
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer bases = scratch.longs(blocks);
      if (blocks == 1) {
        bases.fill((byte) 0);
      } else {
        DeviceBuffer blockTotals = scratch.longs(blocks);
        LoadedKernel first = totals.get(element);
        Arguments arguments =
            new Arguments(first.kernel())
                .scalar(N, n)
                .buffer(COUNTS, counts)
                .buffer(TOTALS, blockTotals);
        KernelLibrary.launch(first, blocks, arguments);
        level(Element.I64, blockTotals, blocks, bases);
      }
      LoadedKernel second = offsets.get(element);
      Arguments arguments =
          new Arguments(second.kernel())
              .scalar(N, n)
              .buffer(COUNTS, counts)
              .buffer(BASES, bases)
              .buffer(SUMS, sums);
      KernelLibrary.launch(second, blocks, arguments);
    }
  }

  /** Block b stores the sum of its tile. */
  static Kernel totalsKernel(Element element) {
    KernelBuilder b = builder("prefix_totals_", element);
    Reg n = b.scalar(N);
    int counts = b.buffer(COUNTS.of(element));
    int blockTotals = b.buffer(TOTALS);
    Reg total = b.blockReduce(ReduceOp.ADD, laneSum(b, counts, n));
    b.ifThen(b.eq(b.thread(), 0), () -> b.store(blockTotals, b.block(), total));
    return b.build();
  }

  /** Each lane stores the running sums of its elements. */
  static Kernel offsetsKernel(Element element) {
    KernelBuilder b = builder("prefix_offsets_", element);
    Reg n = b.scalar(N);
    int counts = b.buffer(COUNTS.of(element));
    int bases = b.buffer(BASES);
    int sums = b.buffer(SUMS);
    int warpTotals = b.shared("warp_totals", Element.I64, BLOCK_LANES / 32);
    Reg warp = b.special(SpecialKind.WARP);
    Reg own = laneSum(b, counts, n);
    Reg inclusive = warpInclusive(b, own);
    b.ifThen(b.eq(b.lane(), 31), () -> b.storeShared(warpTotals, warp, inclusive));
    b.barrier();
    Reg running = b.variable(b.add(b.load(bases, b.block()), b.sub(inclusive, own)));
    Reg before = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.lt(before, warp),
        () -> {
          b.set(running, b.add(running, b.loadShared(warpTotals, before)));
          b.set(before, b.add(before, 1));
        });
    eachElement(
        b,
        n,
        i -> {
          b.store(sums, i, running);
          b.set(running, b.add(running, wide(b, b.load(counts, i))));
        });
    return b.build();
  }

  private static KernelBuilder builder(String name, Element element) {
    KernelBuilder b = new KernelBuilder(name + (element == Element.I32 ? "i32" : "i64"));
    b.blockSize(BLOCK_LANES);
    return b;
  }

  private static Reg laneSum(KernelBuilder b, int counts, Reg n) {
    Reg sum = b.variable(b.i64(0));
    eachElement(b, n, i -> b.set(sum, b.add(sum, wide(b, b.load(counts, i)))));
    return sum;
  }

  private static Reg warpInclusive(KernelBuilder b, Reg own) {
    Reg sum = b.variable(own);
    for (int distance = 1; distance < 32; distance *= 2) {
      Reg below = b.shuffle(ShuffleKind.UP, sum, b.i32(distance));
      Reg reaches = b.ge(b.lane(), b.i32(distance));
      b.set(sum, b.select(reaches, b.add(sum, below), sum));
    }
    return sum;
  }

  /** The lane's 16 elements that are below n. The index is i32: n leaves room for a whole tile. */
  private static void eachElement(KernelBuilder b, Reg n, Consumer<Reg> element) {
    Reg first = b.mul(b.global(), LANE_ELEMENTS);
    Reg end = b.min(b.add(first, LANE_ELEMENTS), n);
    Reg i = b.variable(first);
    b.whileLoop(
        () -> b.lt(i, end),
        () -> {
          element.accept(i);
          b.set(i, b.add(i, 1));
        });
  }

  private static Reg wide(KernelBuilder b, Reg value) {
    return value.type() == Type.I64 ? value : b.convert(value, Type.I64);
  }
}
