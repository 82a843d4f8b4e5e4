package io.gpdb.exec.cuda;

import io.gpdb.exec.emulated.common.BlockTraps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What launch slots hand over through: for each as much of the host's pinned memory as of the
 * GPU's. Both are cut from pieces for several slots, because the driver takes long to register, to
 * allocate and to give back, and longer while other processes use the GPU. Thread-safe.
 */
final class SlotMemory implements AutoCloseable {
  /** Of each slot, on either side. */
  static final long SLOT_BYTES = 256 << 10;

  private static final int SLOTS_OF_A_PIECE = 16;
  private static final long PIECE_BYTES = SLOTS_OF_A_PIECE * SLOT_BYTES;

  private final CudaDriver driver;
  private final RegisteredPages pages;

  // Under this object's monitor
  private final Deque<Part> free = new ArrayDeque<>();
  private final List<Piece> pieces = new ArrayList<>();

  /**
   * @param host pinned; both trap words at its front, and at that of the GPU's, say that there is
   *     none
   */
  record Part(MemorySegment host, long device) {}

  private record Piece(Arena arena, MemorySegment host, long device) {}

  SlotMemory(CudaDriver driver, RegisteredPages pages) {
    this.driver = driver;
    this.pages = pages;
  }

  /**
   * A slot's part.
   *
   * @param stream for the copy that begins a piece; asked for then alone
   */
  synchronized Part take(LongSupplier stream) {
    if (free.isEmpty()) {
      begin(stream.getAsLong());
    }
    return free.removeFirst();
  }

  /** As it was taken: without a trap. */
  synchronized void give(Part part) {
    free.addFirst(part);
  }

  private void begin(long stream) {
    Piece piece = piece();
    pieces.add(piece);
    for (long at = 0; at < PIECE_BYTES; at += SLOT_BYTES) {
      clearTraps(piece.host.asSlice(at, SLOT_BYTES));
    }
    driver.copy(piece.device, piece.host.address(), PIECE_BYTES, stream);
    driver.await(stream);
    for (long at = 0; at < PIECE_BYTES; at += SLOT_BYTES) {
      free.addLast(new Part(piece.host.asSlice(at, SLOT_BYTES), piece.device + at));
    }
  }

  private Piece piece() {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment host = arena.allocate(PIECE_BYTES, RegisteredPages.PAGE_BYTES);
      pages.use(List.of(new RegisteredPages.Need(host, true, true)), () -> 0);
      return new Piece(arena, host, allocated(host));
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  private long allocated(MemorySegment host) {
    try {
      return driver.allocate(PIECE_BYTES);
    } catch (RuntimeException | Error e) {
      pages.forget(host);
      throw e;
    }
  }

  /** Of a slot's memory of the host. */
  static void clearTraps(MemorySegment host) {
    host.set(ValueLayout.JAVA_LONG, 0, BlockTraps.NONE);
    host.set(ValueLayout.JAVA_LONG, Long.BYTES, BlockTraps.NONE);
  }

  /** Slots use it no more. */
  @Override
  public synchronized void close() {
    for (Piece piece : pieces) {
      pages.forget(piece.host);
      driver.free(piece.device);
      piece.arena.close();
    }
    pieces.clear();
    free.clear();
  }
}
