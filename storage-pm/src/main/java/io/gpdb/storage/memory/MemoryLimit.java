package io.gpdb.storage.memory;

import com.sun.management.OperatingSystemMXBean;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What an account may take: for statements {@code memory_limit}, from which the tables of a
 * database without files take, too. The tables leave a share to statements, so that what is there
 * can be read and deleted.
 */
final class MemoryLimit {
  /** Below this nobody asks how much memory the machine has. */
  private static final long LITTLE_BYTES = 256L << 20;

  /** What tables leave to statements: an eighth of the limit, or this where it is more. */
  private static final long LEFT_BYTES_MIN = 1L << 20;

  private static final int LEFT_SHARE = 8;

  private static final long UNKNOWN = -1;

  private volatile long bytes;

  /** Bytes of the tables that are included; null where none are. */
  private volatile @Nullable LongSupplier tables;

  private MemoryLimit(long bytes) {
    this.bytes = bytes;
  }

  static MemoryLimit none() {
    return new MemoryLimit(Long.MAX_VALUE);
  }

  /** A part of the machine's memory: half, or four fifths where the tables are counted. */
  static MemoryLimit ofMachine() {
    return new MemoryLimit(UNKNOWN);
  }

  void set(long limitBytes) {
    bytes = limitBytes;
  }

  /** From now on the limit is one of statements and of tables together. */
  void include(LongSupplier tableBytes) {
    tables = tableBytes;
  }

  long bytes() {
    if (bytes == UNKNOWN) {
      bytes = tables == null ? Machine.BYTES / 2 : Machine.BYTES / 5 * 4;
    }
    return bytes;
  }

  /** Asked once in a process: the answer is read from files of the system. */
  private static final class Machine {
    static final long BYTES =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
            ? machine.getTotalMemorySize()
            : Long.MAX_VALUE;
  }

  /** Whether the account has taken more than it may. */
  boolean isExceededBy(long usedBytes) {
    LongSupplier included = tables;
    if (included == null) {
      return isKnownFor(usedBytes) && usedBytes > bytes();
    }
    long tableBytes = included.getAsLong();
    return isKnownFor(usedBytes + tableBytes)
        && usedBytes > bytes() - Math.min(tableBytes, tableBytesMax());
  }

  /** About what the account may still take. */
  long availableBytes(long usedBytes) {
    LongSupplier included = tables;
    long tableBytes = included == null ? 0 : included.getAsLong();
    if (!isKnownFor(2 * (usedBytes + tableBytes))) {
      return LITTLE_BYTES - usedBytes - tableBytes;
    }
    return Math.max(0, bytes() - Math.min(tableBytes, tableBytesMax()) - usedBytes);
  }

  /** Whether the limit matters to so much memory. */
  private boolean isKnownFor(long allBytes) {
    return bytes != UNKNOWN || allBytes > LITTLE_BYTES;
  }

  /** Throws where the included tables may not take that number of bytes more. */
  void requireTableRoom(long moreBytes, long statementBytes) {
    LongSupplier included = tables;
    if (included == null) {
      return;
    }
    long tableBytes = included.getAsLong() + moreBytes;
    if (isKnownFor(tableBytes + statementBytes)
        && (tableBytes > tableBytesMax() || tableBytes > bytes() - statementBytes)) {
      throw new GpdbException(
          ErrorCode.OUT_OF_MEMORY,
          "no memory for tables: bytes=%d, tableBytes=%d, statementBytes=%d, limitBytes=%d"
              .formatted(moreBytes, tableBytes - moreBytes, statementBytes, bytes()));
    }
  }

  /** What the included tables have taken, as a part of a message. */
  String tablesText() {
    LongSupplier included = tables;
    return included == null ? "" : ", tableBytes=" + included.getAsLong();
  }

  private long tableBytesMax() {
    long limit = bytes();
    return Math.max(0, limit - Math.max(LEFT_BYTES_MIN, limit / LEFT_SHARE));
  }
}
