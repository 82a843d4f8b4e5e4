package io.gpdb.simulation.far;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostRoom;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** Bytes of a {@link FarMemory}. Only its kernels and its copies get at the segment. */
final class FarBuffer implements DeviceBuffer {
  private final FarMemory memory;
  private final MemorySegment segment;

  FarBuffer(FarMemory memory, MemorySegment segment) {
    this.memory = memory;
    this.segment = segment;
  }

  MemorySegment segment() {
    return segment;
  }

  @Override
  public long bytes() {
    return segment.byteSize();
  }

  @Override
  public FarMemory memory() {
    return memory;
  }

  @Override
  public FarBuffer slice(long offset, long bytes) {
    return new FarBuffer(memory, segment.asSlice(offset, bytes));
  }

  @Override
  public boolean isAligned(int alignmentBytes) {
    return segment.address() % alignmentBytes == 0;
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public void edit(Consumer<HostBuffer> change) {
    HostBuffer copy = HostBuffer.collected(bytes());
    copy.copyFrom(this, 0, 0, bytes());
    change.accept(copy);
    copyFrom(copy, 0, 0, bytes());
  }

  /** A copy that takes no stores: what is written to it would not reach the device. */
  @Override
  public HostBuffer onHost() {
    return memory.copied(segment);
  }

  @Override
  public HostBuffer onHost(HostRoom room) {
    HostBuffer copy = room.of(segment.byteSize());
    copy.copyFrom(onHost(), 0, 0, segment.byteSize());
    return new HostBuffer(copy.segment().asReadOnly(), copy.memory());
  }
}
