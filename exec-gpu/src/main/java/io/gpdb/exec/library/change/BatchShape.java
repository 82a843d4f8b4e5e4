package io.gpdb.exec.library.change;

import io.gpdb.exec.library.lane.LaneVariant;
import java.util.BitSet;

/**
 * Which of the variants of {@link GridApplyBatch}'s kernel.
 *
 * @param lanes how the lane programs read their inputs
 * @param columnValidity the targets whose columns have a validity bitmap
 * @param capture old values go to undo buffers
 * @param logged what the logs get
 * @param conventional the logs are {@link ConventionalLog}s; otherwise hierarchical coalesced
 * @param result what becomes of the new values
 * @param persist columns and logs are persistent memory and are durable when the launch returns
 */
record BatchShape(
    LaneVariant lanes,
    BitSet columnValidity,
    boolean capture,
    Logged logged,
    boolean conventional,
    Result result,
    boolean persist) {

  enum Logged {
    NOTHING,
    NEW_VALUE,
    OLD_VALUE
  }

  enum Result {
    NONE,
    STORED,
    ASIDE
  }

  boolean readsOld() {
    return capture || logged == Logged.OLD_VALUE;
  }

  boolean computes() {
    return result != Result.NONE || logged == Logged.NEW_VALUE;
  }

  boolean hasColumns() {
    return readsOld() || result == Result.STORED;
  }
}
