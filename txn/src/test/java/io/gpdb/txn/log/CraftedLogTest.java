package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Log records that say what nobody wrote, with right checksums. */
@Timeout(120)
class CraftedLogTest {
  private static final String LOG = WalLayout.fileName(1);
  private static final long[] VALUES = {
    60_000_000_000L, -1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 36, 65_536, 70_000
  };

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  private void fill() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 50, id -> id);
    tx.commit();
    tx = manager.begin();
    update(tx, id -> id < 20, id -> -id);
    SampleDatabase.delete(tx, id -> id == 40);
    tx.commit();
    manager.abandon();
  }

  /** Sets a field of a section of a record, and both checksums of the record. */
  private static void craft(CrashableDirectory files, long record, long field, int width, long v) {
    try (Arena arena = Arena.ofConfined()) {
      PersistentMemory log = files.open(LOG, 0);
      MemorySegment header = arena.allocate(WalLayout.RECORD_HEADER_BYTES, 8);
      log.load(record, header);
      MemorySegment whole = arena.allocate(header.get(JAVA_INT, WalLayout.RECORD_BYTES_AT), 8);
      log.load(record, whole);
      if (width == Long.BYTES) {
        whole.set(JAVA_LONG, field, v);
      } else {
        whole.set(JAVA_INT, field, (int) v);
      }
      long body = WalLayout.RECORD_HEADER_BYTES;
      whole.set(
          JAVA_INT, WalLayout.RECORD_BODY_CRC_AT, Crc.of(whole, body, whole.byteSize() - body));
      whole.set(
          JAVA_INT,
          WalLayout.RECORD_HEADER_CRC_AT,
          Crc.of(whole, 0, WalLayout.RECORD_HEADER_CRC_AT));
      log.store(record, whole);
      log.persist(record, whole.byteSize());
    }
  }

  private static void assertOpensOrIsRefused(CrashableDirectory files, String what) {
    try {
      SampleDatabase.open(files, Protocol.REDO).abandon();
    } catch (GpdbException e) {
      assertThat(e.code()).as(what + ": " + e.getMessage()).isEqualTo(ErrorCode.CORRUPTION);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what, e);
    }
  }

  @Test
  void everyFieldOfASectionIsHeldAgainstWhatTheDatabaseHas() {
    fill();
    PersistentMemory log = directory.open(LOG, 0);
    long at = WalLayout.SEGMENT_RECORDS_AT;
    int sections = 0;
    for (MemorySegment record = read(log, at); record != null; record = read(log, at)) {
      long section = WalLayout.RECORD_HEADER_BYTES;
      for (int s = 0; s < record.get(JAVA_INT, WalLayout.RECORD_SECTIONS_AT); s++) {
        String kind = "section kind " + record.get(JAVA_SHORT, section) + " of record at " + at;
        for (long value : VALUES) {
          for (int field = 0; field < WalLayout.SECTION_HEADER_BYTES; field += Integer.BYTES) {
            int width = field == WalLayout.SECTION_EXTRA_AT ? Long.BYTES : Integer.BYTES;
            try (CrashableDirectory copy = directory.crash(CrashChoice.keepAll())) {
              craft(copy, at, section + field, width, value);
              assertOpensOrIsRefused(copy, kind + ", field " + field + " = " + value);
            }
          }
        }
        section +=
            WalLayout.SECTION_HEADER_BYTES
                + record.get(JAVA_INT, section + WalLayout.SECTION_PAYLOAD_BYTES_AT);
        sections++;
      }
      at += record.byteSize();
    }
    assertThat(sections).isGreaterThan(5);
  }

  private static MemorySegment read(PersistentMemory log, long at) {
    MemorySegment header = Arena.ofAuto().allocate(WalLayout.RECORD_HEADER_BYTES, 8);
    log.load(at, header);
    if (header.get(JAVA_INT, WalLayout.RECORD_MAGIC_AT) != WalLayout.RECORD_MAGIC) {
      return null;
    }
    int bytes = header.get(JAVA_INT, WalLayout.RECORD_BYTES_AT);
    MemorySegment whole = Arena.ofAuto().allocate(bytes, 8);
    log.load(at, whole);
    return whole;
  }

  @Test
  void aRecordThatAsksForSixtyThousandMillionRowsIsRefused() {
    fill();
    long record = WalLayout.SEGMENT_RECORDS_AT;
    PersistentMemory log = directory.open(LOG, 0);
    long second = record + read(log, record).byteSize();
    for (long rows : new long[] {60_000_000_000L, 1L << 36}) {
      try (CrashableDirectory copy = directory.crash(CrashChoice.keepAll())) {
        long section = WalLayout.RECORD_HEADER_BYTES;
        craft(copy, second, section, Integer.BYTES, SectionKind.ROW_LIMIT.code());
        craft(copy, second, section + WalLayout.SECTION_TABLE_AT, 4, SampleDatabase.TABLE);
        craft(copy, second, section + WalLayout.SECTION_EXTRA_AT, Long.BYTES, rows);
        org.assertj.core.api.Assertions.assertThatThrownBy(
                () -> SampleDatabase.open(copy, Protocol.REDO))
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
            .hasMessageContaining("ROW_LIMIT");
      }
    }
  }
}
