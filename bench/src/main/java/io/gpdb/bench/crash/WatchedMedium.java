package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.medium.StorageDirectory;

/** What a workload runs on, and what can lose its power. */
public interface WatchedMedium extends AutoCloseable {
  /** What the database opens. */
  StorageDirectory directory();

  /** The medium on which all acts of the database are repeated; it reports every act. */
  CrashableDirectory crashable();

  /** Brings what can lose its power up to what was stored. */
  void refresh();

  @Override
  void close();

  /** A crashable medium itself. */
  static WatchedMedium of(CrashableDirectory crashable) {
    return new WatchedMedium() {
      @Override
      public StorageDirectory directory() {
        return crashable;
      }

      @Override
      public CrashableDirectory crashable() {
        return crashable;
      }

      @Override
      public void refresh() {}

      @Override
      public void close() {
        crashable.close();
      }
    };
  }
}
