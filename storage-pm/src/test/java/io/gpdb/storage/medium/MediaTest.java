package io.gpdb.storage.medium;

import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.PersistentMemoryContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class MediaTest {
  @Nested
  class File extends PersistentMemoryContract {
    @TempDir Path dir;

    @Override
    protected StorageDirectory newDirectory() {
      return FileDirectory.open(dir.resolve("db"), true);
    }
  }

  @Nested
  class Tmpfs extends PersistentMemoryContract {
    @Override
    protected StorageDirectory newDirectory() throws Exception {
      Path shared = Path.of("/dev/shm");
      Assumptions.assumeTrue(
          Files.isWritable(shared) && Files.getFileStore(shared).type().equals("tmpfs"),
          "no tmpfs here");
      Path dir = Files.createTempDirectory(shared, "gpdb");
      StorageDirectory opened = FileDirectory.open(dir, true);
      org.assertj.core.api.Assertions.assertThat(opened.medium()).isEqualTo(Medium.TMPFS);
      org.assertj.core.api.Assertions.assertThat(opened.domain())
          .isEqualTo(PersistenceDomain.PROCESS);
      return new RemovedAtClose(opened, dir);
    }
  }

  /** The code for byte-addressable media, over an ordinary mapping. */
  @Nested
  class Dax extends PersistentMemoryContract {
    @TempDir Path dir;

    @Override
    protected StorageDirectory newDirectory() {
      return FileDirectory.open(dir.resolve("db"), true);
    }

    @Override
    protected PersistentMemory open(StorageDirectory in, String name, long bytes) throws Exception {
      return ((FileDirectory) in).openAsDax(name, bytes);
    }
  }

  @Nested
  class Volatile extends PersistentMemoryContract {
    @Override
    protected StorageDirectory newDirectory() {
      return new VolatileDirectory("test");
    }
  }
}
