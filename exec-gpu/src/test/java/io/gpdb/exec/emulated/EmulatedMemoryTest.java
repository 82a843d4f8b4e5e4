package io.gpdb.exec.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceMemoryContract;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import org.junit.jupiter.api.Test;

/** The emulated device's memory is the host's: nothing is copied to be seen. */
class EmulatedMemoryTest extends DeviceMemoryContract {
  @Override
  protected Device open() {
    return new EmulatedDevice(EmulatedOptions.standard());
  }

  @Test
  void theHostReadsABufferWhereItIs() {
    HostBuffer content = HostBuffer.collected(100);
    DeviceBuffer kept = HostMemory.INSTANCE.keep(content);
    assertThat(kept).isSameAs(content);
    assertThat(kept.onHost()).isSameAs(content);
  }
}
