package io.gpdb.storage.medium;

import io.gpdb.storage.memory.MemoryPieces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The end of what a file holds, to which a few bytes at a time are appended past the system's
 * cache: whole blocks, of which the first one begins with what was stored there before (A3), and
 * the last one ends with zeros (P4).
 */
final class DirectTail {
  private static final int BLOCK_BYTES = DirectChannel.BLOCK_BYTES;

  /** Longer appends are as quick through the cache. */
  static final int BYTES_MAX = 64 << 10;

  private final DirectChannel channel;
  private final MemorySegment blocks;

  /** The end of the last append while the first block here begins with what is before it; or -1. */
  private long end = -1;

  DirectTail(DirectChannel channel, Arena arena) {
    this.channel = channel;
    this.blocks = arena.allocate(BYTES_MAX, BLOCK_BYTES);
  }

  /** Fills a segment with what the file holds from there on. */
  interface Head {
    void load(long offset, MemorySegment target);
  }

  /** Called when others store to the file: the block may begin with something else. */
  synchronized void forget() {
    end = -1;
  }

  /**
   * Stores the pieces, and zeros behind them to the end of the block.
   *
   * @return whether that was done; if not, the caller stores the pieces, as nothing has harmed what
   *     is before them
   */
  synchronized boolean append(long offset, List<MemorySegment> pieces, long bytes, Head head)
      throws IOException {
    long from = offset / BLOCK_BYTES * BLOCK_BYTES;
    long newEnd = offset + bytes;
    long to = MemoryPieces.roundUp(newEnd, BLOCK_BYTES);
    if (to - from > BYTES_MAX) {
      return false;
    }
    if (offset != end) {
      head.load(from, blocks.asSlice(0, offset - from));
    }
    assert beginsAsTheFile(from, offset - from, head) : "P4: other bytes than the file's: " + from;
    end = -1;
    long at = offset - from;
    for (MemorySegment piece : pieces) {
      MemorySegment.copy(piece, 0, blocks, at, piece.byteSize());
      at += piece.byteSize();
    }
    blocks.asSlice(at, to - from - at).fill((byte) 0);
    if (channel.write(from, blocks.asSlice(0, to - from)) < to - from) {
      return false;
    }
    long last = newEnd / BLOCK_BYTES * BLOCK_BYTES;
    if (last > from) {
      MemorySegment.copy(blocks, last - from, blocks, 0, newEnd - last);
    }
    end = newEnd;
    return true;
  }

  private boolean beginsAsTheFile(long from, long bytes, Head head) {
    MemorySegment found = MemorySegment.ofArray(new byte[(int) bytes]);
    head.load(from, found);
    return blocks.asSlice(0, bytes).mismatch(found) < 0;
  }
}
