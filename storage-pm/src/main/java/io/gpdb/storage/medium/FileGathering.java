package io.gpdb.storage.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.AsynchronousFileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes pieces one behind the other to a file. The channels that an interrupt does not close have
 * no vectored write: neighbours that are short are copied together and written by one call, what is
 * longer is written from where it is. Thread-safe.
 */
final class FileGathering {
  /** A call costs about as much as copying a few KiB, so there is little to gain beyond this. */
  private static final int TOGETHER_BYTES = 64 << 10;

  private final AsynchronousFileChannel channel;
  private final Arena arena;
  private @Nullable MemorySegment together;

  FileGathering(AsynchronousFileChannel channel, Arena arena) {
    this.channel = channel;
    this.arena = arena;
  }

  void write(long offset, List<MemorySegment> pieces) throws IOException {
    long at = offset;
    for (int i = 0, end; i < pieces.size(); i = end) {
      long bytes = pieces.get(i).byteSize();
      end = i + 1;
      while (end < pieces.size() && bytes + pieces.get(end).byteSize() <= TOGETHER_BYTES) {
        bytes += pieces.get(end).byteSize();
        end++;
      }
      if (end == i + 1) {
        FileChannels.write(channel, at, pieces.get(i));
      } else {
        writeTogether(at, pieces.subList(i, end));
      }
      at += bytes;
    }
  }

  private synchronized void writeTogether(long offset, List<MemorySegment> pieces)
      throws IOException {
    MemorySegment room = together;
    if (room == null) {
      room = arena.allocate(TOGETHER_BYTES, 64);
      together = room;
    }
    long at = 0;
    for (MemorySegment piece : pieces) {
      MemorySegment.copy(piece, 0, room, at, piece.byteSize());
      at += piece.byteSize();
    }
    FileChannels.write(channel, offset, room.asSlice(0, at));
  }
}
