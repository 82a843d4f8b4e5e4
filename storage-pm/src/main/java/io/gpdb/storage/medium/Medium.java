package io.gpdb.storage.medium;

/** What a database's bytes are stored on. */
public enum Medium {
  VOLATILE,
  FILE,
  TMPFS,
  DAX,
  CRASHABLE
}
