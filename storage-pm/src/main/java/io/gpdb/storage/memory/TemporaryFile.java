package io.gpdb.storage.memory;

/**
 * Bytes beyond memory that a statement needs while it runs. They are never synced, and gone with
 * {@link #close} or the process. Used by one thread at a time.
 */
public interface TemporaryFile extends AutoCloseable {
  /** Writes all of the bytes at an offset; {@code DISK_FULL} where there is no room. */
  void write(long offset, HostBuffer source);

  /** Fills all of the buffer with the bytes at an offset. */
  void read(long offset, HostBuffer target);

  @Override
  void close();
}
