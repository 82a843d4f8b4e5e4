package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The active lanes of a list of operations in one block. {@code on[lane]} is -1 for active lanes,
 * else 0; all active lanes are in [lo, hi).
 */
public final class LaneMask {
  /** One active lane in more than so many is a sparse mask. */
  private static final int SPARSE_LANES = 64;

  public final int[] on;
  public int lo;
  public int hi;
  public int count;
  private final @Nullable LaneMask whole;

  public LaneMask(int lanes) {
    on = new int[lanes];
    whole = null;
  }

  private LaneMask(LaneMask whole, int lo, int hi) {
    this.whole = whole;
    this.on = whole.on;
    this.lo = lo;
    this.hi = hi;
    for (int i = lo; i < hi; i++) {
      count -= on[i];
    }
  }

  /** A view of lanes [from, to), to be dropped before this mask changes but by traps. */
  public LaneMask part(int from, int to) {
    return new LaneMask(this, from, to);
  }

  /** Whether it is a part of a mask. */
  public boolean isPart() {
    return whole != null;
  }

  /** The active lanes of the mask of which this is a part, or is all. */
  public int wholeCount() {
    return whole == null ? count : whole.count;
  }

  /** Whether every lane of [lo, hi) is active. */
  public boolean isContiguous() {
    return count == hi - lo;
  }

  /** Whether so many lanes of [lo, hi) are active that work for all of them costs little more. */
  public boolean isDense() {
    return count >= (hi - lo) / SPARSE_LANES;
  }

  public void setAll() {
    Arrays.fill(on, -1);
    lo = 0;
    hi = on.length;
    count = on.length;
  }

  /** The lanes of {@code parent} whose predicate (0 or 1) equals {@code wanted}. */
  public void select(LaneMask parent, int[] predicate, int wanted) {
    Arrays.fill(on, 0, parent.lo, 0);
    Arrays.fill(on, parent.hi, on.length, 0);
    count = choose(on, parent.on, predicate, wanted, parent.lo, parent.hi);
    lo = parent.lo;
    hi = parent.hi;
    tighten();
  }

  private static int choose(int[] on, int[] parent, int[] predicate, int wanted, int lo, int hi) {
    int sum = 0;
    for (int i = lo; i < hi; i++) {
      int active = parent[i] & ((predicate[i] ^ wanted) - 1);
      on[i] = active;
      sum -= active;
    }
    return sum;
  }

  public void copy(LaneMask other) {
    System.arraycopy(other.on, 0, on, 0, on.length);
    lo = other.lo;
    hi = other.hi;
    count = other.count;
  }

  public void remove(int lane) {
    count += on[lane];
    on[lane] = 0;
  }

  private void tighten() {
    if (count == 0) {
      hi = lo;
      return;
    }
    while (on[lo] == 0) {
      lo++;
    }
    while (on[hi - 1] == 0) {
      hi--;
    }
  }

  /** Warps with an active lane. */
  public int warps() {
    int warps = 0;
    for (int warp = lo >> 5; warp << 5 < hi; warp++) {
      warps += any(warp << 5) ? 1 : 0;
    }
    return warps;
  }

  /** Whether a lane of the warp that starts at {@code start} is active. */
  public boolean any(int start) {
    int any = 0;
    for (int i = start; i < start + 32; i++) {
      any |= on[i];
    }
    return any != 0;
  }

  // Results computed for [lo, hi) into a scratch array reach the active lanes only

  public void blend(Type type, Object from, Object to) {
    switch (type) {
      case I32, PRED -> blend((int[]) from, (int[]) to);
      case I64 -> blend((long[]) from, (long[]) to);
      case F32 -> blend((float[]) from, (float[]) to);
      case F64 -> blend((double[]) from, (double[]) to);
    }
  }

  public void blend(int[] from, int[] to) {
    for (int i = lo; i < hi; i++) {
      to[i] ^= (to[i] ^ from[i]) & on[i];
    }
  }

  public void blend(long[] from, long[] to) {
    for (int i = lo; i < hi; i++) {
      to[i] ^= (to[i] ^ from[i]) & on[i];
    }
  }

  public void blend(float[] from, float[] to) {
    for (int i = lo; i < hi; i++) {
      to[i] = on[i] != 0 ? from[i] : to[i];
    }
  }

  public void blend(double[] from, double[] to) {
    for (int i = lo; i < hi; i++) {
      to[i] = on[i] != 0 ? from[i] : to[i];
    }
  }
}
