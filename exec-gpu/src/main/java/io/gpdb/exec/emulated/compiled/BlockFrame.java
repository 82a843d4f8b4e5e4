package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.emulated.interpreted.MemorySteps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.error.StopSignal;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What compiled code keeps while it runs a block. Registers that several steps use are kept in
 * arrays over the lanes; scalar registers in {@link #uniform}. Used by one thread at a time.
 */
final class BlockFrame {
  /** One in 64 turns asks whether the statement is to end: a turn of all lanes takes some µs. */
  private static final int TURNS_UNPOLLED = 63;

  private static final MemorySegment[] NO_BUFFERS = {};

  final Kernel kernel;
  final int lanes;
  final int[][] i32; // also predicates, as 0 or 1
  final long[][] i64;
  final float[][] f32;
  final double[][] f64;
  final long[] uniform; // raw bits by register number
  final long[] totals; // of the open region's reductions and ranks
  final Object[] shared; // int[] for elements up to 32 bits, long[], float[], double[]
  final Object[] packed; // what a compacting region keeps before it copies it to a buffer
  final LaneMask[] masks;
  final int[] scratchI32;
  final long[] scratchI64;
  final float[] scratchF32;
  final double[] scratchF64;
  private final LaneMask[] openMasks;
  private int openMaskCount;

  int block;
  int gridSize;
  int firstGlobal;
  MemorySegment[] buffers = NO_BUFFERS;
  final long[] elements;
  long[] scalars = new long[0];
  BlockTraps traps = new BlockTraps();
  @Nullable BlockPersists persists;
  StopSignal stop = StopSignal.NONE;

  private int turns;

  /** Whether a lane that was looked at would trap: not 0. */
  int wouldTrap;

  /** The active lanes of the list that is run. */
  LaneMask mask;

  BlockFrame(Kernel kernel, int registers, int totalsMax, int maskCount, Object[] packed) {
    this.kernel = kernel;
    this.lanes = kernel.blockSize();
    this.packed = packed;
    i32 = new int[registers][];
    i64 = new long[registers][];
    f32 = new float[registers][];
    f64 = new double[registers][];
    uniform = new long[registers];
    totals = new long[totalsMax];
    shared = kernel.shared().stream().map(BlockState::sharedArray).toArray();
    elements = new long[kernel.buffers().size()];
    scratchI32 = new int[lanes];
    scratchI64 = new long[lanes];
    scratchF32 = new float[lanes];
    scratchF64 = new double[lanes];
    masks = new LaneMask[maskCount];
    for (int i = 0; i < maskCount; i++) {
      masks[i] = new LaneMask(lanes);
    }
    masks[0].setAll();
    openMasks = new LaneMask[maskCount];
    mask = masks[0];
  }

  /** Binds the buffers of the blocks that come. */
  void bind(MemorySegment[] newBuffers) {
    stop = StopSignal.current();
    buffers = newBuffers;
    List<Kernel.BufferParam> parameters = kernel.buffers();
    for (int i = 0; i < elements.length; i++) {
      elements[i] = newBuffers[i].byteSize() / parameters.get(i).element().bytes();
    }
  }

  void begin(int newBlock) {
    block = newBlock;
    firstGlobal = newBlock * lanes;
    openMaskCount = 0;
    mask = masks[0];
    if (mask.count < lanes) {
      mask.setAll();
    }
    open(mask);
    for (Object array : shared) {
      BlockState.clear(array);
    }
  }

  /** Lets go of what the launch owns. */
  void end() {
    buffers = NO_BUFFERS;
    persists = null;
    stop = StopSignal.NONE;
  }

  void open(LaneMask opened) {
    openMasks[openMaskCount++] = opened;
  }

  void closeMask() {
    openMaskCount--;
  }

  // Called by generated code

  /** The lane stops: it leaves every open mask. */
  void trap(int lane, int code, long detail) {
    traps.trap(code, detail);
    for (int i = 0; i < openMaskCount; i++) {
      openMasks[i].remove(lane);
    }
  }

  void trapRow(int lane, int code) {
    trap(lane, code, (long) firstGlobal + lane);
  }

  /** Every active lane stops at an operation on scalars. */
  void trapAll(int code) {
    for (int lane = 0; lane < lanes; lane++) {
      if (mask.on[lane] != 0) {
        traps.trap(code, (long) firstGlobal + lane);
        break;
      }
    }
    Arrays.fill(mask.on, 0);
    mask.count = 0;
  }

  /** A lane begins another turn of a loop, or all lanes do. */
  void turn() {
    if ((++turns & TURNS_UNPOLLED) == 0) {
      stop.check();
    }
  }

  void stored(int buffer, long index, int bytes) {
    if (persists != null) {
      persists.stored(buffer, index * bytes, bytes);
    }
  }

  /** The element of a log entry's word 0, or -1. */
  long logWord(long base, int entry, int words, int buffer) {
    return MemorySteps.firstWord(base, entry, words, elements[buffer]);
  }

  /** The lane whose value is that of all where a predicate is uniform; -1 when none is active. */
  static int firstActive(LaneMask mask) {
    for (int lane = mask.lo; lane < mask.hi; lane++) {
      if (mask.on[lane] != 0) {
        return lane;
      }
    }
    return -1;
  }
}
