package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A memory over another one that is only read: ranges that are stored to, or viewed for writing,
 * become copies of its own. A view that was returned before the copy was made does not see what is
 * stored after it.
 */
public final class PrivateMemory implements PersistentMemory {
  private final @Nullable PersistentMemory base;
  private final PersistenceDomain domain;
  private final PersistCounters counters = new PersistCounters();

  /** Of the copies; none before the first, since closing one stops every thread for a moment. */
  private @Nullable Arena arena;

  /** Copies by their offset; they do not overlap. */
  private final TreeMap<Long, MemorySegment> copies = new TreeMap<>();

  private volatile String name;
  private volatile long sizeBytes;
  private volatile boolean closed;

  public PrivateMemory(
      String name, PersistenceDomain domain, @Nullable PersistentMemory base, long sizeBytes) {
    this.name = name;
    this.domain = domain;
    this.base = base;
    this.sizeBytes = base == null ? MemoryPieces.roundUp(sizeBytes, 4096) : base.sizeBytes();
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
    return domain;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public synchronized void grow(long newSizeBytes) {
    checkOpen();
    sizeBytes = Math.max(sizeBytes, MemoryPieces.roundUp(newSizeBytes, 4096));
  }

  @Override
  public synchronized void store(long offset, MemorySegment source) {
    checkRange(offset, source.byteSize());
    if (source.byteSize() > 0) {
      copyOf(offset, source.byteSize()).copyFrom(source);
    }
  }

  @Override
  public synchronized void load(long offset, MemorySegment target) {
    checkRange(offset, target.byteSize());
    PersistentMemory below = base;
    long n = target.byteSize();
    long inBase = below == null ? 0 : Math.clamp(below.sizeBytes() - offset, 0, n);
    if (below != null && inBase > 0) {
      below.load(offset, target.asSlice(0, inBase));
    }
    target.asSlice(inBase).fill((byte) 0);
    for (Map.Entry<Long, MemorySegment> copy : overlapping(offset, n)) {
      long from = Math.max(offset, copy.getKey());
      long to = Math.min(offset + n, copy.getKey() + copy.getValue().byteSize());
      MemorySegment.copy(copy.getValue(), from - copy.getKey(), target, from - offset, to - from);
    }
  }

  @Override
  public synchronized MemorySegment view(long offset, long bytes, boolean writable) {
    checkRange(offset, bytes);
    if (writable) {
      return copyOf(offset, bytes);
    }
    PersistentMemory below = base;
    boolean untouched = overlapping(offset, bytes).isEmpty();
    return below != null && untouched && offset + bytes <= below.sizeBytes()
        ? below.view(offset, bytes, false)
        : copyOf(offset, bytes).asReadOnly();
  }

  /** Copies have no file. */
  @Override
  public void unload() {
    PersistentMemory below = base;
    if (below != null) {
      below.unload();
    }
  }

  /** The range in memory of its own, with its contents. */
  private MemorySegment copyOf(long offset, long bytes) {
    List<Map.Entry<Long, MemorySegment>> there = overlapping(offset, bytes);
    long from = offset;
    long to = offset + bytes;
    for (Map.Entry<Long, MemorySegment> copy : there) {
      from = Math.min(from, copy.getKey());
      to = Math.max(to, copy.getKey() + copy.getValue().byteSize());
    }
    if (there.size() == 1 && to - from == there.getFirst().getValue().byteSize()) {
      return there.getFirst().getValue().asSlice(offset - from, bytes);
    }
    MemorySegment joined = arena().allocate(to - from, 4096);
    load(from, joined);
    there.forEach(copy -> copies.remove(copy.getKey()));
    copies.put(from, joined);
    return joined.asSlice(offset - from, bytes);
  }

  private Arena arena() {
    Arena known = arena;
    if (known == null) {
      known = Arena.ofShared();
      arena = known;
    }
    return known;
  }

  private List<Map.Entry<Long, MemorySegment>> overlapping(long offset, long bytes) {
    List<Map.Entry<Long, MemorySegment>> found = new ArrayList<>();
    Map.Entry<Long, MemorySegment> before = copies.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue().byteSize() > offset) {
      found.add(before);
    }
    found.addAll(copies.subMap(offset, offset + bytes).entrySet());
    return found;
  }

  @Override
  public void flush(long offset, long bytes) {
    checkRange(offset, bytes);
  }

  @Override
  public void drain() {
    checkOpen();
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  /** Closes the handle; the copies stay until the directory closes. */
  @Override
  public void close() {
    closed = true;
  }

  public void reopened() {
    closed = false;
  }

  public synchronized void destroy() {
    closed = true;
    copies.clear();
    Arena ofCopies = arena;
    if (ofCopies != null) {
      ofCopies.close();
      arena = null;
    }
    PersistentMemory below = base;
    if (below != null) {
      below.close();
    }
  }

  private void checkRange(long offset, long bytes) {
    checkOpen();
    MemoryPieces.checkRange(name, offset, bytes, sizeBytes);
  }

  private void checkOpen() {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "memory is closed: name=" + name);
    }
  }
}
