package io.gpdb.simulation.far;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceMemoryContract;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.spread.SpreadDevice;
import java.util.List;

/** The memories of two far devices as one. */
class SpreadMemoryTest extends DeviceMemoryContract {
  @Override
  protected Device open() {
    FarMachine machine = new FarMachine();
    return new SpreadDevice(List.of(member(machine), member(machine)));
  }

  private static FarDevice member(FarMachine machine) {
    return new FarDevice(new EmulatedDevice(EmulatedOptions.standard()), machine);
  }
}
