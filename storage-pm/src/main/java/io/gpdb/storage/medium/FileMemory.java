package io.gpdb.storage.medium;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryPieces;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.SharedStore;
import io.gpdb.storage.memory.ViewStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file. Stores are writes of the file; a drain is one sync of its data, which on Linux takes in
 * what was written through shared mappings. Syncs of several threads overlap, and drains that wait
 * for one another share one.
 */
final class FileMemory implements PersistentMemory {
  private static final int ZERO_BYTES = 1 << 20;

  /** What files grow by; of the process. */
  private static final class Zeros {
    static final MemorySegment BLOCK = Arena.global().allocate(ZERO_BYTES, 4096).asReadOnly();
  }

  private volatile Path path;
  private volatile String name;
  private final PersistenceDomain domain;
  private final AsynchronousFileChannel channel;
  private final PersistCounters counters;
  private final Arena arena = Arena.ofShared();
  private final MappedWindows readable = new MappedWindows(arena, MapMode.READ_ONLY);
  private final MappedWindows writable = new MappedWindows(arena, MapMode.READ_WRITE);
  private final AtomicLong flushes = new AtomicLong();
  private final Object growLock = new Object();
  private final FileGathering gathering;
  private final SyncChannels syncs;
  private final @Nullable OpenFiles openFiles;
  private final DirectChannel.@Nullable Buffers directBuffers;

  // Guarded by growLock.
  private @Nullable DirectChannel direct;
  private boolean directTried;

  private volatile @Nullable DirectTail tail;

  private volatile long sizeBytes;
  private volatile boolean closed;
  private volatile @Nullable GpdbException poison;

  /**
   * @param directBuffers for writes past the system's cache; null when there are to be none
   */
  FileMemory(
      Path path,
      PersistenceDomain domain,
      AsynchronousFileChannel channel,
      long sizeBytes,
      PersistCounters parent,
      @Nullable OpenFiles openFiles,
      DirectChannel.@Nullable Buffers directBuffers) {
    this.path = path;
    this.openFiles = openFiles;
    this.directBuffers = directBuffers;
    this.name = nameOf(path);
    this.domain = domain;
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    syncs = new SyncChannels(channel);
    gathering = new FileGathering(channel, arena);
    counters = new PersistCounters(parent);
  }

  void renamed(Path newPath) {
    path = newPath;
    name = nameOf(newPath);
  }

  private static String nameOf(Path path) {
    return path.getFileName().toString();
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

  /**
   * Writes zeros, or in memory has the system give pages: a hole would meet the full disk only when
   * a mapping is written.
   */
  @Override
  public void grow(long newSizeBytes) {
    checkUsable();
    synchronized (growLock) {
      long rounded = MemoryPieces.roundUp(newSizeBytes, MemoryPieces.SIZE_UNIT_BYTES);
      long from = sizeBytes;
      if (rounded <= from) {
        return;
      }
      boolean isInMemory = domain == PersistenceDomain.PROCESS;
      if (!isInMemory || !PageReservation.extend(path, from, rounded)) {
        writeZeros(from, rounded);
      }
      sizeBytes = rounded;
      flushes.incrementAndGet();
    }
  }

  private void writeZeros(long from, long to) {
    MemorySegment zeros = Zeros.BLOCK.asSlice(0, Math.min(ZERO_BYTES, to - from));
    try {
      for (long at = from; at < to; at += zeros.byteSize()) {
        long n = Math.min(zeros.byteSize(), to - at);
        FileChannels.write(channel, at, zeros.asSlice(0, n));
      }
    } catch (IOException e) {
      throw growFailed(e, from, to);
    }
  }

  /** Windows are kept: their bytes behind the end come back when the file has grown again. */
  @Override
  public void shrink(long newSizeBytes) {
    checkUsable();
    synchronized (growLock) {
      long rounded = MemoryPieces.roundUp(newSizeBytes, MemoryPieces.SIZE_UNIT_BYTES);
      if (rounded >= sizeBytes) {
        return;
      }
      sizeBytes = rounded;
      forgetTail();
      readable.settle();
      writable.settle();
      try {
        channel.truncate(rounded);
      } catch (IOException e) {
        throw poison("shrink", e);
      }
      flushes.incrementAndGet();
    }
  }

  private GpdbException growFailed(IOException e, long from, long to) {
    boolean diskFull = FileFailure.isDiskFull(e, path);
    try {
      channel.truncate(from);
    } catch (IOException truncating) {
      e.addSuppressed(truncating);
      return poison("shrink back after a failed growth", e);
    }
    if (!diskFull) {
      return poison("grow", e);
    }
    return new GpdbException(
        ErrorCode.DISK_FULL,
        "%s: file=%s, sizeBytes=%d, wantedBytes=%d"
            .formatted(FileFailure.whyFull(e), path, from, to),
        e);
  }

  @Override
  public void store(long offset, MemorySegment source) {
    checkUsable();
    MemoryPieces.checkRange(name(), offset, source.byteSize(), sizeBytes);
    forgetTail();
    try {
      FileChannels.write(channel, offset, source);
    } catch (IOException e) {
      throw poison("write", e);
    }
    counters.stored(source.byteSize());
  }

  @Override
  public void store(long offset, List<MemorySegment> pieces) {
    checkUsable();
    long bytes = bytes(pieces);
    MemoryPieces.checkRange(name(), offset, bytes, sizeBytes);
    forgetTail();
    try {
      gathering.write(offset, pieces);
    } catch (IOException e) {
      throw poison("write", e);
    }
    counters.stored(bytes);
  }

  private void forgetTail() {
    DirectTail known = tail;
    if (known != null) {
      known.forget();
    }
  }

  @Override
  public void append(long offset, List<MemorySegment> pieces) {
    checkUsable();
    long bytes = bytes(pieces);
    MemoryPieces.checkRange(name(), offset, bytes, sizeBytes);
    DirectTail direct = tail();
    try {
      if (direct != null && direct.append(offset, pieces, bytes, this::load)) {
        counters.stored(bytes);
        return;
      }
    } catch (IOException e) {
      throw poison("write", e);
    }
    store(offset, pieces);
  }

  private @Nullable DirectTail tail() {
    DirectTail known = tail;
    if (known == null) {
      DirectChannel channel = direct();
      if (channel != null) {
        known = new DirectTail(channel, arena);
        tail = known;
      }
    }
    return known;
  }

  private static long bytes(List<MemorySegment> pieces) {
    long bytes = 0;
    for (MemorySegment piece : pieces) {
      bytes += piece.byteSize();
    }
    return bytes;
  }

  /** In memory a write is a copy by one thread, and through the cache of a disk's file, too. */
  @Override
  public boolean takesSharedStores() {
    return domain == PersistenceDomain.PROCESS || directBuffers != null;
  }

  @Override
  public @Nullable SharedStore shareStore(long offset, List<MemorySegment> pieces) {
    checkUsable();
    if (domain == PersistenceDomain.PROCESS) {
      return ViewStore.of(this, offset, pieces);
    }
    forgetTail();
    DirectChannel channel = direct();
    if (channel == null) {
      return null;
    }
    MemoryPieces.checkRange(name(), offset, bytes(pieces), sizeBytes);
    return new DirectStore(this, channel, offset, pieces);
  }

  /** Opened when it is first asked for; null where there is none, which stays so. */
  private @Nullable DirectChannel direct() {
    DirectChannel.Buffers buffers = directBuffers;
    synchronized (growLock) {
      if (buffers != null && !directTried) {
        directTried = true;
        direct = DirectChannel.open(path, buffers);
      }
      return direct;
    }
  }

  /** Writes whole blocks; returns how many bytes were taken. */
  long writeDirect(DirectChannel channel, long offset, MemorySegment blocks) {
    checkUsable();
    try {
      return channel.write(offset, blocks);
    } catch (IOException e) {
      throw poison("write", e);
    }
  }

  @Override
  public void load(long offset, MemorySegment target) {
    checkUsable();
    MemoryPieces.checkRange(name(), offset, target.byteSize(), sizeBytes);
    try {
      FileChannels.read(channel, offset, target);
    } catch (IOException e) {
      throw FileFailure.of(e, "read", path);
    }
  }

  @Override
  public MemorySegment view(long offset, long bytes, boolean forWriting) {
    checkUsable();
    MemoryPieces.checkRange(name(), offset, bytes, sizeBytes);
    if (!forWriting) {
      requireBytes(offset + bytes);
    }
    try {
      MappedWindows windows = forWriting ? writable : readable;
      return windows.view(path, offset, bytes, this::sizeBytes);
    } catch (IOException e) {
      throw FileFailure.of(e, "map", path);
    }
  }

  /**
   * That nobody has cut the file: where a page of a mapping is not there, the JVM raises an error
   * for its own accesses, but a checksum's machine code ends the process.
   */
  void requireBytes(long end) {
    long there;
    try {
      there = channel.size();
    } catch (IOException e) {
      throw FileFailure.of(e, "map", path);
    }
    if (there < end) {
      throw new GpdbException(
          ErrorCode.IO_ERROR,
          "cannot map: the file was cut: bytes=%d, needed=%d: %s".formatted(there, end, path));
    }
  }

  @Override
  public void unload() {
    readable.unload();
  }

  @Override
  public void flush(long offset, long bytes) {
    checkUsable();
    MemoryPieces.checkRange(name(), offset, bytes, sizeBytes);
    counters.flushed(offset, bytes);
    flushes.incrementAndGet();
  }

  @Override
  public void drain() {
    checkUsable();
    counters.drained();
    try {
      syncs.sync(path, flushes.get(), flushes::get, e -> poison("sync", e));
    } catch (IOException e) {
      throw FileFailure.of(e, "sync", path);
    }
    requirePresent();
    checkUsable(); // what fails another's sync may have been meant for this one (A5)
  }

  /** A file that was deleted keeps nothing. */
  void requirePresent() {
    OpenFiles files = openFiles;
    if (files != null) {
      try {
        files.require(this);
      } catch (GpdbException e) {
        poison = e;
        throw e;
      }
    }
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    OpenFiles files = openFiles;
    if (files != null) {
      files.remove(this);
    }
    readable.close();
    writable.close();
    arena.close();
    try {
      syncs.close();
      closeDirect();
      channel.close();
    } catch (IOException e) {
      throw FileFailure.of(e, "close", path);
    }
  }

  private void closeDirect() throws IOException {
    synchronized (growLock) {
      directTried = true;
      if (direct != null) {
        direct.close();
      }
    }
  }

  boolean isClosed() {
    return closed;
  }

  private GpdbException poison(String doing, IOException e) {
    GpdbException failure = FileFailure.of(e, doing, path);
    poison = failure;
    return failure;
  }

  private void checkUsable() {
    GpdbException failure = poison;
    if (failure != null) {
      throw new GpdbException(
          ErrorCode.POISONED,
          "file is not usable until it is reopened, since: " + failure.getMessage(),
          failure);
    }
    if (closed) {
      throw new GpdbException(ErrorCode.CLOSED, "memory is closed: name=" + name());
    }
  }
}
