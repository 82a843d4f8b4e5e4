package io.gpdb.exec.cuda;

import io.gpdb.exec.Device;
import io.gpdb.exec.spread.SpreadDevice;

/** On stubs whose streams do nothing before they are waited for. */
class StubbedLinkedMemoryTest extends LinkedMemoryContract {
  @Override
  protected Device open() {
    return new SpreadDevice(AnnouncingDevice.linked(3, 0));
  }
}
