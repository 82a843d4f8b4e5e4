package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;

/** For tests that run where {@code -Dgpdb.cuda=true} says that there is a GPU. */
public final class GpuTests {
  static final String PROPERTY = "gpdb.cuda";

  private GpuTests() {}

  public static Device open() {
    return CudaDevice.open(0, new EmulatedDevice(EmulatedOptions.standard()), 0L);
  }
}
