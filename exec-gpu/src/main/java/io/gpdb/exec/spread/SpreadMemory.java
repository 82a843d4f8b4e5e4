package io.gpdb.exec.spread;

import io.gpdb.exec.Device;
import io.gpdb.storage.memory.CellMemory;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.CountedBlocks;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.SlabSource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * The memories of several devices as one. A block is in one of them: that of its {@link #part}, or
 * the first where nobody has said which. What does not change, each member has a copy of that reads
 * it. Host memory is the same for all.
 */
final class SpreadMemory implements DeviceMemory, CellMemory {
  private final List<Device> members;
  private final DeviceMemory first;

  SpreadMemory(List<Device> members) {
    this.members = members;
    first = members.getFirst().memory();
  }

  DeviceMemory of(int member) {
    return members.get(member).memory();
  }

  /** One for each member, so that numbers that follow each other are spread evenly. */
  @Override
  public DeviceMemory part(int number) {
    return new Part(number % members.size());
  }

  @Override
  public int parts() {
    return members.size();
  }

  @Override
  public SlabSource slabs() {
    return first.slabs();
  }

  @Override
  public DeviceBuffer allocate(long bytes, CountedBlocks account) {
    return own(0, first.allocate(bytes, account));
  }

  @Override
  public DeviceBuffer allocateZeroed(long bytes, CountedBlocks account) {
    return own(0, first.allocateZeroed(bytes, account));
  }

  private SpreadBuffer own(int member, DeviceBuffer buffer) {
    return new SpreadBuffer(this, new SpreadBlock.Own(member, buffer), 0, buffer.bytes());
  }

  @Override
  public HostBuffer pin(long bytes, CountedBlocks account) {
    return map(first.pin(bytes, account).segment());
  }

  @Override
  public void free(DeviceBuffer buffer, CountedBlocks account) {
    if (buffer instanceof HostBuffer host) {
      first.free(first.map(host.segment()), account);
    } else {
      SpreadBuffer spread = spread(buffer);
      of(spread.block().home()).free(spread.block().on(spread.block().home()), account);
    }
  }

  @Override
  public HostBuffer map(MemorySegment segment) {
    return new HostBuffer(segment, this);
  }

  @Override
  public DeviceBuffer mapUnchanging(MemorySegment segment) {
    return mapped(0, segment);
  }

  private SpreadBuffer mapped(int home, MemorySegment segment) {
    SpreadBlock.Fixed each =
        SpreadBlock.Fixed.of(home, members.size(), member -> of(member).mapUnchanging(segment));
    return new SpreadBuffer(this, each, 0, segment.byteSize());
  }

  @Override
  public void unmap(DeviceBuffer buffer) {
    if (buffer instanceof SpreadBuffer spread && spread.block() instanceof SpreadBlock.Fixed each) {
      for (int member = 0; member < members.size(); member++) {
        DeviceBuffer view = each.known(member);
        if (view != null) {
          of(member).unmap(view);
        }
      }
    }
  }

  @Override
  public boolean storesToDiskFiles() {
    return members.stream().allMatch(member -> member.memory().storesToDiskFiles());
  }

  @Override
  public DeviceBuffer keep(HostBuffer content) {
    SpreadBlock.Fixed each =
        SpreadBlock.Fixed.everywhere(members.size(), member -> of(member).keep(content));
    return new SpreadBuffer(this, each, 0, content.bytes());
  }

  @Override
  public void copy(DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    if (from instanceof HostBuffer source && to instanceof HostBuffer target) {
      Objects.checkFromIndexSize(fromOffset, bytes, source.bytes());
      MemorySegment.copy(source.segment(), fromOffset, target.segment(), toOffset, bytes);
      return;
    }
    int home = to instanceof HostBuffer ? spread(from).part() : spread(to).part();
    if (from instanceof SpreadBuffer other && other.part() != home) {
      members.get(other.part()).finish();
    }
    of(home).copy(on(home, from), fromOffset, on(home, to), toOffset, bytes);
  }

  @Override
  public void fill(DeviceBuffer buffer, byte value) {
    if (buffer instanceof HostBuffer host) {
      host.segment().fill(value);
    } else {
      of(buffer.part()).fill(spread(buffer).atHome(), value);
    }
  }

  @Override
  public void fetch(Cells cells) {
    int home = home(cells);
    cells.of(buffer -> on(home, buffer)).fetch(of(home));
  }

  @Override
  public void store(Cells cells) {
    int home = home(cells);
    cells.of(buffer -> on(home, buffer)).store(of(home));
  }

  /** Cells are of a tablet, whose chunks are in one part. */
  private static int home(Cells cells) {
    int home = -1;
    for (int i = 0; i < cells.count(); i++) {
      if (cells.buffer(i) instanceof SpreadBuffer buffer) {
        if (home >= 0 && home != buffer.part()) {
          throw new IllegalArgumentException("cells of two parts of the memory");
        }
        home = buffer.part();
      }
    }
    return Math.max(home, 0);
  }

  /** As a member takes it; what is of no member's memory stays what it is, to be refused. */
  DeviceBuffer on(int member, DeviceBuffer buffer) {
    if (buffer instanceof SpreadBuffer spread && spread.memory() == this) {
      return spread.on(member);
    }
    if (buffer instanceof HostBuffer host && host.memory() == this) {
      return of(member).map(host.segment());
    }
    return buffer;
  }

  private SpreadBuffer spread(DeviceBuffer buffer) {
    if (buffer instanceof SpreadBuffer spread && spread.memory() == this) {
      return spread;
    }
    throw new IllegalArgumentException("a buffer of another device's memory");
  }

  /** New blocks are those of one member; all else is as without it. */
  private final class Part implements DeviceMemory, CellMemory {
    private final int member;

    Part(int member) {
      this.member = member;
    }

    @Override
    public DeviceBuffer allocate(long bytes, CountedBlocks account) {
      return own(member, of(member).allocate(bytes, account));
    }

    @Override
    public DeviceBuffer allocateZeroed(long bytes, CountedBlocks account) {
      return own(member, of(member).allocateZeroed(bytes, account));
    }

    @Override
    public DeviceBuffer mapUnchanging(MemorySegment segment) {
      return mapped(member, segment);
    }

    @Override
    public HostBuffer pin(long bytes, CountedBlocks account) {
      return SpreadMemory.this.pin(bytes, account);
    }

    @Override
    public void free(DeviceBuffer buffer, CountedBlocks account) {
      SpreadMemory.this.free(buffer, account);
    }

    @Override
    public HostBuffer map(MemorySegment segment) {
      return SpreadMemory.this.map(segment);
    }

    @Override
    public void unmap(DeviceBuffer buffer) {
      SpreadMemory.this.unmap(buffer);
    }

    @Override
    public boolean storesToDiskFiles() {
      return SpreadMemory.this.storesToDiskFiles();
    }

    @Override
    public DeviceBuffer keep(HostBuffer content) {
      return SpreadMemory.this.keep(content);
    }

    @Override
    public void copy(
        DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
      SpreadMemory.this.copy(from, fromOffset, to, toOffset, bytes);
    }

    @Override
    public void fill(DeviceBuffer buffer, byte value) {
      SpreadMemory.this.fill(buffer, value);
    }

    @Override
    public void fetch(Cells cells) {
      SpreadMemory.this.fetch(cells);
    }

    @Override
    public void store(Cells cells) {
      SpreadMemory.this.store(cells);
    }
  }
}
