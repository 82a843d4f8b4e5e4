package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One file of the log: the positions from {@link #start} on.
 *
 * @param number of the file; segments follow each other by number
 * @param start the log position of its first record
 */
public record WalSegment(long number, long start, PersistentMemory memory) {
  static final long POSITION_MAX = 1L << 62;

  /** The position behind the last byte that fits. */
  public long limit() {
    return start + memory.sizeBytes() - WalLayout.SEGMENT_RECORDS_AT;
  }

  public long fileOffset(long position) {
    return position - start + WalLayout.SEGMENT_RECORDS_AT;
  }

  /**
   * The segment in the file of that name; null when its header is not whole or not its own.
   *
   * @param databaseId whose the file must be, where its header says it; null for anybody's
   */
  public static @Nullable WalSegment read(
      StorageDirectory directory, String name, @Nullable UUID databaseId) {
    PersistentMemory memory = directory.open(name, WalLayout.SEGMENT_RECORDS_AT);
    if (memory.sizeBytes() < WalLayout.SEGMENT_RECORDS_AT) {
      return null;
    }
    MemorySegment header = Arena.ofAuto().allocate(WalLayout.SEGMENT_HEADER_BYTES, 8);
    memory.load(0, header);
    int crc = header.get(JAVA_INT, WalLayout.SEGMENT_CRC_AT);
    header.set(JAVA_INT, WalLayout.SEGMENT_CRC_AT, 0);
    long number = header.get(JAVA_LONG, WalLayout.SEGMENT_NUMBER_AT);
    int version = header.get(JAVA_INT, WalLayout.SEGMENT_VERSION_AT);
    boolean whole =
        header.get(JAVA_LONG, WalLayout.SEGMENT_MAGIC_AT) == WalLayout.SEGMENT_MAGIC
            && version >= WalLayout.SEGMENT_VERSION_WITHOUT_BYTES
            && version <= WalLayout.SEGMENT_VERSION
            && crc == Crc.of(header, 0, headerBytes(version));
    if (whole && version > WalLayout.SEGMENT_VERSION_WITHOUT_ID && databaseId != null) {
      DatabaseId.require(header, WalLayout.SEGMENT_DATABASE_ID_AT, databaseId, name);
    }
    if (!whole || number != WalLayout.number(name)) {
      return null;
    }
    boolean saysBytes = version > WalLayout.SEGMENT_VERSION_WITHOUT_BYTES;
    long bytes = saysBytes ? header.get(JAVA_LONG, WalLayout.SEGMENT_BYTES_AT) : 0;
    if (memory.sizeBytes() < bytes) {
      return shorter(memory, version, bytes);
    }
    long start = header.get(JAVA_LONG, WalLayout.SEGMENT_START_AT);
    if (start < 0 || start > POSITION_MAX || start % WalLayout.RECORD_ALIGNMENT != 0) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log file has no place in the log: file=%s, start=%d".formatted(name, start));
    }
    return new WalSegment(number, start, memory);
  }

  private static int headerBytes(int version) {
    return switch (version) {
      case WalLayout.SEGMENT_VERSION_WITHOUT_BYTES -> WalLayout.SEGMENT_HEADER_WITHOUT_BYTES;
      case WalLayout.SEGMENT_VERSION_WITHOUT_ID -> WalLayout.SEGMENT_HEADER_WITHOUT_ID;
      default -> WalLayout.SEGMENT_HEADER_BYTES;
    };
  }

  /**
   * The size is durable before the header is stored (W2), so a shorter file was cut. Earlier
   * versions stored the header before; a power loss then may have left it in a file that is not as
   * long, in which nothing was acknowledged. Such a header is ignored: the note of the file before
   * and its records show whether the file was in use.
   */
  private static @Nullable WalSegment shorter(PersistentMemory memory, int version, long bytes) {
    if (version <= WalLayout.SEGMENT_VERSION_BEFORE_SIZE) {
      return null;
    }
    throw new GpdbException(
        ErrorCode.CORRUPTION,
        "log file is cut short: file=%s, sizeBytes=%d, was=%d"
            .formatted(memory.name(), memory.sizeBytes(), bytes));
  }

  /** Makes the first segment of a log, without records; durable, except its name. */
  public static void createFirst(StorageDirectory directory, long start, UUID databaseId) {
    String name = WalLayout.fileName(1);
    try (PersistentMemory memory = directory.open(name, 2L * WalLayout.SEGMENT_RECORDS_AT)) {
      memory.drain(); // the size, before a header says it (W2)
      new WalSegment(1, start, memory).writeHeader(databaseId);
    }
  }

  /**
   * Notes that the log goes on in another segment, whose header and name are durable (W8). Nothing
   * waits for the note to be durable: it is there to detect a file that was deleted or damaged
   * later, not a loss of power.
   */
  void noteNext(long nextNumber) {
    MemorySegment note = Arena.ofAuto().allocate(WalLayout.NEXT_BYTES, 8);
    note.set(JAVA_LONG, 0, WalLayout.NEXT_MAGIC);
    note.set(JAVA_LONG, inNote(WalLayout.NEXT_OWN_NUMBER_AT), number);
    note.set(JAVA_LONG, inNote(WalLayout.NEXT_NUMBER_AT), nextNumber);
    note.set(JAVA_INT, inNote(WalLayout.NEXT_CRC_AT), crcOfNote(note));
    memory.store(WalLayout.NEXT_MAGIC_AT, note);
  }

  private static long inNote(long at) {
    return at - WalLayout.NEXT_MAGIC_AT;
  }

  private static int crcOfNote(MemorySegment note) {
    return Crc.of(note, 0, inNote(WalLayout.NEXT_CRC_AT));
  }

  /** The number of the segment that is said to follow; 0 where none is. */
  long notedNext() {
    MemorySegment note = Arena.ofAuto().allocate(WalLayout.NEXT_BYTES, 8);
    memory.load(WalLayout.NEXT_MAGIC_AT, note);
    boolean whole =
        note.get(JAVA_LONG, 0) == WalLayout.NEXT_MAGIC
            && note.get(JAVA_INT, inNote(WalLayout.NEXT_CRC_AT)) == crcOfNote(note);
    // A file that was taken again has the note of the segment that it was.
    boolean own = note.get(JAVA_LONG, inNote(WalLayout.NEXT_OWN_NUMBER_AT)) == number;
    return whole && own ? note.get(JAVA_LONG, inNote(WalLayout.NEXT_NUMBER_AT)) : 0;
  }

  /** Writes the header; durable on return. */
  void writeHeader(UUID databaseId) {
    MemorySegment header = Arena.ofAuto().allocate(WalLayout.SEGMENT_HEADER_BYTES, 8);
    header.set(JAVA_LONG, WalLayout.SEGMENT_MAGIC_AT, WalLayout.SEGMENT_MAGIC);
    header.set(JAVA_INT, WalLayout.SEGMENT_VERSION_AT, WalLayout.SEGMENT_VERSION);
    header.set(JAVA_LONG, WalLayout.SEGMENT_BYTES_AT, memory.sizeBytes());
    header.set(JAVA_LONG, WalLayout.SEGMENT_NUMBER_AT, number);
    header.set(JAVA_LONG, WalLayout.SEGMENT_START_AT, start);
    DatabaseId.store(header, WalLayout.SEGMENT_DATABASE_ID_AT, databaseId);
    header.set(
        JAVA_INT, WalLayout.SEGMENT_CRC_AT, Crc.of(header, 0, WalLayout.SEGMENT_HEADER_BYTES));
    memory.store(0, header);
    memory.persist(0, WalLayout.SEGMENT_HEADER_BYTES);
  }
}
