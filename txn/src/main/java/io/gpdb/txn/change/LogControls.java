package io.gpdb.txn.change;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.ConventionalLog;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;

/**
 * The locks and tails of some conventional logs, all zero at first, in the device's memory: lanes
 * that wait for a lock ask for it again and again, which takes a way over the bus each time where
 * the lock is in the host's memory. Used by one thread; {@link #close} frees them.
 */
public final class LogControls implements AutoCloseable {
  /** Partitions of each log. */
  public static final int PARTITIONS = 8;

  private static final long BYTES =
      ConventionalLog.controlWords(PARTITIONS) * (long) HclLayout.WORD_BYTES;

  private final HeldBlocks blocks;
  private final int logs;
  private final DeviceBuffer all;
  private int given;

  /**
   * @param logs how many logs there are at most; they take nothing where there is none
   */
  public LogControls(MemoryAccount account, int logs) {
    this.logs = logs;
    blocks = new HeldBlocks(account);
    if (logs == 0) {
      all = HostBuffer.NONE;
    } else {
      all = blocks.allocate(logs * BYTES).slice(0, logs * BYTES);
      all.fill((byte) 0);
    }
  }

  /** The control block of one more log. */
  public DeviceBuffer next() {
    if (given == logs) {
      throw new IllegalStateException("more conventional logs than " + logs);
    }
    return all.slice(given++ * BYTES, BYTES);
  }

  /** All blocks that were given, one after the other, for the host to read. */
  HostBuffer onHost() {
    return all.slice(0, given * BYTES).onHost();
  }

  /** Where in {@link #onHost} the tail of a log's partition is, in words. */
  static long tailWord(int log, int partition) {
    return log * ConventionalLog.controlWords(PARTITIONS)
        + (long) partition * ConventionalLog.CONTROL_WORDS
        + 1;
  }

  @Override
  public void close() {
    blocks.close();
  }
}
