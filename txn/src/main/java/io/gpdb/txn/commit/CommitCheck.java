package io.gpdb.txn.commit;

import io.gpdb.storage.error.GpdbException;
import org.jspecify.annotations.Nullable;

/** Judges a commit when its place in the log is settled and those before it are known. */
@FunctionalInterface
public interface CommitCheck {
  /** Why the commit is refused, or null. */
  @Nullable GpdbException failure();
}
