package io.gpdb.storage.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Where off-heap memories take their bytes from; pieces are zero. */
public interface PieceSource {
  int ALIGNMENT_BYTES = 4096;

  MemorySegment take(long bytes);

  /** Ends the use of a piece, whose bytes are zero again. */
  void give(MemorySegment piece);

  /** Nothing more is taken or given. */
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

  /** Memory for many short lives: what is given is taken again. Thread-safe. */
  static PieceSource pooled() {
    return new PieceSource() {
      private static final int KEPT_MAX = 256;
      private final Map<Long, ArrayDeque<MemorySegment>> kept = new HashMap<>();

      @Override
      public synchronized MemorySegment take(long bytes) {
        ArrayDeque<MemorySegment> pieces = kept.get(bytes);
        MemorySegment piece = pieces == null ? null : pieces.pollLast();
        return piece != null
            ? piece
            : SystemMemory.allocate(Arena.ofAuto(), bytes, ALIGNMENT_BYTES);
      }

      @Override
      public synchronized void give(MemorySegment piece) {
        ArrayDeque<MemorySegment> pieces =
            kept.computeIfAbsent(piece.byteSize(), bytes -> new ArrayDeque<>());
        if (pieces.size() < KEPT_MAX) {
          pieces.addLast(piece);
        }
      }

      @Override
      public void close() {}
    };
  }
}
