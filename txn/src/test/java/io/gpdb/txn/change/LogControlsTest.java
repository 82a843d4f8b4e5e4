package io.gpdb.txn.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.far.FarDevice;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import org.junit.jupiter.api.Test;

class LogControlsTest {
  @Test
  void locksAreInTheDevicesMemoryAndFree() {
    EmulatedOptions options = new EmulatedOptions(EmulatedOptions.Mode.INTERPRETED, 1, false);
    try (FarDevice device = new FarDevice(new EmulatedDevice(options));
        DatabaseMemory memory = new DatabaseMemory(device.memory())) {
      MemoryAccount account = memory.work();
      long before = account.usedBytes();
      try (LogControls controls = new LogControls(account, 3)) {
        for (int log = 0; log < 3; log++) {
          DeviceBuffer control = controls.next();
          assertThat(control).isNotInstanceOf(HostBuffer.class);
          HostBuffer words = control.onHost();
          for (int word = 0; word < words.bytes() / Integer.BYTES; word++) {
            assertThat(words.intAt(word)).isZero();
          }
        }
        assertThatThrownBy(controls::next).isInstanceOf(IllegalStateException.class);
      }
      assertThat(account.usedBytes()).isEqualTo(before);
    }
  }

  @Test
  void withoutLogsNothingIsTaken() {
    try (DatabaseMemory memory = new DatabaseMemory();
        LogControls controls = new LogControls(memory.work(), 0)) {
      assertThat(memory.work().usedBytes()).isZero();
      assertThatThrownBy(controls::next).isInstanceOf(IllegalStateException.class);
    }
  }
}
