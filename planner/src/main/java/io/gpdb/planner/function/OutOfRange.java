package io.gpdb.planner.function;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** The error of a number that its type does not hold. */
public final class OutOfRange {
  private OutOfRange() {}

  public static GpdbException of(Object value, Object type) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, value + " is out of range for " + type);
  }
}
