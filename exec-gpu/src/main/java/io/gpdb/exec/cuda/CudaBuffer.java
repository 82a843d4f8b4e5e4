package io.gpdb.exec.cuda;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostRoom;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the GPU's memory.
 *
 * @param kept what is copied there for as long as it is reachable; null where somebody frees it
 */
record CudaBuffer(CudaMemory memory, long address, long bytes, @Nullable Kept kept)
    implements DeviceBuffer {
  /** Content of the host's that does not change, and the address of its copy. */
  record Kept(HostBuffer content, long address) {}

  @Override
  public CudaBuffer slice(long offset, long n) {
    Objects.checkFromIndexSize(offset, n, bytes);
    return new CudaBuffer(memory, address + offset, n, kept);
  }

  @Override
  public boolean isAligned(int alignmentBytes) {
    return address % alignmentBytes == 0;
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  /** The content of the host's that this is a copy of; null where there is none. */
  @Nullable HostBuffer original() {
    return kept == null ? null : kept.content.slice(address - kept.address, bytes);
  }

  /** A copy that takes no stores: what is written to it would not reach the GPU. */
  @Override
  public HostBuffer onHost() {
    return new HostBuffer(copied().segment().asReadOnly(), memory);
  }

  @Override
  public HostBuffer onHost(HostRoom room) {
    HostBuffer copy = room.of(bytes);
    memory.copy(this, 0, copy, 0, bytes);
    return new HostBuffer(copy.segment().asReadOnly(), memory);
  }

  @Override
  public void edit(Consumer<HostBuffer> change) {
    HostBuffer copy = copied();
    change.accept(copy);
    copyFrom(copy, 0, 0, bytes);
  }

  private HostBuffer copied() {
    HostBuffer copy = HostBuffer.collected(bytes);
    memory.copy(this, 0, copy, 0, bytes);
    return copy;
  }
}
