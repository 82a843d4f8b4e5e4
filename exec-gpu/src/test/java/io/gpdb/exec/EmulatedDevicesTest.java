package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import org.junit.jupiter.api.Nested;

/** The emulated device keeps the contract with each of its executors, counting or not. */
class EmulatedDevicesTest {
  @Nested
  class Reference extends DeviceContract {
    @Override
    protected Device open() {
      return Device.emulated(new EmulatedOptions(Mode.REFERENCE, 2, false));
    }
  }

  @Nested
  class Interpreted extends DeviceContract {
    @Override
    protected Device open() {
      return Device.emulated(new EmulatedOptions(Mode.INTERPRETED, 3, false));
    }
  }

  @Nested
  class Compiled extends DeviceContract {
    @Override
    protected Device open() {
      return Device.emulated(new EmulatedOptions(Mode.COMPILED, 2, false));
    }
  }

  @Nested
  class Auto extends DeviceContract {
    @Override
    protected Device open() {
      return Device.emulated(new EmulatedOptions(Mode.AUTO, 2, false));
    }
  }

  @Nested
  class Counting extends DeviceContract {
    @Override
    protected Device open() {
      return Device.emulated(new EmulatedOptions(Mode.AUTO, 2, true));
    }
  }
}
