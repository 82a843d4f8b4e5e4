package io.gpdb.exec.spread;

import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostRoom;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A part of a block that is in the memory of one member, or of each that has asked for it. */
final class SpreadBuffer implements DeviceBuffer {
  private final SpreadMemory memory;
  private final SpreadBlock block;
  private final long offset;
  private final long bytes;

  /** The bytes at home, once they were asked for: slices of one value are as good as another. */
  private @Nullable DeviceBuffer known;

  SpreadBuffer(SpreadMemory memory, SpreadBlock block, long offset, long bytes) {
    this.memory = memory;
    this.block = block;
    this.offset = offset;
    this.bytes = bytes;
  }

  /** The bytes as that member's kernels are to be given them. */
  DeviceBuffer on(int member) {
    return member == block.home() || block instanceof SpreadBlock.Own
        ? atHome()
        : sliceOf(block.on(member));
  }

  /** The bytes where they are at home. */
  DeviceBuffer atHome() {
    DeviceBuffer home = known;
    if (home == null) {
      home = sliceOf(block.on(block.home()));
      known = home;
    }
    return home;
  }

  private DeviceBuffer sliceOf(DeviceBuffer whole) {
    return offset == 0 && bytes == whole.bytes() ? whole : whole.slice(offset, bytes);
  }

  SpreadBlock block() {
    return block;
  }

  long offset() {
    return offset;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public SpreadMemory memory() {
    return memory;
  }

  /** Whether each member that reads it has its own, so that it says nothing of where to run. */
  boolean isEverywhere() {
    return block instanceof SpreadBlock.Fixed fixed && fixed.isEverywhere();
  }

  @Override
  public SpreadBuffer slice(long from, long n) {
    Objects.checkFromIndexSize(from, n, bytes);
    return new SpreadBuffer(memory, block, offset + from, n);
  }

  @Override
  public int part() {
    return block.home();
  }

  @Override
  public boolean isAligned(int alignmentBytes) {
    return atHome().isAligned(alignmentBytes);
  }

  @Override
  public boolean isWritable() {
    return atHome().isWritable();
  }

  @Override
  public HostBuffer onHost() {
    return memory.map(atHome().onHost().segment());
  }

  @Override
  public HostBuffer onHost(HostRoom room) {
    return memory.map(atHome().onHost(room).segment());
  }

  @Override
  public void edit(Consumer<HostBuffer> change) {
    atHome().edit(change);
  }
}
