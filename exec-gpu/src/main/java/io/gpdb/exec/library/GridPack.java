package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;

/** Packs what blocks wrote to regions of their own. */
public final class GridPack {
  public GridPack(Device device) {
    KernelLibrary.unfinished();
  }

  /** Region b of source (block elements apart) holds counts[b] elements; they become dense. */
  public void values(
      Element element,
      MemorySegment source,
      MemorySegment counts,
      MemorySegment offsets,
      int blocks,
      MemorySegment target) {
    KernelLibrary.unfinished();
  }

  /** Bit i of target = bytes[i] is not 0, for i below n; whole i32 words. */
  public void bitmap(MemorySegment bytes, int n, MemorySegment target) {
    KernelLibrary.unfinished();
  }
}
