package io.gpdb.planner.batch;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Batches in windows: those that one grouped launch reads together, in their order. Tablets of a
 * table that is read in place share windows, most other batches have one of their own. A window
 * ends
 *
 * <ul>
 *   <li>at a number of rows, because writers of its tablets wait for its end;
 *   <li>at a number of bytes that are read where they are stored, where memory is limited: the
 *       pages of files that one launch reads come together;
 *   <li>where copies for older snapshots take more than {@link #COPIED_BYTES_MAX}, or than a share
 *       of the memory that is left;
 *   <li>before a tablet that finds no memory for its copies beside those of the window.
 * </ul>
 */
public final class BatchWindows implements AutoCloseable {
  static final long COPIED_BYTES_MAX = 16 << 20;

  /** Into how many parts the memory left is divided, to take one: launches need some, too. */
  private static final int SHARE_COPIED_MAX = 4;

  private final Batches batches;
  private final List<Batch> window = new ArrayList<>();

  /**
   * @param batches closed with this
   */
  public BatchWindows(Batches batches) {
    this.batches = batches;
  }

  /** As {@link Batches#expectAll}. */
  public void expectAll() {
    batches.expectAll();
  }

  /** As {@link Batches#leaveRows}. */
  public void leaveRows(LongFunction<HostBuffer> memory) {
    batches.leaveRows(memory);
  }

  /**
   * The batches of the next window, none at the end; those of the window before are closed.
   *
   * @param rowsMax beyond which the window takes no further batch
   */
  public List<Batch> next(long rowsMax) {
    release();
    long rows = 0;
    long copied = 0;
    long stored = 0;
    long storedMax = MemoryAccount.current().tableBytesMax();
    Batch batch = batches.next();
    while (batch != null) {
      window.add(batch);
      rows += batch.rows();
      copied += batch.copiedBytes();
      stored += batch.storedBytes();
      boolean hasRoom = rows < rowsMax && stored < storedMax && hasRoom(copied);
      batch = hasRoom ? nextThatFits() : null;
    }
    return window;
  }

  private static boolean hasRoom(long copiedBytes) {
    return copiedBytes == 0
        || (copiedBytes < COPIED_BYTES_MAX
            && copiedBytes < MemoryAccount.current().availableBytes() / SHARE_COPIED_MAX);
  }

  private @Nullable Batch nextThatFits() {
    try {
      return batches.nextTogether();
    } catch (GpdbException e) {
      if (e.code() == ErrorCode.OUT_OF_MEMORY) {
        return null;
      }
      throw e;
    }
  }

  /** Closes the batches of the window, which nobody reads any more. */
  public void release() {
    window.forEach(Batch::close);
    window.clear();
  }

  @Override
  public void close() {
    release();
    batches.close();
  }
}
