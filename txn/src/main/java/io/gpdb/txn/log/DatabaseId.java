package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;
import java.util.UUID;

/** The id of a database in the headers of its logs: 16 bytes, the upper ones first. */
public final class DatabaseId {
  private DatabaseId() {}

  public static void store(MemorySegment header, long at, UUID databaseId) {
    header.set(JAVA_LONG, at, databaseId.getMostSignificantBits());
    header.set(JAVA_LONG, at + Long.BYTES, databaseId.getLeastSignificantBits());
  }

  /** Throws when the whole header of a log file has the id of another database. */
  public static void require(MemorySegment header, long at, UUID databaseId, String file) {
    UUID found = new UUID(header.get(JAVA_LONG, at), header.get(JAVA_LONG, at + Long.BYTES));
    if (!found.equals(databaseId)) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log file of another database: file=%s, databaseId=%s, of home.gpdb=%s"
              .formatted(file, found, databaseId));
    }
  }
}
