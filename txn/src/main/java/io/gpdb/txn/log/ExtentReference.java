package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.tablet.LoggedValues;
import java.lang.foreign.MemorySegment;

/**
 * The extent of the home file where values of a log record are, with the checksums that show
 * whether they arrived.
 *
 * <pre>
 *   0        8       12           16
 *   | offset | bytes | blockBytes | i32 checksum of each block ... zero to 8
 * </pre>
 *
 * @param checksums i32 for each {@code blockBytes} of the extent
 */
public record ExtentReference(long offset, int bytes, int blockBytes, MemorySegment checksums) {
  static final int OFFSET_AT = 0;
  static final int BYTES_AT = 8;
  static final int BLOCK_BYTES_AT = 12;
  static final int CHECKSUMS_AT = 16;

  public static ExtentReference of(LoggedValues values) {
    return new ExtentReference(
        values.offset(),
        Math.toIntExact(values.bytes()),
        values.blockBytes(),
        MemorySegment.ofArray(values.checksums()));
  }

  void write(PayloadPieces payload) {
    MemorySegment head = payload.put(CHECKSUMS_AT);
    head.set(JAVA_LONG, OFFSET_AT, offset);
    head.set(JAVA_INT, BYTES_AT, bytes);
    head.set(JAVA_INT, BLOCK_BYTES_AT, blockBytes);
    payload.put(checksums.byteSize()).copyFrom(checksums);
  }

  static ExtentReference read(PayloadPieces payload) {
    MemorySegment head = payload.take(CHECKSUMS_AT);
    long offset = head.get(JAVA_LONG, OFFSET_AT);
    int bytes = head.get(JAVA_INT, BYTES_AT);
    int blockBytes = head.get(JAVA_INT, BLOCK_BYTES_AT);
    if (offset < 0 || bytes < 0 || blockBytes <= 0) {
      throw payload.damaged(
          "extent of %d bytes, blocks of %d, at %d".formatted(bytes, blockBytes, offset));
    }
    MemorySegment checksums = payload.take((long) blocks(bytes, blockBytes) * Integer.BYTES);
    return new ExtentReference(offset, bytes, blockBytes, checksums);
  }

  private static int blocks(int bytes, int blockBytes) {
    return Math.ceilDiv(bytes, blockBytes);
  }

  /** The same, independent of the record's memory. */
  ExtentReference copied() {
    return new ExtentReference(
        offset, bytes, blockBytes, MemorySegment.ofArray(checksums.toArray(JAVA_INT)));
  }

  /** What it takes in a payload. */
  long length() {
    return CHECKSUMS_AT + PayloadPieces.padded(checksums.byteSize());
  }

  /** Whether the bytes in the home file are those that the checksums were taken of. */
  boolean hasArrived(TableSpace space) {
    MemorySegment values = space.loggedValues(offset, bytes);
    if (values == null) {
      return false;
    }
    for (int b = 0; b < blocks(bytes, blockBytes); b++) {
      long from = (long) b * blockBytes;
      long length = Math.min(blockBytes, bytes - from);
      if (Crc.of(values, from, length) != checksums.getAtIndex(JAVA_INT, b)) {
        return false;
      }
    }
    return true;
  }
}
