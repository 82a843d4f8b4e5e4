package io.gpdb.storage.memory;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A growable range of off-heap bytes that never move: a first piece for the initial size and one
 * piece for each further MiB. A view must be inside one piece.
 */
public final class MemoryPieces implements AutoCloseable {
  static final long PIECE_BYTES = 1 << 20;
  public static final int SIZE_UNIT_BYTES = 4096;

  private final String name;
  private final PieceSource source;
  private final long firstBytes;

  /** Replaced when one is added, so that readers need no lock. */
  private volatile MemorySegment[] pieces;

  private volatile long sizeBytes;

  MemoryPieces(String name, long initialSizeBytes) {
    this(name, initialSizeBytes, PieceSource.freedAtClose());
  }

  public MemoryPieces(String name, long initialSizeBytes, PieceSource source) {
    this.name = name;
    this.source = source;
    firstBytes = Math.max(PIECE_BYTES, roundUp(initialSizeBytes, PIECE_BYTES));
    pieces = new MemorySegment[] {allocate(firstBytes)};
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
      MemorySegment[] more = Arrays.copyOf(pieces, pieces.length + 1);
      more[pieces.length] = allocate(PIECE_BYTES);
      pieces = more;
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
      MemorySegment target = piece(offset + done);
      long at = inPiece(offset + done);
      long n = Math.min(target.byteSize() - at, source.byteSize() - done);
      MemorySegment.copy(source, done, target, at, n);
      done += n;
    }
  }

  public void load(long offset, MemorySegment target) {
    check(offset, target.byteSize());
    for (long done = 0; done < target.byteSize(); ) {
      MemorySegment source = piece(offset + done);
      long at = inPiece(offset + done);
      long n = Math.min(source.byteSize() - at, target.byteSize() - done);
      MemorySegment.copy(source, at, target, done, n);
      done += n;
    }
  }

  public MemorySegment view(long offset, long bytes) {
    check(offset, bytes);
    MemorySegment piece = piece(offset);
    long at = inPiece(offset);
    if (piece.byteSize() - at < bytes) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "view spans two pieces of memory: name=%s, offset=%d, bytes=%d, pieceRest=%d"
              .formatted(name, offset, bytes, piece.byteSize() - at));
    }
    return piece.asSlice(at, bytes);
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
    for (MemorySegment piece : pieces) {
      source.give(piece);
    }
    source.close();
  }

  /** The piece that an offset is in. */
  private MemorySegment piece(long offset) {
    return pieces[offset < firstBytes ? 0 : 1 + (int) ((offset - firstBytes) / PIECE_BYTES)];
  }

  private long inPiece(long offset) {
    return offset < firstBytes ? offset : (offset - firstBytes) % PIECE_BYTES;
  }

  private long capacityBytes() {
    return firstBytes + (pieces.length - 1) * PIECE_BYTES;
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
