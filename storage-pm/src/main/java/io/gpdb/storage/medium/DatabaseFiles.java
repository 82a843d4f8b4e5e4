package io.gpdb.storage.medium;

/** Names of the files by which a directory is known to hold a database. */
public final class DatabaseFiles {
  public static final String HOME = "home.gpdb";

  /** A home image that is being made. */
  public static final String NEW_HOME = "home.gpdb.new";

  /** A home image that is being copied from another database. */
  public static final String BACKUP_HOME = "home.gpdb.backup";

  /** Of the files of a log, which nobody leaves without a home image. */
  public static final String LOG_PREFIX = "wal-";

  private DatabaseFiles() {}
}
