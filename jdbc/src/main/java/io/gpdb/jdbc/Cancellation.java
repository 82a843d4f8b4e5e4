package io.gpdb.jdbc;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;

/** Whether the statement that runs now is to stop; set by any thread, asked by the running one. */
final class Cancellation {
  private volatile boolean requested;
  private volatile boolean timedOut;

  void request() {
    requested = true;
  }

  void timeOut() {
    timedOut = true;
    requested = true;
  }

  void reset() {
    requested = false;
    timedOut = false;
  }

  boolean isRequested() {
    return requested;
  }

  void check() {
    if (requested) {
      throw new GpdbException(
          ErrorCode.CANCELLED,
          timedOut ? "the statement ran longer than its timeout" : "the statement was cancelled");
    }
  }
}
