package io.gpdb.simulation.medium;

import io.gpdb.storage.memory.MemoryPieces;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What an append writes: whole blocks, from its first byte on. */
final class AppendedBlocks {
  private AppendedBlocks() {}

  /** The pieces one behind the other, and zeros to the end of the last block (P4). */
  static MemorySegment of(long offset, List<MemorySegment> pieces) {
    long bytes = pieces.stream().mapToLong(MemorySegment::byteSize).sum();
    long end = MemoryPieces.roundUp(offset + bytes, CrashPage.BYTES);
    MemorySegment blocks = MemorySegment.ofArray(new byte[(int) (end - offset)]);
    long at = 0;
    for (MemorySegment piece : pieces) {
      MemorySegment.copy(piece, 0, blocks, at, piece.byteSize());
      at += piece.byteSize();
    }
    return blocks;
  }
}
