package io.gpdb.exec.emulated.common;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.Op;

/**
 * The smallest trap (detail, then code) seen. Used by one thread; the launch merges those of its
 * threads.
 *
 * <p>A trap is one signed 64-bit key, so that a GPU can keep the smallest by one atomic minimum:
 *
 * <pre>
 *   63            16 15          0
 *   | detail (48 bit) | code+32768 |
 * </pre>
 */
public final class BlockTraps {
  /** The key of "no trap". */
  public static final long NONE = Long.MAX_VALUE;

  private static final int CODE_BITS = 64 - Op.TRAP_DETAIL_BITS;
  private static final int CODE_BIAS = 1 << (CODE_BITS - 1);

  private long key = NONE;

  /** The key of a trap; details beyond 48 bits lose the bits above. */
  public static long key(int code, long detail) {
    return (detail << CODE_BITS) | ((code + CODE_BIAS) & ((1L << CODE_BITS) - 1));
  }

  public static int code(long key) {
    return (int) (key & ((1L << CODE_BITS) - 1)) - CODE_BIAS;
  }

  public static long detail(long key) {
    return key >> CODE_BITS;
  }

  public void trap(int code, long detail) {
    key = Math.min(key, key(code, detail));
  }

  public void merge(BlockTraps other) {
    key = Math.min(key, other.key);
  }

  public boolean isEmpty() {
    return key == NONE;
  }

  public long key() {
    return key;
  }

  public void throwIfAny(String kernel) {
    if (key != NONE) {
      throw new KernelTrap(kernel, code(key), detail(key));
    }
  }
}
