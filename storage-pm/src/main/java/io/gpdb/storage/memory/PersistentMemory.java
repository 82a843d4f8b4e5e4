package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One growable, named range of bytes with a declared persistence domain.
 *
 * <p>A store is visible to every later load and view at once and durable when a {@link #drain}
 * returns that follows a {@link #flush} of its range. After a store, flush or drain that failed the
 * memory is poisoned: every later call but {@link #close} throws {@code POISONED}.
 */
public interface PersistentMemory extends AutoCloseable {
  String name();

  PersistenceDomain domain();

  long sizeBytes();

  /**
   * Makes the memory at least {@code newSizeBytes} long. The new bytes read as zero and are really
   * allocated: a full disk shows here, as {@code DISK_FULL} with nothing changed, and never later.
   */
  void grow(long newSizeBytes);

  /**
   * Gives the bytes from {@code newSizeBytes} on back to the system, where the medium can: {@link
   * #sizeBytes} then returns the new size. Nobody may look at them any more. A crash finds the old
   * size or the new one, until a {@link #drain} has followed.
   */
  default void shrink(long newSizeBytes) {}

  /** Copies all of {@code source} in; not durable yet. */
  void store(long offset, MemorySegment source);

  /**
   * Copies all of the pieces in, one behind the other; not durable yet. A file is written with few
   * calls, other media take each piece from where it is.
   */
  default void store(long offset, List<MemorySegment> pieces) {
    long at = offset;
    for (MemorySegment piece : pieces) {
      store(at, piece);
      at += piece.byteSize();
    }
  }

  /**
   * As {@link #store(long, List)}, at the end of what the memory holds: what is behind the pieces,
   * up to the next multiple of 4096, may read as zero afterwards. No other thread stores meanwhile.
   * A disk is written at once, so that the drain has less to do.
   */
  default void append(long offset, List<MemorySegment> pieces) {
    store(offset, pieces);
  }

  /** Whether many bytes are best stored by several threads together. */
  default boolean takesSharedStores() {
    return false;
  }

  /**
   * Begins a store of the pieces, one behind the other, of which several threads each store a part;
   * null where one thread is to call {@link #store(long, List)}.
   */
  default @Nullable SharedStore shareStore(long offset, List<MemorySegment> pieces) {
    return null;
  }

  /** Fills all of {@code target}. */
  void load(long offset, MemorySegment target);

  /**
   * The range itself, shared with every other view, store and load; valid until {@link #close}.
   * Media in the machine's memory serve ranges inside the initial size or inside one aligned MiB.
   */
  MemorySegment view(long offset, long bytes, boolean writable);

  /**
   * Gives up the process's pages of what was viewed for reading, where they are a file's: whoever
   * reads them meanwhile or later finds them in the file again.
   */
  default void unload() {}

  /** Has the range, as it is now, become durable with the next {@link #drain}. */
  void flush(long offset, long bytes);

  /** Returns when everything that was stored and flushed before is durable (A2). */
  void drain();

  default void persist(long offset, long bytes) {
    flush(offset, bytes);
    drain();
  }

  PersistCounters counters();

  @Override
  void close();
}
