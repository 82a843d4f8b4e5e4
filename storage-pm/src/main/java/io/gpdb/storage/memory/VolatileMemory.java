package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;

/** Bytes that live as long as the process; persisting them costs nothing and has no effect. */
public final class VolatileMemory implements PersistentMemory {
  private volatile String name;
  private final MemoryPieces pieces;
  private final PersistCounters counters;
  private volatile boolean closed;

  public VolatileMemory(String name, long initialSizeBytes, PersistCounters parent) {
    this.name = name;
    pieces = new MemoryPieces(name, initialSizeBytes);
    counters = new PersistCounters(parent);
  }

  public void renamed(String newName) {
    name = newName;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public PersistenceDomain domain() {
    return PersistenceDomain.NONE;
  }

  @Override
  public long sizeBytes() {
    return pieces.sizeBytes();
  }

  @Override
  public void grow(long newSizeBytes) {
    checkOpen();
    pieces.growTo(newSizeBytes);
  }

  @Override
  public void store(long offset, MemorySegment source) {
    checkOpen();
    pieces.store(offset, source);
    counters.stored(source.byteSize());
  }

  @Override
  public void load(long offset, MemorySegment target) {
    checkOpen();
    pieces.load(offset, target);
  }

  @Override
  public MemorySegment view(long offset, long bytes, boolean writable) {
    checkOpen();
    MemorySegment view = pieces.view(offset, bytes);
    return writable ? view : view.asReadOnly();
  }

  @Override
  public void flush(long offset, long bytes) {
    checkOpen();
    pieces.check(offset, bytes);
    counters.flushed(offset, bytes);
  }

  @Override
  public void drain() {
    checkOpen();
    counters.drained();
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  /** Closes the handle; the bytes stay until the directory closes. */
  @Override
  public void close() {
    closed = true;
  }

  public void reopened() {
    closed = false;
  }

  public void destroy() {
    closed = true;
    pieces.close();
  }

  private void checkOpen() {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "memory is closed: name=" + name);
    }
  }
}
