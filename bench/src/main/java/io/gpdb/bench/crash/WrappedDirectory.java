package io.gpdb.bench.crash;

import io.gpdb.storage.medium.ForwardingDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

/** A directory over another one, whose acts a subclass may leave out, change or put off. */
abstract class WrappedDirectory extends ForwardingDirectory {
  private final IdentityHashMap<PersistentMemory, PersistentMemory> wrapped =
      new IdentityHashMap<>();

  WrappedDirectory(StorageDirectory inner) {
    super(inner);
  }

  void flush(PersistentMemory memory, long offset, long bytes) {
    memory.flush(offset, bytes);
  }

  void drain(PersistentMemory memory) {
    memory.drain();
  }

  void load(PersistentMemory memory, long offset, MemorySegment target) {
    memory.load(offset, target);
  }

  @Override
  public synchronized PersistentMemory open(String name, long initialSizeBytes) {
    PersistentMemory memory = inner.open(name, initialSizeBytes);
    return wrapped.computeIfAbsent(memory, Wrapped::new);
  }

  private final class Wrapped implements PersistentMemory {
    private final PersistentMemory memory;

    Wrapped(PersistentMemory memory) {
      this.memory = memory;
    }

    @Override
    public String name() {
      return memory.name();
    }

    @Override
    public PersistenceDomain domain() {
      return memory.domain();
    }

    @Override
    public long sizeBytes() {
      return memory.sizeBytes();
    }

    @Override
    public void grow(long newSizeBytes) {
      memory.grow(newSizeBytes);
    }

    @Override
    public void shrink(long newSizeBytes) {
      memory.shrink(newSizeBytes);
    }

    @Override
    public void store(long offset, MemorySegment source) {
      memory.store(offset, source);
    }

    @Override
    public void load(long offset, MemorySegment target) {
      WrappedDirectory.this.load(memory, offset, target);
    }

    @Override
    public MemorySegment view(long offset, long bytes, boolean writable) {
      return memory.view(offset, bytes, writable);
    }

    @Override
    public void flush(long offset, long bytes) {
      WrappedDirectory.this.flush(memory, offset, bytes);
    }

    @Override
    public void drain() {
      WrappedDirectory.this.drain(memory);
    }

    @Override
    public PersistCounters counters() {
      return memory.counters();
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
