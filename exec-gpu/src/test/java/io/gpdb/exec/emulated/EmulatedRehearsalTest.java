package io.gpdb.exec.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.storage.memory.HostMemory;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EmulatedRehearsalTest {
  private final AtomicInteger begun = new AtomicInteger();

  private EmulatedDevice device(Mode mode) {
    return new EmulatedDevice(
        new EmulatedOptions(mode, 1, false), HostMemory.INSTANCE, begun::incrementAndGet);
  }

  /** Where every kernel runs compiled, or none does, the interpreted loops are of no use. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void expectedStatementsAreRehearsedInModeAuto(Mode mode) {
    try (Device device = device(mode)) {
      device.expectStatements();
    }
    assertThat(begun).hasValue(mode == Mode.AUTO ? 1 : 0);
  }

  @Test
  void oneOfSeveralDevicesRehearses() {
    try (Device device = new SpreadDevice(List.of(device(Mode.AUTO), device(Mode.AUTO)))) {
      device.expectStatements();
    }
    assertThat(begun).hasValue(1);
  }
}
