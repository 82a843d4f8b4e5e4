package io.gpdb.exec.cuda;

import java.lang.foreign.MemorySegment;

/**
 * Mapped memory that does not change, and its copy on the GPU while there is one. Its state is
 * guarded by {@link ReadCopies}.
 */
final class ReadCopy {
  private final MemorySegment source;

  /** Where the copy is; 0 where there is none. */
  long address;

  /** Launches that read the copy and have not ended. */
  int readers;

  /** When it was asked for last, in the number of requests. */
  long askedAt;

  /** The memory is not mapped any more: no copy is made. */
  boolean isGone;

  ReadCopy(MemorySegment source) {
    this.source = source;
  }

  MemorySegment source() {
    return source;
  }
}
