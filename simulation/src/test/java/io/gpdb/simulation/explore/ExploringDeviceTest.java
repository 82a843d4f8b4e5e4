package io.gpdb.simulation.explore;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceContract;

/** The exploring device keeps the contract of all devices. */
class ExploringDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return new ExploringDevice(7, (effect, kernel, block, warp, buffer, offset) -> {});
  }
}
