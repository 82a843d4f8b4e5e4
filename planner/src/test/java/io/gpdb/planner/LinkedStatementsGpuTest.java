package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.GpuTests;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.Medium;
import io.gpdb.storage.medium.StorageDirectory;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Statements on two GPUs, where {@code -Dgpdb.cuda.linked=true} says that there are two. */
@EnabledIfSystemProperty(named = GpuTests.LINKED, matches = "true")
class LinkedStatementsGpuTest extends OtherDeviceContract {
  @Override
  protected Device open() {
    return GpuTests.openLinked();
  }

  @Override
  protected boolean storesTo(Path folder) {
    try (StorageDirectory files = FileDirectory.open(folder, true)) {
      return files.medium() != Medium.FILE;
    }
  }
}
