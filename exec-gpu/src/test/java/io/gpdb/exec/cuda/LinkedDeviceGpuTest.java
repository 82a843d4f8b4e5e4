package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** On two GPUs, where {@code -Dgpdb.cuda.linked=true} says that there are two. */
@EnabledIfSystemProperty(named = GpuTests.LINKED, matches = "true")
class LinkedDeviceGpuTest extends DeviceContract {
  @Override
  protected Device open() {
    return GpuTests.openLinked();
  }

  @Override
  protected boolean knowsStoredLines() {
    return false;
  }
}
