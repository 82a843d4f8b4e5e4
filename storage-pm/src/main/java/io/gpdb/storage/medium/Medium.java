package io.gpdb.storage.medium;

/** What kind of thing a database's bytes lie on. */
public enum Medium {
  VOLATILE,
  FILE,
  TMPFS,
  DAX,
  CRASHABLE
}
