package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;

/** The emulated device keeps the contract with the compiled executor. */
class CompiledDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return new EmulatedDevice(new EmulatedOptions(Mode.COMPILED, 2, false));
  }
}
