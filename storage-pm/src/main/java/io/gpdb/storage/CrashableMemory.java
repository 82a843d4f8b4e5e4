package io.gpdb.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A memory that keeps what is stored apart from what is durable, at lines of 64 bytes.
 *
 * <p>For each line that is not durable it holds the versions that stores gave it, oldest first; any
 * of them, word by word, may be on the medium after a crash. A flush marks the newest version; a
 * drain makes marked versions durable and forgets what came before.
 */
final class CrashableMemory implements PersistentMemory {
  static final int LINE_BYTES = PersistCounters.LINE_BYTES;
  private static final int WORD_BYTES = 8;
  private static final int PAGE_LINES = 64;

  private final CrashableDirectory directory;
  private final MemoryPieces working;
  private final MemoryPieces durable;
  private final TreeMap<Long, ArrayDeque<byte[]>> pending = new TreeMap<>();
  private final Map<Long, byte[]> flushed = new HashMap<>();
  private final List<Writable> writableViews = new ArrayList<>();
  private final PersistCounters counters;
  private volatile String name;
  private volatile boolean closed;
  private long durableSizeBytes;

  private record Writable(long offset, long bytes) {}

  CrashableMemory(CrashableDirectory directory, String name, long initialSizeBytes) {
    this(
        directory,
        name,
        new MemoryPieces(name, initialSizeBytes),
        new MemoryPieces(name, initialSizeBytes));
    durableSizeBytes = 0;
  }

  private CrashableMemory(
      CrashableDirectory directory, String name, MemoryPieces working, MemoryPieces durable) {
    this.directory = directory;
    this.name = name;
    this.working = working;
    this.durable = durable;
    durableSizeBytes = durable.sizeBytes();
    counters = new PersistCounters(directory.counters());
  }

  /** What a crash could leave, as a durable memory of another directory. */
  synchronized CrashableMemory crash(CrashableDirectory target, CrashChoice choice) {
    captureViews();
    boolean keepSize = durableSizeBytes == working.sizeBytes() || choice.survivor(name, -1, 2) == 1;
    long size = keepSize ? working.sizeBytes() : durableSizeBytes;
    MemoryPieces left = durable.copy(size);
    for (long line : new TreeSet<>(pending.keySet())) {
      if (line * LINE_BYTES < size) {
        leaveLine(left, line, choice);
      }
    }
    return new CrashableMemory(target, name, left.copy(size), left);
  }

  private void leaveLine(MemoryPieces left, long line, CrashChoice choice) {
    List<byte[]> versions = new ArrayList<>();
    versions.add(line(durable, line));
    versions.addAll(pending.getOrDefault(line, new ArrayDeque<>()));
    byte[] survivors = new byte[LINE_BYTES];
    for (int at = 0; at < LINE_BYTES; at += WORD_BYTES) {
      int chosen = choice.survivor(name, line * LINE_BYTES + at, versions.size());
      System.arraycopy(versions.get(chosen), at, survivors, at, WORD_BYTES);
    }
    left.store(line * LINE_BYTES, MemorySegment.ofArray(survivors));
  }

  void renamed(String newName) {
    name = newName;
  }

  @Override
  public String name() {
    return name;
  }

  /** As a machine with a battery behind its media would declare it: the model is of power loss. */
  @Override
  public PersistenceDomain domain() {
    return PersistenceDomain.POWER;
  }

  @Override
  public long sizeBytes() {
    return working.sizeBytes();
  }

  @Override
  public void grow(long newSizeBytes) {
    checkOpen();
    directory.before(PersistListener.Act.GROW, name, working.sizeBytes(), newSizeBytes);
    synchronized (this) {
      working.growTo(newSizeBytes);
      durable.growTo(newSizeBytes);
    }
  }

  @Override
  public void store(long offset, MemorySegment source) {
    checkOpen();
    working.check(offset, source.byteSize());
    directory.before(PersistListener.Act.STORE, name, offset, source.byteSize());
    synchronized (this) {
      working.store(offset, source);
      captureRange(offset, source.byteSize());
    }
    counters.stored(source.byteSize());
  }

  @Override
  public void load(long offset, MemorySegment target) {
    checkOpen();
    working.load(offset, target);
  }

  @Override
  public synchronized MemorySegment view(long offset, long bytes, boolean writable) {
    checkOpen();
    MemorySegment view = working.view(offset, bytes);
    if (!writable) {
      return view.asReadOnly();
    }
    Writable range = new Writable(offset, bytes);
    if (!writableViews.contains(range)) {
      writableViews.add(range);
    }
    return view;
  }

  @Override
  public void flush(long offset, long bytes) {
    checkOpen();
    working.check(offset, bytes);
    directory.before(PersistListener.Act.FLUSH, name, offset, bytes);
    synchronized (this) {
      captureRange(offset, bytes);
      for (long line = offset / LINE_BYTES; line * LINE_BYTES < offset + bytes; line++) {
        ArrayDeque<byte[]> versions = pending.get(line);
        if (versions != null) {
          flushed.put(line, versions.getLast());
        }
      }
    }
    counters.flushed(offset, bytes);
  }

  @Override
  public void drain() {
    checkOpen();
    directory.before(PersistListener.Act.DRAIN, name, 0, 0);
    synchronized (this) {
      captureViews();
      flushed.forEach(this::makeDurable);
      flushed.clear();
      durableSizeBytes = working.sizeBytes();
    }
    counters.drained();
  }

  @SuppressWarnings("ReferenceEquality") // versions are the very arrays that were captured
  private void makeDurable(long line, byte[] version) {
    durable.store(line * LINE_BYTES, MemorySegment.ofArray(version));
    ArrayDeque<byte[]> versions = pending.get(line);
    if (versions != null) {
      while (!versions.isEmpty() && versions.peekFirst() != version) {
        versions.removeFirst();
      }
      versions.pollFirst();
      if (versions.isEmpty()) {
        pending.remove(line);
      }
    }
  }

  /** Notes versions that were written through views since. */
  private void captureViews() {
    for (Writable view : writableViews) {
      captureRange(view.offset, view.bytes);
    }
  }

  private void captureRange(long offset, long bytes) {
    if (bytes == 0) {
      return;
    }
    long first = offset / LINE_BYTES;
    long last = (offset + bytes - 1) / LINE_BYTES;
    for (long line = first; line <= last; ) {
      long next = Math.min(last + 1, (line / PAGE_LINES + 1) * PAGE_LINES);
      if (!isUntouched(line, next)) {
        for (long l = line; l < next; l++) {
          captureLine(l);
        }
      }
      line = next;
    }
  }

  /** Whether the lines, of one page, are as durable and no version of them is pending. */
  private boolean isUntouched(long first, long end) {
    Long changed = pending.ceilingKey(first);
    long bytes = (end - first) * LINE_BYTES;
    return (changed == null || changed >= end)
        && first * LINE_BYTES + bytes <= Math.min(working.sizeBytes(), durable.sizeBytes())
        && working.view(first * LINE_BYTES, bytes).mismatch(durable.view(first * LINE_BYTES, bytes))
            < 0;
  }

  private void captureLine(long line) {
    byte[] now = line(working, line);
    ArrayDeque<byte[]> versions = pending.get(line);
    byte[] newest = versions == null ? line(durable, line) : versions.getLast();
    if (!java.util.Arrays.equals(now, newest)) {
      pending.computeIfAbsent(line, l -> new ArrayDeque<>()).addLast(now);
    }
  }

  private static byte[] line(MemoryPieces pieces, long line) {
    byte[] bytes = new byte[LINE_BYTES];
    pieces.load(line * LINE_BYTES, MemorySegment.ofArray(bytes));
    return bytes;
  }

  /** Flips one bit of what is durable and stored, as a failing medium does. */
  synchronized void flipBit(long offset, int bit) {
    for (MemoryPieces pieces : List.of(working, durable)) {
      MemorySegment at = pieces.view(offset, 1);
      byte old = at.get(ValueLayout.JAVA_BYTE, 0);
      at.set(ValueLayout.JAVA_BYTE, 0, (byte) (old ^ 1 << bit));
    }
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

  void reopened() {
    closed = false;
  }

  void destroy() {
    closed = true;
    working.close();
    durable.close();
  }

  private void checkOpen() {
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "memory is closed: name=" + name);
    }
  }
}
