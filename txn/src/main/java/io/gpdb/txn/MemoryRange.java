package io.gpdb.txn;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.PersistentMemory;
import java.lang.foreign.MemorySegment;

/** A range of a persistent memory that a kernel has bound as a buffer. */
record MemoryRange(PersistentMemory memory, long offset) implements PersistTarget {
  @Override
  public void flush(long from, long bytes) {
    memory.counters().stored(bytes);
    memory.flush(offset + from, bytes);
  }

  @Override
  public void drain() {
    memory.drain();
  }

  /** Makes all of the bound segment durable. */
  void persistAll(MemorySegment bound) {
    flush(0, bound.byteSize());
    drain();
  }
}
