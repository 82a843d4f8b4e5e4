package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.simulation.far.FarDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Statements on a device whose memory the host cannot read. */
class FarDeviceTest extends OtherDeviceContract {
  private final List<FarDevice> opened = new ArrayList<>();

  @Override
  protected Device open() {
    FarDevice device = new FarDevice(emulated());
    opened.add(device);
    return device;
  }

  @AfterEach
  void bytesWereCopied() {
    assertThat(opened).anyMatch(device -> device.memory().bytesToHost() > 0);
    assertThat(opened).anyMatch(device -> device.memory().bytesToDevice() > 0);
  }
}
