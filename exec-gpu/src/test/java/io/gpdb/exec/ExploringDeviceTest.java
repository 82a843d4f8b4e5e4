package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedDevice;

/** The emulated device keeps the contract with the explore executor. */
class ExploringDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return EmulatedDevice.exploring(7, (effect, kernel, block, warp, buffer, offset) -> {});
  }
}
