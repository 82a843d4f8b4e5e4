package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceMemoryContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A GPU's memory and streams keep the contract of all devices. */
@EnabledIfSystemProperty(named = GpuTests.PROPERTY, matches = "true")
class CudaMemoryGpuTest extends DeviceMemoryContract {
  @Override
  protected Device open() {
    return GpuTests.open();
  }
}
