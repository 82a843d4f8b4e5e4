package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;

/** Places elements by index. */
public final class GridScatter {
  public GridScatter(Device device) {
    KernelLibrary.unfinished();
  }

  /** {@code target[indexes[i]] = source[i]} for i below n; the i32 indexes are distinct. */
  public void values(
      Element element, MemorySegment source, MemorySegment indexes, int n, MemorySegment target) {
    KernelLibrary.unfinished();
  }
}
