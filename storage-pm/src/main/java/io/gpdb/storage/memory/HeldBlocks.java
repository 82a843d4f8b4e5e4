package io.gpdb.storage.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that are given back together: the memory of a batch, an operator, or a launch. Their
 * contents are undefined when taken. Any thread may read and write them; they are taken and given
 * back by one thread at a time. What a statement holds at its end is given back then.
 */
public final class HeldBlocks implements AutoCloseable {
  private final MemoryAccount account;
  private final List<DeviceBuffer> blocks = new ArrayList<>(4);

  /** Neighbours among what the account holds; the account's own. */
  @Nullable HeldBlocks before;

  @Nullable HeldBlocks after;

  public HeldBlocks(MemoryAccount account) {
    this.account = account;
  }

  /** A block of at least that number of bytes, often more, aligned to 256. */
  public DeviceBuffer allocate(long bytes) {
    return allocate(bytes, account.memory());
  }

  /** As {@link #allocate(long)}, of a part of the memory. */
  public DeviceBuffer allocate(long bytes, int part) {
    return allocate(bytes, account.memory().part(part));
  }

  private DeviceBuffer allocate(long bytes, DeviceMemory memory) {
    begin();
    try {
      DeviceBuffer block =
          account.worksOnHost() ? memory.pin(bytes, account) : memory.allocate(bytes, account);
      blocks.add(block);
      return block;
    } finally {
      end();
    }
  }

  /** As {@link #allocate}, for the host to read and write. */
  public HostBuffer pin(long bytes) {
    begin();
    try {
      HostBuffer block = account.memory().pin(bytes, account);
      blocks.add(block);
      return block;
    } finally {
      end();
    }
  }

  private void begin() {
    if (blocks.isEmpty()) {
      account.hold(this);
    }
  }

  private void end() {
    if (blocks.isEmpty()) {
      account.forget(this);
    }
  }

  /** Gives a block back before the others. */
  public void give(DeviceBuffer block) {
    if (blocks.remove(block)) {
      account.memory().free(block, account);
      end();
    }
  }

  long bytes() {
    return blocks.stream().mapToLong(DeviceBuffer::bytes).sum();
  }

  @Override
  public void close() {
    if (!blocks.isEmpty()) {
      blocks.forEach(block -> account.memory().free(block, account));
      blocks.clear();
      account.forget(this);
    }
  }
}
