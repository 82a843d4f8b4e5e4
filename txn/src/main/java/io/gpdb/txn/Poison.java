package io.gpdb.txn;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether the medium has failed. After a failed store or sync nobody knows what is durable, so
 * nothing goes on until the database is opened anew (A5).
 */
final class Poison {
  private volatile @Nullable Throwable cause;

  void check() {
    Throwable failed = cause;
    if (failed != null) {
      throw new GpdbException(
          ErrorCode.POISONED,
          "the database must be opened anew, its medium failed: " + failed.getMessage(),
          failed);
    }
  }

  boolean isPoisoned() {
    return cause != null;
  }

  /** Why it has failed; only where it has. */
  Throwable cause() {
    return Objects.requireNonNull(cause);
  }

  void poison(Throwable failure) {
    if (cause == null) {
      cause = failure;
    }
  }

  /** Whether the failure left the medium as it was, so that the database goes on. */
  static boolean isHarmless(RuntimeException failure) {
    return failure instanceof GpdbException e
        && (e.code() == ErrorCode.DISK_FULL
            || e.code() == ErrorCode.LIMIT_EXCEEDED
            || e.code() == ErrorCode.SERIALIZATION_CONFLICT
            || e.code() == ErrorCode.OUT_OF_MEMORY);
  }
}
