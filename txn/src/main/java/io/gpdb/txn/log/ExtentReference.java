package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.table.LoggedValues;
import io.gpdb.txn.log.WalRecord.Section;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a log record says that values lie in the home file, with the checksums that tell whether
 * they arrived.
 *
 * <pre>
 *   0        8       12           16
 *   | offset | bytes | blockBytes | i32 checksum of each block ... zero to 8
 * </pre>
 *
 * @param checksums i32 for each {@code blockBytes} of the extent
 */
public record ExtentReference(long offset, int bytes, int blockBytes, MemorySegment checksums) {
  public static final int OFFSET_AT = 0;
  public static final int BYTES_AT = 8;
  public static final int BLOCK_BYTES_AT = 12;
  public static final int CHECKSUMS_AT = 16;

  public static void append(RecordBuffer record, LoggedValues values) {
    MemorySegment head = record.reserve(CHECKSUMS_AT);
    head.set(JAVA_LONG, OFFSET_AT, values.offset());
    head.set(JAVA_INT, BYTES_AT, Math.toIntExact(values.bytes()));
    head.set(JAVA_INT, BLOCK_BYTES_AT, values.blockBytes());
    record.copy(MemorySegment.ofArray(values.checksums()));
  }

  public static ExtentReference read(MemorySegment payload, long at) {
    requireInside(payload, at + CHECKSUMS_AT);
    int bytes = payload.get(JAVA_INT, at + BYTES_AT);
    int blockBytes = payload.get(JAVA_INT, at + BLOCK_BYTES_AT);
    if (bytes < 0 || blockBytes <= 0) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "extent reference is damaged: bytes=%d, blockBytes=%d".formatted(bytes, blockBytes));
    }
    long checksums = (long) blocks(bytes, blockBytes) * Integer.BYTES;
    requireInside(payload, at + CHECKSUMS_AT + checksums);
    return new ExtentReference(
        payload.get(JAVA_LONG, at + OFFSET_AT),
        bytes,
        blockBytes,
        payload.asSlice(at + CHECKSUMS_AT, checksums));
  }

  private static void requireInside(MemorySegment payload, long end) {
    if (end > payload.byteSize()) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "extent reference leaves its section: end=%d, payloadBytes=%d"
              .formatted(end, payload.byteSize()));
    }
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
  public long length() {
    return CHECKSUMS_AT + WalLayout.align(checksums.byteSize(), WalLayout.SECTION_ALIGNMENT);
  }

  /** The references of a section, by column; empty for kinds that have none. */
  static List<ExtentReference> of(Section section) {
    return switch (section.kind()) {
      case VERSION -> List.of(read(section.payload(), 0));
      case INSERT_BESIDE -> ofInsert(section);
      case CREATE_TABLE,
          DROP_TABLE,
          DICTIONARY,
          STRINGS,
          INSERT,
          UPDATE,
          DELETE,
          INSERT_IN_PLACE,
          EXTENT,
          HINTS,
          ROW_LIMIT ->
          List.of();
    };
  }

  private static List<ExtentReference> ofInsert(Section section) {
    List<ExtentReference> all = new ArrayList<>();
    long at = 0;
    for (int c = 0; c < section.tablet(); c++) {
      requireInside(section.payload(), at + Long.BYTES);
      at += section.validityBytes(at);
      ExtentReference reference = read(section.payload(), at);
      all.add(reference);
      at += reference.length();
    }
    return all;
  }

  /** Whether what lies in the home file is what the checksums were taken of. */
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
