package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.simulation.far.FarDevice;
import org.junit.jupiter.api.AfterEach;

/** Statements on a device whose memory the host cannot read. */
class FarDeviceTest extends OtherDeviceContract {
  private final FarDevice first = new FarDevice(emulated());
  private boolean opened;

  /** The tests' own database is on the first one, whose copies are counted. */
  @Override
  protected Device open() {
    if (!opened) {
      opened = true;
      return first;
    }
    return new FarDevice(emulated());
  }

  @AfterEach
  void bytesWereCopied() {
    assertThat(first.memory().bytesToHost()).isPositive();
    assertThat(first.memory().bytesToDevice()).isPositive();
  }
}
