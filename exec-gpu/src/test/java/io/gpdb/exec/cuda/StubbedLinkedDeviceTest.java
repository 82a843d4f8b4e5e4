package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceContract;
import io.gpdb.exec.spread.SpreadDevice;

/** Two GPUs as one device. */
class StubbedLinkedDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return new SpreadDevice(AnnouncingDevice.linked(2, 0));
  }

  @Override
  protected boolean knowsStoredLines() {
    return false;
  }
}
