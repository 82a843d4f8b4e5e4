package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.open;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.WalLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Opening refuses a log whose last record is whole and says what nobody writes. */
class RefusedRecordsTest {
  private static final int TRANSACTION_AT = 24;
  private static final String FIRST = WalLayout.fileName(1);

  private final CrashableDirectory directory = new CrashableDirectory();
  private long last;

  @BeforeEach
  void make() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    for (int i = 0; i < 3; i++) {
      last = manager.logPosition() + WalLayout.SEGMENT_RECORDS_AT;
      Transaction tx = manager.begin();
      insert(tx, 10 * i, 10, id -> id);
      tx.commit();
    }
    manager.abandon();
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private void reseal(CrashableDirectory files, Consumer<MemorySegment> change) {
    try (Arena arena = Arena.ofConfined();
        PersistentMemory file = files.open(FIRST, 0)) {
      MemorySegment header = arena.allocate(WalLayout.RECORD_HEADER_BYTES, 8);
      file.load(last, header);
      change.accept(header);
      int crc = Crc.of(header, 0, WalLayout.RECORD_HEADER_CRC_AT);
      header.set(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT, crc);
      file.store(last, header);
      file.persist(last, header.byteSize());
    }
  }

  private void assertRefused(String message, Consumer<MemorySegment> change) {
    try (CrashableDirectory changed = directory.crash(CrashChoice.keepAll())) {
      reseal(changed, change);
      assertThatThrownBy(() -> open(changed, Protocol.REDO).abandon())
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
          .hasMessageContaining(message);
    }
  }

  private void assertOpens(int rows, Consumer<MemorySegment> change) {
    try (CrashableDirectory changed = directory.crash(CrashChoice.keepAll())) {
      reseal(changed, change);
      TransactionManager manager = open(changed, Protocol.REDO);
      assertThat(contents(manager)).isEqualTo(expected(0, rows, id -> id));
      manager.abandon();
    }
  }

  @Test
  void ofAnUnknownKind() {
    assertOpens(30, h -> {});
    assertRefused("kind=9", h -> h.set(JAVA_SHORT, WalLayout.RECORD_KIND_AT, (short) 9));
    assertRefused("kind=0", h -> h.set(JAVA_SHORT, WalLayout.RECORD_KIND_AT, (short) 0));
  }

  @Test
  void ofACommitThatIsNotTheNext() {
    for (long sequence : new long[] {-1, 0, 1, 2, 3}) {
      assertRefused("commit", h -> h.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, sequence));
    }
    assertRefused("commit", h -> h.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, Long.MAX_VALUE));
    assertOpens(30, h -> h.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, 5));
    assertOpens(30, h -> h.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, 4000));
  }

  @Test
  void ofATransactionThatNobodyHas() {
    assertRefused("transaction -1", h -> h.set(JAVA_LONG, TRANSACTION_AT, -1));
    assertRefused("transaction", h -> h.set(JAVA_LONG, TRANSACTION_AT, (1L << 62) + 1));
    assertOpens(30, h -> h.set(JAVA_LONG, TRANSACTION_AT, 7000));
  }

  @Test
  void thatEndsATransactionThatDidNotBegin() {
    assertRefused("ends transaction", h -> flags(h, WalLayout.FLAG_LAST));
    assertOpens(20, h -> flags(h, WalLayout.FLAG_FIRST));
  }

  private static void flags(MemorySegment header, int flags) {
    header.set(JAVA_INT, 56, flags);
  }

  @Test
  void ofABatchThatBeginsBehindIt() {
    long position = last - WalLayout.SEGMENT_RECORDS_AT;
    assertOpens(30, h -> h.set(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT, position));
    for (long start : new long[] {-1, -4096, position + 1, position + 64}) {
      assertRefused("batch", h -> h.set(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT, start));
    }
  }
}
