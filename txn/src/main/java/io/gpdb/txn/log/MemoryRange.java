package io.gpdb.txn.log;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.memory.PersistentMemory;

/** A range of a persistent memory that a kernel has bound as a buffer. */
public record MemoryRange(PersistentMemory memory, long offset) implements PersistTarget {
  @Override
  public void flush(long from, long bytes) {
    memory.counters().stored(bytes);
    memory.flush(offset + from, bytes);
  }

  @Override
  public void drain() {
    memory.drain();
  }

  @Override
  public boolean isDrainedWith(PersistTarget other) {
    return other instanceof MemoryRange range && range.memory.equals(memory);
  }
}
