package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.spread.SpreadDevice;
import java.util.List;

/** For tests that run where {@code -Dgpdb.cuda=true} says that there is a GPU. */
public final class GpuTests {
  static final String PROPERTY = "gpdb.cuda";

  /** Says that there are two. */
  public static final String LINKED = "gpdb.cuda.linked";

  private GpuTests() {}

  public static Device open() {
    return CudaDevice.open(0, new EmulatedDevice(EmulatedOptions.standard()), 0L);
  }

  /** The first two as one. */
  public static Device openLinked() {
    return new SpreadDevice(
        CudaDevice.openLinked(
            List.of(0, 1), () -> new EmulatedDevice(EmulatedOptions.standard()), 0L));
  }
}
