package io.gpdb.storage.memory;

/** What a drained store survives. */
public enum PersistenceDomain {
  /** Nothing: the bytes go with the process. */
  NONE,
  /** The death of the process, not the loss of power. */
  PROCESS,
  /** The loss of power. */
  POWER
}
