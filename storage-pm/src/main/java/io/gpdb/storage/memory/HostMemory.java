package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;

/**
 * The memory of a device whose kernels run on the host: all of it is host memory, blocks are those
 * of the account's pool, and neither mapping nor keeping copies anything.
 */
public final class HostMemory implements DeviceMemory {
  public static final HostMemory INSTANCE = new HostMemory(SlabSource.SYSTEM);

  private final SlabSource slabs;

  public HostMemory(SlabSource slabs) {
    this.slabs = slabs;
  }

  @Override
  public SlabSource slabs() {
    return slabs;
  }

  @Override
  public HostBuffer allocate(long bytes, CountedBlocks account) {
    return new HostBuffer(account.take(bytes), this);
  }

  @Override
  public HostBuffer allocateZeroed(long bytes, CountedBlocks account) {
    return new HostBuffer(account.takeZeroed(bytes), this);
  }

  @Override
  public HostBuffer pin(long bytes, CountedBlocks account) {
    return allocate(bytes, account);
  }

  @Override
  public void free(DeviceBuffer buffer, CountedBlocks account) {
    account.give(buffer.onHost().segment());
  }

  @Override
  public HostBuffer map(MemorySegment segment) {
    return new HostBuffer(segment, this);
  }

  @Override
  public boolean isHosts() {
    return true;
  }

  @Override
  public HostBuffer keep(HostBuffer content) {
    return content;
  }

  @Override
  public void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    MemorySegment source = from.onHost().segment();
    MemorySegment.copy(source, fromOffset, to.onHost().segment(), toOffset, bytes);
  }

  @Override
  public void fill(DeviceBuffer buffer, byte value) {
    buffer.onHost().segment().fill(value);
  }
}
