package io.gpdb.simulation.medium;

import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistentMemoryContract;
import org.junit.jupiter.api.Nested;

/** The simulated media keep the contract of all media. */
class SimulatedMediaTest {
  @Nested
  class Crashable extends PersistentMemoryContract {
    @Override
    protected StorageDirectory newDirectory() {
      return new CrashableDirectory();
    }
  }

  @Nested
  class CrashableBySectors extends PersistentMemoryContract {
    @Override
    protected StorageDirectory newDirectory() {
      return new CrashableDirectory(CrashUnit.SECTOR);
    }
  }

  @Nested
  class Faulty extends PersistentMemoryContract {
    @Override
    protected StorageDirectory newDirectory() {
      return new FaultyDirectory(new CrashableDirectory());
    }
  }
}
