package io.gpdb.txn.api;

/** Who makes the next file of the log while there is room in the last one. */
public enum LogFilesAhead {
  /** A thread of its own; files that are shorter than 1 MiB are not made ahead. */
  IN_BACKGROUND,
  /** The thread that writes the log: what is done follows from what is committed. */
  AT_ONCE
}
