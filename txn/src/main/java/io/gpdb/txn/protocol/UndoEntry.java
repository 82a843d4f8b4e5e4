package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** One record of the undo log, by its place. */
public record UndoEntry(long offset, MemorySegment header, UndoMark mark) {
  long transactionId() {
    return header.get(JAVA_LONG, UndoLayout.TRANSACTION_AT);
  }

  int n() {
    return header.get(JAVA_INT, UndoLayout.N_AT);
  }

  int regionBytes() {
    return header.get(JAVA_INT, UndoLayout.REGION_BYTES_AT);
  }

  private int version() {
    return header.get(JAVA_INT, UndoLayout.VERSION_AT);
  }

  boolean isOld() {
    return version() == UndoLayout.VERSION_WITHOUT_ENDING;
  }

  /** The last record that was durable before this one was written, by its place, or 0. */
  long durableBefore() {
    boolean alone = version() == UndoLayout.VERSION_ONE_BY_ONE;
    return header.get(JAVA_LONG, alone ? UndoLayout.PREVIOUS_AT : UndoLayout.DURABLE_BEFORE_AT);
  }
}
