package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;
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
  private final List<MemorySegment> blocks = new ArrayList<>(4);

  /** Neighbours among what the account holds; the account's own. */
  @Nullable HeldBlocks before;

  @Nullable HeldBlocks after;

  public HeldBlocks(MemoryAccount account) {
    this.account = account;
  }

  /** A block of at least that number of bytes, often more, aligned to 256. */
  public MemorySegment take(long bytes) {
    if (blocks.isEmpty()) {
      account.hold(this);
    }
    try {
      MemorySegment block = account.take(bytes);
      blocks.add(block);
      return block;
    } finally {
      if (blocks.isEmpty()) {
        account.forget(this);
      }
    }
  }

  /** Gives a block back before the others. */
  public void give(MemorySegment block) {
    if (blocks.remove(block)) {
      account.give(block);
      if (blocks.isEmpty()) {
        account.forget(this);
      }
    }
  }

  long bytes() {
    return blocks.stream().mapToLong(MemorySegment::byteSize).sum();
  }

  @Override
  public void close() {
    if (!blocks.isEmpty()) {
      blocks.forEach(account::give);
      blocks.clear();
      account.forget(this);
    }
  }
}
