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
import org.jspecify.annotations.Nullable;

/**
 * A file of byte-addressable persistent memory, mapped with {@code MAP_SYNC} (JEP 352): stores go
 * to the mapping, a flush writes cache lines back and fences. The file only lends its size.
 */
final class DaxMemory implements PersistentMemory {
  private static final long PIECE_BYTES = 64L << 20;

  private final FileMemory file;
  private final AsynchronousFileChannel channel;
  private final Arena arena = Arena.ofShared();
  private final MappedWindows windows;
  private final PersistCounters counters;
  private volatile Path path;
  private volatile @Nullable GpdbException poison;

  /** {@code mode} is READ_WRITE_SYNC; tests pass READ_WRITE where there is no such memory. */
  DaxMemory(
      Path path,
      AsynchronousFileChannel channel,
      long sizeBytes,
      PersistCounters parent,
      MapMode mode,
      @Nullable OpenFiles openFiles) {
    this.path = path;
    this.channel = channel;
    file =
        new FileMemory(
            path,
            PersistenceDomain.POWER,
            channel,
            sizeBytes,
            new PersistCounters(),
            openFiles,
            null);
    windows = new MappedWindows(arena, mode);
    counters = new PersistCounters(parent);
  }

  /** The file, which lends its size. */
  FileMemory file() {
    return file;
  }

  void renamed(Path newPath) {
    path = newPath;
    file.renamed(newPath);
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public PersistenceDomain domain() {
    return PersistenceDomain.POWER;
  }

  @Override
  public long sizeBytes() {
    return file.sizeBytes();
  }

  /** The new size is metadata of the file system and synced at once. */
  @Override
  public void grow(long newSizeBytes) {
    checkUsable();
    file.grow(newSizeBytes);
    syncSize();
  }

  private void syncSize() {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw poison("sync", e);
    }
  }

  @Override
  public void shrink(long newSizeBytes) {
    checkUsable();
    file.shrink(newSizeBytes);
    syncSize();
  }

  @Override
  public void store(long offset, MemorySegment source) {
    long bytes = source.byteSize();
    for (long done = 0; done < bytes; done += PIECE_BYTES) {
      long n = Math.min(PIECE_BYTES, bytes - done);
      MemorySegment.copy(source, done, mapped(offset + done, n), 0, n);
    }
    counters.stored(bytes);
  }

  @Override
  public boolean takesSharedStores() {
    return true;
  }

  @Override
  public @Nullable SharedStore shareStore(long offset, List<MemorySegment> pieces) {
    return ViewStore.of(this, offset, pieces);
  }

  @Override
  public void load(long offset, MemorySegment target) {
    long bytes = target.byteSize();
    for (long done = 0; done < bytes; done += PIECE_BYTES) {
      long n = Math.min(PIECE_BYTES, bytes - done);
      MemorySegment.copy(mapped(offset + done, n), 0, target, done, n);
    }
  }

  @Override
  public MemorySegment view(long offset, long bytes, boolean writable) {
    if (!writable) {
      file.requireBytes(offset + bytes);
    }
    MemorySegment view = mapped(offset, bytes);
    return writable ? view : view.asReadOnly();
  }

  @Override
  public void flush(long offset, long bytes) {
    for (long done = 0; done < bytes; done += PIECE_BYTES) {
      long n = Math.min(PIECE_BYTES, bytes - done);
      check(offset + done, n);
      try {
        windows.force(path, offset + done, n, this::sizeBytes);
      } catch (IOException e) {
        throw poison("write back", e);
      }
    }
    counters.flushed(offset, bytes);
  }

  /** Nothing to wait for: a flush fences. */
  @Override
  public void drain() {
    checkUsable();
    counters.drained();
    file.requirePresent();
  }

  @Override
  public PersistCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    if (!file.isClosed()) {
      windows.close();
      arena.close();
      file.close();
    }
  }

  private MemorySegment mapped(long offset, long bytes) {
    check(offset, bytes);
    try {
      return windows.view(path, offset, bytes, this::sizeBytes);
    } catch (IOException e) {
      throw FileFailure.of(e, "map", path);
    }
  }

  private void check(long offset, long bytes) {
    checkUsable();
    MemoryPieces.checkRange(name(), offset, bytes, sizeBytes());
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
          "memory is not usable until it is reopened, since: " + failure.getMessage(),
          failure);
    }
    if (file.isClosed()) {
      throw new GpdbException(ErrorCode.CLOSED, "memory is closed: name=" + name());
    }
  }
}
