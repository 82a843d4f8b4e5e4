package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceContract;

/** What the CUDA device hands to its driver is what the contract needs. */
class StubbedCudaDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return new AnnouncingDevice(new StubDriver());
  }

  @Override
  protected boolean knowsStoredLines() {
    return false;
  }
}
