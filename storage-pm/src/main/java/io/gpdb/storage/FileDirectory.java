package io.gpdb.storage;

import java.nio.file.Path;

/** A directory of a file system, owned by one process while it is open. */
@SuppressWarnings("DoNotCallSuggester")
public final class FileDirectory {
  private FileDirectory() {}

  /** Opens or, where {@code create}, makes the database directory and takes its owner lock. */
  public static StorageDirectory open(Path dir, boolean create) {
    throw Skeleton.absent();
  }
}
