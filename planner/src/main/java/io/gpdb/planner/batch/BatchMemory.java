package io.gpdb.planner.batch;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one batch, charged to the statement that the thread works for, freed by {@link
 * #close}. Contents are undefined when taken. Any thread may read and write it; taken and freed by
 * one thread at a time.
 */
public final class BatchMemory implements BufferAllocator, AutoCloseable {
  private static final long ALIGNMENT_BYTES = 256;

  /**
   * Whether batches begun from now on end with their memory, for tests; see {@link #endWithUse}.
   */
  @SuppressWarnings("NonFinalStaticField")
  private static volatile boolean endsWithUse = Boolean.getBoolean("gpdb.poison");

  private final MemoryAccount account = MemoryAccount.current();
  private final HeldBlocks blocks = new HeldBlocks(account);

  /** The batch's own memory where it ends with its use; null where it is from the pool. */
  private final @Nullable Arena own = endsWithUse ? Arena.ofShared() : null;

  private long ownBytes;

  /**
   * For tests: whether whoever reads a batch's memory after its release gets an exception. The pool
   * is then not used, which makes every batch slower. {@code -Dgpdb.poison=true} begins so.
   */
  public static void endWithUse(boolean ends) {
    endsWithUse = ends;
  }

  @Override
  public DeviceBuffer allocate(long bytes) {
    return own != null ? poisoned(own, bytes) : blocks.allocate(bytes).slice(0, bytes);
  }

  @Override
  public HostBuffer pin(long bytes) {
    return own != null ? poisoned(own, bytes) : blocks.pin(bytes).slice(0, bytes);
  }

  private HostBuffer poisoned(Arena arena, long bytes) {
    account.charge(bytes);
    ownBytes += bytes;
    return account
        .memory()
        .map(arena.allocate(Math.max(1, bytes), ALIGNMENT_BYTES))
        .slice(0, bytes);
  }

  /** A bitmap over {@code rows} rows, all clear, that the host writes. */
  public HostBuffer bitmap(long rows) {
    HostBuffer bitmap = pin(Bitmaps.bytes(rows));
    bitmap.fill((byte) 0);
    return bitmap;
  }

  @Override
  public void close() {
    if (own != null && own.scope().isAlive()) {
      own.close();
      account.discharge(ownBytes);
      ownBytes = 0;
    }
    blocks.close();
  }
}
