package io.gpdb.exec.emulated.common;

import java.lang.foreign.MemorySegment;

/** Memory that every thread may access: not that of a confined arena, whose thread owns it. */
public final class OwnerlessMemory {
  /** A thread that never runs, so what it may access has no owner. */
  public static final Thread NOBODY = new Thread(() -> {}, "gpdb-never-started");

  private OwnerlessMemory() {}

  public static boolean contains(MemorySegment segment) {
    return segment.isAccessibleBy(NOBODY);
  }

  /** What compiled code raises that meets other memory. */
  public static IllegalStateException owned(int buffer) {
    return new IllegalStateException("memory of one thread alone: buffer=" + buffer);
  }
}
