package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;

/** The emulated device keeps the contract with the compiled executor. */
class CompiledDeviceTest extends DeviceContract {
  @Override
  protected Device open() {
    return Device.emulated(new EmulatedOptions(Mode.COMPILED, 2, false));
  }
}
