package io.gpdb.simulation.far;

import io.gpdb.storage.memory.CountedBlocks;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;

/**
 * Memory that the host reads by copies alone, which are counted. New memory holds no zeros. Host
 * memory is reached by kernels where it was pinned or mapped here, and nowhere else.
 */
public final class FarMemory implements DeviceMemory {
  private static final int ALIGNMENT_BYTES = 256;
  private static final byte UNDEFINED = (byte) 0xa5;

  private final FarMachine machine;
  private final LongAdder bytesToHost = new LongAdder();
  private final LongAdder bytesToDevice = new LongAdder();

  FarMemory(FarMachine machine) {
    this.machine = machine;
  }

  /** Bytes that were copied for the host to read. */
  public long bytesToHost() {
    return bytesToHost.sum();
  }

  /** Bytes that were copied from the host's memory. */
  public long bytesToDevice() {
    return bytesToDevice.sum();
  }

  @Override
  public DeviceBuffer allocate(long bytes, CountedBlocks account) {
    return new FarBuffer(this, account.take(bytes).fill(UNDEFINED));
  }

  @Override
  public DeviceBuffer allocateZeroed(long bytes, CountedBlocks account) {
    return new FarBuffer(this, account.takeZeroed(bytes));
  }

  @Override
  public HostBuffer pin(long bytes, CountedBlocks account) {
    return new HostBuffer(account.take(bytes).fill(UNDEFINED), this);
  }

  @Override
  public void free(DeviceBuffer buffer, CountedBlocks account) {
    account.give(segment(buffer).fill(UNDEFINED));
  }

  @Override
  public HostBuffer map(MemorySegment segment) {
    return new HostBuffer(segment, this);
  }

  @Override
  public DeviceBuffer keep(HostBuffer content) {
    MemorySegment kept = Arena.ofAuto().allocate(Math.max(1, content.bytes()), ALIGNMENT_BYTES);
    FarBuffer buffer = new FarBuffer(this, kept.asSlice(0, content.bytes()));
    copy(content, 0, buffer, 0, content.bytes());
    return buffer;
  }

  @Override
  public void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    if (from instanceof HostBuffer && to instanceof FarBuffer) {
      bytesToDevice.add(bytes);
    } else if (from instanceof FarBuffer && to instanceof HostBuffer) {
      bytesToHost.add(bytes);
    }
    MemorySegment.copy(segment(from), fromOffset, segment(to), toOffset, bytes);
  }

  @Override
  public void fill(DeviceBuffer buffer, byte value) {
    segment(buffer).fill(value);
  }

  private boolean reaches(FarBuffer buffer) {
    return buffer.memory().machine == machine;
  }

  HostBuffer copied(MemorySegment source) {
    bytesToHost.add(source.byteSize());
    HostBuffer copy = HostBuffer.collected(source.byteSize());
    copy.segment().copyFrom(source);
    return new HostBuffer(copy.segment().asReadOnly(), this);
  }

  private MemorySegment segment(DeviceBuffer buffer) {
    return switch (buffer) {
      case FarBuffer far when reaches(far) -> far.segment();
      case HostBuffer host -> host.segment();
      default -> throw new IllegalArgumentException("a buffer of another device's memory");
    };
  }

  /** What kernels store to and load from; refused where they would not reach it. */
  MemorySegment reached(DeviceBuffer buffer, String place) {
    boolean isReached =
        switch (buffer) {
          case FarBuffer far -> reaches(far);
          case HostBuffer host -> host.bytes() == 0 || host.memory() == this;
          default -> false;
        };
    if (!isReached) {
      throw new IllegalArgumentException(place + " is in the memory of another device");
    }
    return segment(buffer);
  }
}
