package io.gpdb.storage.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where off-heap memories take their bytes from; pieces are zero. */
public interface PieceSource {
  int ALIGNMENT_BYTES = 4096;

  MemorySegment take(long bytes);

  /** Ends the use of a piece, whose bytes are zero again. */
  void give(MemorySegment piece);

  /** Nothing more is taken or given back. */
  void close();

  /** Memory that is freed as a whole. */
  static PieceSource freedAtClose() {
    Arena arena = Arena.ofShared();
    return new PieceSource() {
      @Override
      public MemorySegment take(long bytes) {
        return arena.allocate(bytes, ALIGNMENT_BYTES);
      }

      @Override
      public void give(MemorySegment piece) {}

      @Override
      public void close() {
        arena.close();
      }
    };
  }
}
