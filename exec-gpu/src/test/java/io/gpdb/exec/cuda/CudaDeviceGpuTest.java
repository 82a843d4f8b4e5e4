package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A GPU keeps the contract of all devices. */
@EnabledIfSystemProperty(named = GpuTests.PROPERTY, matches = "true")
class CudaDeviceGpuTest extends DeviceContract {
  @Override
  protected Device open() {
    return GpuTests.open();
  }

  @Override
  protected boolean knowsStoredLines() {
    return false;
  }
}
