package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.AnnouncingDevice;
import java.nio.file.Path;

/** Statements that the CUDA device leaves to the host as far as it reaches their buffers. */
class HostPlacedStatementsTest extends OtherDeviceContract {
  @Override
  protected Device open() {
    return new AnnouncingDevice(Long.MAX_VALUE);
  }

  @Override
  protected boolean storesTo(Path folder) {
    return false;
  }
}
