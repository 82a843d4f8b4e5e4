package io.gpdb.txn.protocol;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether the medium has failed. After a failed store or sync nobody knows what is durable, so
 * nothing goes on until the database is opened anew (A5).
 */
public final class Poison {
  private volatile @Nullable Throwable cause;

  public void check() {
    Throwable failed = cause;
    if (failed != null) {
      throw new GpdbException(
          codeFor(failed),
          "the database must be opened anew, its medium failed: " + failed.getMessage(),
          failed);
    }
  }

  public boolean isPoisoned() {
    return cause != null;
  }

  /** Why it has failed; only where it has. */
  public Throwable cause() {
    return Objects.requireNonNull(cause);
  }

  public void poison(Throwable failure) {
    if (cause == null) {
      cause = failure;
    }
  }

  /** Of every failure after the cause: that a file is gone is reported again, other causes once. */
  public static ErrorCode codeFor(Throwable cause) {
    return cause instanceof GpdbException e && e.code() == ErrorCode.FILE_NOT_FOUND
        ? ErrorCode.FILE_NOT_FOUND
        : ErrorCode.POISONED;
  }

  /** Whether a store, a sync or a look for a file has failed, so that nothing is known (A5). */
  public static boolean isOfMedium(GpdbException failure) {
    return failure.code() == ErrorCode.IO_ERROR
        || failure.code() == ErrorCode.FILE_NOT_FOUND
        || failure.code() == ErrorCode.POISONED;
  }

  /** Whether the failure left the medium as it was, so that the database goes on. */
  public static boolean isHarmless(RuntimeException failure) {
    return failure instanceof GpdbException e
        && (e.code() == ErrorCode.DISK_FULL
            || e.code() == ErrorCode.TOO_MANY_FILES
            || e.code() == ErrorCode.LIMIT_EXCEEDED
            || e.code() == ErrorCode.SERIALIZATION_CONFLICT
            || e.code() == ErrorCode.OUT_OF_MEMORY);
  }
}
