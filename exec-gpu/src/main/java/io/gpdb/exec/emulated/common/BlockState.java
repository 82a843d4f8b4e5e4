package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.error.StopSignal;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the interpreted executor keeps while it runs a block: registers as arrays over the lanes,
 * shared arrays, and the masks of the lists that are open. Used by one thread at a time, again and
 * again: registers that hold constants are filled once.
 */
public final class BlockState {
  /** So many at once, which stay in a core's first cache. */
  private static final int ZEROS = 1024;

  private static final int[] ZEROS_I32 = new int[ZEROS];
  private static final long[] ZEROS_I64 = new long[ZEROS];
  private static final float[] ZEROS_F32 = new float[ZEROS];
  private static final double[] ZEROS_F64 = new double[ZEROS];

  /** 4-byte words a lane in the scratch arrays. */
  public static final int SCRATCH_WORDS = 16;

  public static final int TABLE_ELEMENTS = 4;

  private static final MemorySegment[] NO_BUFFERS = {};

  final Kernel kernel;
  public final int lanes;
  public final int[][] i32; // also predicates, as 0 or 1
  public final long[][] i64;
  public final float[][] f32;
  public final double[][] f64;
  public final Object[] registers; // the arrays above by register number
  public final byte[] scratchI8;
  public final short[] scratchI16;
  public final int[] scratchI32;
  public final long[] scratchI64;
  public final float[] scratchF32;
  public final double[] scratchF64;
  public final long[] indexScratch;
  public final long[] packedIndex;

  /** The buffer that a table holds for the parts of one step, or -1. */
  public int tableBuffer = -1;

  private byte @Nullable [] tableI8;
  private int @Nullable [] tableI32;
  public final Object[] shared; // int[] for elements up to 32 bits, long[], float[], double[]
  public final long[] scalarsFilled;
  public boolean scalarsKnown;
  private final LaneMask[] openMasks;
  private int openMaskCount;
  private final LaneMask[] maskSlots;

  public int block;
  public int gridSize;
  public MemorySegment[] buffers = NO_BUFFERS;
  public final long[] elements;
  public long[] scalars = new long[0];
  public BlockTraps traps = new BlockTraps();
  public @Nullable BlockPersists persists;
  public StopSignal stop = StopSignal.NONE;
  public @Nullable ExecutionCounters counters;

  /** What steps that the JIT compiler may not have compiled well took of the block. */
  public long slowNanos;

  public BlockState(Kernel kernel, int registers, int maskSlotCount) {
    this.kernel = kernel;
    this.lanes = kernel.blockSize();
    i32 = new int[registers][];
    i64 = new long[registers][];
    f32 = new float[registers][];
    f64 = new double[registers][];
    this.registers = new Object[registers];
    scratchI8 = new byte[lanes];
    scratchI16 = new short[lanes];
    scratchI32 = new int[lanes];
    scratchI64 = new long[lanes];
    scratchF32 = new float[lanes];
    scratchF64 = new double[lanes];
    indexScratch = new long[lanes];
    packedIndex = new long[lanes];
    shared = kernel.shared().stream().map(BlockState::sharedArray).toArray();
    elements = new long[kernel.buffers().size()];
    scalarsFilled = new long[kernel.scalars().size()];
    maskSlots = new LaneMask[maskSlotCount];
    for (int i = 0; i < maskSlotCount; i++) {
      maskSlots[i] = new LaneMask(lanes);
    }
    openMasks = new LaneMask[maskSlotCount];
  }

  /** Makes the array of a register, if it has none yet. */
  public void allocate(Reg register) {
    int id = register.id();
    if (registers[id] != null) {
      return;
    }
    switch (register.type()) {
      case I32, PRED -> {
        i32[id] = new int[lanes];
        registers[id] = i32[id];
      }
      case I64 -> {
        i64[id] = new long[lanes];
        registers[id] = i64[id];
      }
      case F32 -> {
        f32[id] = new float[lanes];
        registers[id] = f32[id];
      }
      case F64 -> {
        f64[id] = new double[lanes];
        registers[id] = f64[id];
      }
    }
  }

  /** For a copy of a buffer of up to {@link #TABLE_ELEMENTS} elements for each lane. */
  public byte[] tableI8() {
    if (tableI8 == null) {
      tableI8 = new byte[TABLE_ELEMENTS * lanes];
    }
    return tableI8;
  }

  /** For a copy of a buffer of up to {@link #TABLE_ELEMENTS} elements for each lane. */
  public int[] tableI32() {
    if (tableI32 == null) {
      tableI32 = new int[TABLE_ELEMENTS * lanes];
    }
    return tableI32;
  }

  /** An array over the lanes, for values of the type that are used at once. */
  public Object scratch(Type type) {
    return switch (type) {
      case I32, PRED -> scratchI32;
      case I64 -> scratchI64;
      case F32 -> scratchF32;
      case F64 -> scratchF64;
    };
  }

  public static Object sharedArray(Kernel.SharedArray array) {
    return switch (array.element()) {
      case I8, I16, I32 -> new int[array.size()];
      case I64 -> new long[array.size()];
      case F32 -> new float[array.size()];
      case F64 -> new double[array.size()];
    };
  }

  public LaneMask slot(int number) {
    return maskSlots[number];
  }

  /** Binds the buffers of the blocks that come. */
  public void bind(MemorySegment[] newBuffers) {
    stop = StopSignal.current();
    buffers = newBuffers;
    List<Kernel.BufferParam> parameters = kernel.buffers();
    for (int i = 0; i < elements.length; i++) {
      elements[i] = newBuffers[i].byteSize() / parameters.get(i).element().bytes();
    }
  }

  public void begin(int newBlock) {
    block = newBlock;
    openMaskCount = 0;
    clearShared();
  }

  /** Lets go of what the launch owns. */
  public void end() {
    buffers = NO_BUFFERS;
    persists = null;
    stop = StopSignal.NONE;
    counters = null;
  }

  private void clearShared() {
    for (Object array : shared) {
      clear(array);
    }
  }

  public static void clear(Object array) {
    switch (array) {
      case int[] a -> clear(a, a.length, ZEROS_I32);
      case long[] a -> clear(a, a.length, ZEROS_I64);
      case float[] a -> clear(a, a.length, ZEROS_F32);
      case double[] a -> clear(a, a.length, ZEROS_F64);
      default -> throw new AssertionError(array);
    }
  }

  /**
   * By copies, which the JVM's own code makes: a loop is slow until it is compiled, and each block
   * of a statement's first run has some ten thousand values to clear.
   */
  private static void clear(Object array, int length, Object zeros) {
    for (int i = 0; i < length; i += ZEROS) {
      System.arraycopy(zeros, 0, array, i, Math.min(ZEROS, length - i));
    }
  }

  public Element element(int buffer) {
    return kernel.buffers().get(buffer).element();
  }

  public boolean isTracked(int buffer) {
    return persists != null && kernel.buffers().get(buffer).space() == Kernel.Space.PERSISTENT;
  }

  public int firstGlobal() {
    return block * lanes;
  }

  // Masks and traps

  public void open(LaneMask mask) {
    openMasks[openMaskCount++] = mask;
  }

  public void closeMask() {
    openMaskCount--;
  }

  /** The lane stops: it leaves every open mask. */
  public void trap(int lane, int code, long detail) {
    traps.trap(code, detail);
    for (int i = 0; i < openMaskCount; i++) {
      openMasks[i].remove(lane);
    }
  }

  /** The active lanes whose index is outside [0, length) trap. */
  public void requireInRange(long[] index, long length, LaneMask mask) {
    if (isOutside(index, length, mask)) {
      for (int i = mask.lo; i < mask.hi; i++) {
        if (mask.on[i] != 0 && (index[i] < 0 || index[i] >= length)) {
          trap(i, Op.OUT_OF_RANGE, (long) firstGlobal() + i);
        }
      }
    }
  }

  private static boolean isOutside(long[] index, long length, LaneMask mask) {
    long outside = 0;
    int[] on = mask.on;
    for (int i = mask.lo; i < mask.hi; i++) {
      outside |= (index[i] | (length - 1 - index[i])) & on[i];
    }
    return outside < 0;
  }
}
