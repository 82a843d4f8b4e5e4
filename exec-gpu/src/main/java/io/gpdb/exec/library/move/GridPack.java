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
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Packs what the blocks of a compacting kernel wrote to regions of their own. Called by {@link
 * GridFilterProject} and its like. One lane per element, or a copy per region where the host reads
 * the device's memory; results are valid when the launch returns. Thread-safe.
 */
public final class GridPack {
  private static final int BLOCK_LANES = 1024;

  /** Regions that a thread of the host copies at once. */
  private static final int BLOCKS_PER_PIECE = 64;

  private static final BufferParam SOURCE = BufferParam.input("source", Element.I32);
  private static final BufferParam COUNTS = BufferParam.input("counts", Element.I32);
  private static final BufferParam OFFSETS = BufferParam.input("offsets", Element.I64);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final BufferParam BYTES = BufferParam.input("bytes", Element.I8);

  private static final KernelTexts<Element> PACK_TEXTS = new KernelTexts<>(GridPack::packKernel);
  private static final KernelTexts<Integer> BITMAP_TEXTS = new KernelTexts<>(_ -> bitmapKernel());

  private final LoadedKernels<Element> packs;
  private final LoadedKernels<Integer> bitmaps;
  private final Device device;

  public GridPack(Device device) {
    this.device = device;
    packs = new LoadedKernels<>(device, PACK_TEXTS);
    bitmaps = new LoadedKernels<>(device, BITMAP_TEXTS);
  }

  /** Columns of regions that are packed at once, so that threads have enough to do. */
  public final class Columns {
    private final List<Column> columns = new ArrayList<>();

    private int pieces;

    private Columns() {}

    /**
     * Region b of source (elements b*1024 and on) holds {@code counts[b]} (i32) elements; they go
     * to target from {@code offsets[b]} (i64) on.
     */
    public void add(
        Element element,
        DeviceBuffer source,
        DeviceBuffer counts,
        DeviceBuffer offsets,
        int blocks,
        DeviceBuffer target) {
      columns.add(new Column(element, source, counts, offsets, blocks, target, pieces));
      pieces += Math.ceilDiv(blocks, BLOCKS_PER_PIECE);
    }

    /** Packs them. */
    public void pack() {
      if (device.memory().isHosts()) {
        device.share(pieces, this::copy);
      } else {
        packByKernel();
      }
    }

    /** As {@link #pack}, whoever reads the memory. */
    void packByKernel() {
      columns.forEach(GridPack.this::launch);
    }

    private void copy(int piece) {
      StopSignal.poll();
      int c = columns.size() - 1;
      while (columns.get(c).firstPiece() > piece) {
        c--;
      }
      columns.get(c).copy(piece);
    }
  }

  private record Column(
      Element element,
      DeviceBuffer source,
      DeviceBuffer counts,
      DeviceBuffer offsets,
      int blocks,
      DeviceBuffer target,
      int firstPiece) {
    void copy(int piece) {
      long width = element.bytes();
      HostBuffer countsRead = counts.onHost();
      HostBuffer offsetsRead = offsets.onHost();
      int first = (piece - firstPiece) * BLOCKS_PER_PIECE;
      for (int b = first; b < Math.min(blocks, first + BLOCKS_PER_PIECE); b++) {
        long bytes = countsRead.intAt(b) * width;
        if (bytes > 0) {
          target.copyFrom(source, b * width * BLOCK_LANES, offsetsRead.longAt(b) * width, bytes);
        }
      }
    }
  }

  public Columns columns() {
    return new Columns();
  }

  private void launch(Column column) {
    LoadedKernel kernel = packs.get(bits(column.element));
    Arguments arguments =
        new Arguments(kernel.kernel())
            .buffer(SOURCE, column.source)
            .buffer(COUNTS, column.counts)
            .buffer(OFFSETS, column.offsets)
            .buffer(TARGET, column.target);
    KernelLibrary.launch(kernel, column.blocks, arguments);
  }

  /** Bit i of target = bytes[i] is not 0, for i below n; whole i32 words, the rest of them 0. */
  public void bitmap(DeviceBuffer bytes, int n, DeviceBuffer target) {
    LoadedKernel kernel = bitmaps.get(0);
    Arguments arguments =
        new Arguments(kernel.kernel()).scalar(N, n).buffer(BYTES, bytes).buffer(TARGET, target);
    KernelLibrary.launch(kernel, LaneKernels.blocks(n, BLOCK_LANES), arguments);
  }

  /** The integer element of the same width: what only moves is moved as bits. */
  static Element bits(Element element) {
    return switch (element) {
      case I8, I16, I32, I64 -> element;
      case F32 -> Element.I32;
      case F64 -> Element.I64;
    };
  }

  /** Lane t of block b moves element t of region b. */
  static Kernel packKernel(Element element) {
    KernelBuilder b = new KernelBuilder("pack_" + element.name().toLowerCase(Locale.ROOT));
    b.blockSize(BLOCK_LANES);
    int source = b.buffer(SOURCE.of(element));
    int counts = b.buffer(COUNTS);
    int offsets = b.buffer(OFFSETS);
    int target = b.buffer(TARGET.of(element));
    Reg count = b.load(counts, b.block());
    Reg offset = b.load(offsets, b.block());
    b.ifThen(
        b.lt(b.thread(), count),
        () -> {
          Reg at = b.add(offset, b.convert(b.thread(), Type.I64));
          b.store(target, at, b.load(source, b.global()));
        });
    return b.build();
  }

  /** Lane i contributes bit i; lane 0 of each warp stores the word. */
  static Kernel bitmapKernel() {
    KernelBuilder b = new KernelBuilder("pack_bitmap");
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    int bytes = b.buffer(BYTES);
    int target = b.buffer(TARGET);
    Reg i = b.global();
    Reg inRange = b.lt(i, n);
    Reg set = b.variable(b.pred(false));
    b.ifThen(inRange, () -> b.set(set, b.ne(b.load(bytes, i), 0)));
    storeBallot(b, set, inRange, target);
    return b.build();
  }

  /** Stores the warp's votes as word GLOBAL/32 of a bitmap, where lane 0 is in range. */
  static void storeBallot(KernelBuilder b, Reg vote, Reg inRange, int bitmap) {
    Reg word = b.ballot(vote);
    b.ifThen(b.and(b.eq(b.lane(), 0), inRange), () -> b.store(bitmap, b.ushr(b.global(), 5), word));
  }
}
