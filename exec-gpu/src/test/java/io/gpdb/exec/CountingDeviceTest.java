package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;

/** The emulated device keeps the contract while it counts. */
class CountingDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return Device.emulated(new EmulatedOptions(Mode.AUTO, 2, true));
  }
}
