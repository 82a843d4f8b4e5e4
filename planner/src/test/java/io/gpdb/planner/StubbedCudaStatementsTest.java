package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.AnnouncingDevice;
import java.nio.file.Path;

/** Statements on the CUDA device, whose driver is a stub that runs the kernels on the host. */
class StubbedCudaStatementsTest extends OtherDeviceContract {
  @Override
  protected Device open() {
    return new AnnouncingDevice();
  }

  /** As a GPU's do not: the folder may be on a disk. */
  @Override
  protected boolean storesTo(Path folder) {
    return false;
  }
}
