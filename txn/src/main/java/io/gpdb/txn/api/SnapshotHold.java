package io.gpdb.txn.api;

/** Keeps what a statement sees, whatever its transaction does, until it is closed. */
public interface SnapshotHold extends AutoCloseable {
  @Override
  void close();
}
