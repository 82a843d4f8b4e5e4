package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;

/** The emulated device keeps the contract when it chooses the executor itself. */
class AutoDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 2, false));
  }
}
