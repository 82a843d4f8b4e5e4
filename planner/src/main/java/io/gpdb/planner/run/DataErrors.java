package io.gpdb.planner.run;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** Which errors come of the rows that an operator reads, and not where it reads others. */
public final class DataErrors {
  /** Their SQLSTATEs begin so. */
  private static final List<String> CLASSES = List.of("22", "21");

  private DataErrors() {}

  /** Whether other rows, or fewer of them, might not have raised it. */
  public static boolean isOne(GpdbException error) {
    return error.code() == ErrorCode.OUT_OF_MEMORY
        || error.code() == ErrorCode.LIMIT_EXCEEDED
        || CLASSES.stream().anyMatch(error.sqlState()::startsWith);
  }
}
