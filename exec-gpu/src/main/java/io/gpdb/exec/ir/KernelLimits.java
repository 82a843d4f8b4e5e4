package io.gpdb.exec.ir;

/** The limits of kernels; the same on every device. */
public final class KernelLimits {
  private KernelLimits() {}

  public static final int NAME_CHARACTERS_MAX = 128;

  public static final int BLOCK_LANES_MAX = 1024;

  /** A buffer takes {@link #BUFFER_PARAMETER_BYTES}, a scalar {@link #SCALAR_PARAMETER_BYTES}. */
  public static final int PARAMETER_BYTES_MAX = 1 << 20;

  /** What a device passes with a launch; kernels with more read their parameters from memory. */
  public static final int ENTRY_PARAMETER_BYTES_MAX = 4096;

  public static final int BUFFER_PARAMETER_BYTES = 16;

  public static final int SCALAR_PARAMETER_BYTES = 8;

  /** 48 KiB, less 1 KiB that block operations use. */
  public static final int SHARED_BYTES_MAX = 47 * 1024;

  public static final int REGISTERS_MAX = 65_536;

  public static final int OPERATIONS_MAX = 65_536;

  public static final int NESTING_MAX = 64;

  public static final int LOG_WORDS_MAX = 64;

  /** Lanes of a grid: GLOBAL is an i32. */
  public static final int GRID_LANES_MAX = Integer.MAX_VALUE;
}
