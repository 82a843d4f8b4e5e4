package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;

/** The emulated device keeps the contract while it counts. */
class CountingDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 2, true));
  }
}
