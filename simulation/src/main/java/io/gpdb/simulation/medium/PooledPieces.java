package io.gpdb.simulation.medium;

import io.gpdb.storage.memory.PieceSource;
import io.gpdb.storage.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Memory for many short-lived media: freed pieces are used again. Thread-safe. */
final class PooledPieces implements PieceSource {
  private static final int KEPT_MAX = 256;
  private final Map<Long, ArrayDeque<MemorySegment>> kept = new HashMap<>();

  @Override
  public synchronized MemorySegment take(long bytes) {
    ArrayDeque<MemorySegment> pieces = kept.get(bytes);
    MemorySegment piece = pieces == null ? null : pieces.pollLast();
    return piece != null ? piece : SystemMemory.allocate(Arena.ofAuto(), bytes, ALIGNMENT_BYTES);
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
}
