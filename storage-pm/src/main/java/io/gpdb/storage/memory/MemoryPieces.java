package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A growable range of off-heap bytes that never move: a first piece for the initial size and one
 * piece for each further MiB. A view must be inside one piece.
 */
public final class MemoryPieces implements AutoCloseable {
  static final long PIECE_BYTES = 1 << 20;
  public static final int SIZE_UNIT_BYTES = 4096;

  private final String name;
  private final PieceSource source;
  private final List<MemorySegment> pieces = new ArrayList<>();
  private final long firstBytes;
  private volatile long sizeBytes;

  MemoryPieces(String name, long initialSizeBytes) {
    this(name, initialSizeBytes, PieceSource.freedAtClose());
  }

  public MemoryPieces(String name, long initialSizeBytes, PieceSource source) {
    this.name = name;
    this.source = source;
    firstBytes = Math.max(PIECE_BYTES, roundUp(initialSizeBytes, PIECE_BYTES));
    pieces.add(allocate(firstBytes));
    sizeBytes = roundUp(initialSizeBytes, SIZE_UNIT_BYTES);
  }

  /** With a first piece as another one's, and a size of its own. */
  public MemoryPieces(String name, long firstBytes, long sizeBytes, PieceSource source) {
    this(name, firstBytes, source);
    growTo(sizeBytes);
    this.sizeBytes = sizeBytes;
  }

  /** The size of the first piece. */
  public long firstBytes() {
    return firstBytes;
  }

  public static long roundUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  public synchronized void growTo(long newSizeBytes) {
    long rounded = roundUp(newSizeBytes, SIZE_UNIT_BYTES);
    while (capacityBytes() < rounded) {
      pieces.add(allocate(PIECE_BYTES));
    }
    sizeBytes = Math.max(sizeBytes, rounded);
  }

  /** The pieces are kept; bytes behind the new size must be zero when they are used again. */
  public synchronized void shrinkTo(long newSizeBytes) {
    sizeBytes = Math.min(sizeBytes, roundUp(newSizeBytes, SIZE_UNIT_BYTES));
  }

  public void store(long offset, MemorySegment source) {
    check(offset, source.byteSize());
    for (long done = 0; done < source.byteSize(); ) {
      MemorySegment target = from(offset + done);
      long n = Math.min(target.byteSize(), source.byteSize() - done);
      MemorySegment.copy(source, done, target, 0, n);
      done += n;
    }
  }

  public void load(long offset, MemorySegment target) {
    check(offset, target.byteSize());
    for (long done = 0; done < target.byteSize(); ) {
      MemorySegment source = from(offset + done);
      long n = Math.min(source.byteSize(), target.byteSize() - done);
      MemorySegment.copy(source, 0, target, done, n);
      done += n;
    }
  }

  public MemorySegment view(long offset, long bytes) {
    check(offset, bytes);
    MemorySegment piece = from(offset);
    if (piece.byteSize() < bytes) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "view spans two pieces of memory: name=%s, offset=%d, bytes=%d, pieceRest=%d"
              .formatted(name, offset, bytes, piece.byteSize()));
    }
    return piece.asSlice(0, bytes);
  }

  /** Throws unless the range is inside the memory. */
  public void check(long offset, long bytes) {
    checkRange(name, offset, bytes, sizeBytes);
  }

  public static void checkRange(String name, long offset, long bytes, long sizeBytes) {
    if (offset < 0 || bytes < 0 || offset > sizeBytes - bytes) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "range outside of memory: name=%s, offset=%d, bytes=%d, sizeBytes=%d"
              .formatted(name, offset, bytes, sizeBytes));
    }
  }

  @Override
  public void close() {
    pieces.forEach(source::give);
    source.close();
  }

  private synchronized MemorySegment from(long offset) {
    if (offset < firstBytes) {
      return pieces.getFirst().asSlice(offset);
    }
    long beyond = offset - firstBytes;
    return pieces.get(1 + (int) (beyond / PIECE_BYTES)).asSlice(beyond % PIECE_BYTES);
  }

  private long capacityBytes() {
    return firstBytes + (pieces.size() - 1) * PIECE_BYTES;
  }

  private MemorySegment allocate(long bytes) {
    try {
      return source.take(bytes);
    } catch (OutOfMemoryError e) {
      throw new GpdbException(
          ErrorCode.OUT_OF_MEMORY, "no memory: name=" + name + ", bytes=" + bytes, e);
    }
  }
}
