package io.gpdb.simulation.far;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.DeviceMemoryContract;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.junit.jupiter.api.Test;

/** The far device's memory: the host sees copies, and kernels nothing that they do not reach. */
class FarMemoryTest extends DeviceMemoryContract {
  @Override
  protected FarDevice open() {
    return new FarDevice(new EmulatedDevice(EmulatedOptions.standard()));
  }

  @Test
  void theHostSeesACopyThatTakesNoStores() {
    try (FarDevice far = open();
        DatabaseMemory memory = new DatabaseMemory(far.memory())) {
      DeviceBuffer buffer = far.memory().allocate(256, memory.work());
      buffer.fill((byte) 1);
      HostBuffer seen = buffer.slice(0, 100).onHost();
      buffer.fill((byte) 2);
      assertThat(seen.byteAt(99)).isEqualTo((byte) 1);
      assertThat(far.memory().bytesToHost()).isEqualTo(100);
      assertThatThrownBy(() -> seen.setInt(0, 3)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void hostMemoryThatWasNotMappedIsRefused() {
    KernelBuilder b = new KernelBuilder("store").blockSize(32);
    b.store(b.buffer(BufferParam.output("to", Element.I32)), b.global(), b.i32(1));
    try (Device far = open()) {
      LoadedKernel kernel = far.load(b.build());
      Arguments arguments = new Arguments(kernel.kernel()).buffer(0, HostBuffer.collected(128));
      assertThatThrownBy(() -> kernel.launch(1, arguments))
          .hasMessage("kernel store: argument to is in the memory of another device");
    }
  }
}
