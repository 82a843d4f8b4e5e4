package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.open;
import static io.gpdb.txn.SampleDatabase.update;
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
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.protocol.UndoLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each kind of damage of the logs is found by reading them, and its place is named. */
class LogCheckTest {
  private static final String FIRST = WalLayout.fileName(1);
  private static final int TORN_BYTES = 100;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** Four transactions on the table; returns where the record of each begins in the first file. */
  private long[] fourTransactions(boolean checkpoint) {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    long[] starts = new long[4];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = manager.logPosition() + WalLayout.SEGMENT_RECORDS_AT;
      int from = 10 * i;
      Transaction tx = manager.begin();
      insert(tx, from, 10, id -> id);
      tx.commit();
    }
    if (checkpoint) {
      manager.checkpoint();
    }
    manager.abandon();
    assertThat(LogCheck.run(directory)).isEmpty();
    return starts;
  }

  private void assertFound(String... parts) {
    List<String> problems = LogCheck.run(directory);
    assertThat(problems).isNotEmpty();
    assertThat(problems.getFirst()).contains(parts);
  }

  /** Changes the header of a whole record and seals it again. */
  private void reseal(long at, Consumer<MemorySegment> change) {
    PersistentMemory file = directory.open(FIRST, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(WalLayout.RECORD_HEADER_BYTES, 8);
      file.load(at, header);
      change.accept(header);
      int crc = Crc.of(header, 0, WalLayout.RECORD_HEADER_CRC_AT);
      header.set(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT, crc);
      file.store(at, header);
      file.persist(at, header.byteSize());
    }
  }

  @Test
  void aDamagedSegmentHeaderIsFound() {
    fourTransactions(false);
    directory.flipBit(FIRST, WalLayout.SEGMENT_START_AT, 2);
    assertFound("without a whole header", FIRST);
  }

  @Test
  void aRecordDamagedBeforeTheCheckpointIsFound() {
    long[] starts = fourTransactions(true);
    long at = starts[1] + TORN_BYTES;
    directory.flipBit(FIRST, at, 5);
    assertFound(
        "log ends at position=" + (starts[1] - WalLayout.SEGMENT_RECORDS_AT),
        "checksum of record body",
        FIRST);
  }

  @Test
  void aRecordOfAnUnknownKindIsFoundWithItsTable() {
    long[] starts = fourTransactions(false);
    reseal(starts[2], header -> header.set(JAVA_SHORT, WalLayout.RECORD_KIND_AT, (short) 9));
    assertFound("unknown kind=9", FIRST, "table=" + SampleDatabase.TABLE);
  }

  @Test
  void aSequenceThatFallsIsFoundWithItsTable() {
    long[] starts = fourTransactions(false);
    reseal(starts[3], header -> header.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, 1));
    assertFound("sequence=1 after", FIRST, "table=" + SampleDatabase.TABLE);
  }

  @Test
  void aBatchThatBeginsBehindItsRecordIsFoundWithItsTable() {
    long[] starts = fourTransactions(false);
    reseal(starts[3], header -> header.set(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT, 1 << 20));
    assertFound("batch begins behind it", FIRST, "table=" + SampleDatabase.TABLE);
  }

  /** Fills one file after the other; returns how many rows there are. */
  private int severalFiles() {
    TxnOptions options = TxnOptions.standard().withLogFileBytes(8 << 10);
    TransactionManager manager = TransactionManager.open(directory, SampleDatabase.DEVICE, options);
    Transaction tx = manager.begin();
    tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
    tx.commit();
    manager.checkpoint();
    int rows = 0;
    while (lastFile() < 4) {
      tx = manager.begin();
      insert(tx, rows, 10, id -> id);
      tx.commit();
      rows += 10;
    }
    manager.abandon();
    assertThat(LogCheck.run(directory)).isEmpty();
    return rows;
  }

  private long lastFile() {
    return directory.names().stream()
        .filter(WalLayout::isFileName)
        .mapToLong(WalLayout::number)
        .max()
        .orElse(0);
  }

  @Test
  void aFileThatIsMissingInTheMiddleIsFound() {
    severalFiles();
    directory.delete(WalLayout.fileName(3));
    assertFound("but goes on to", WalLayout.fileName(2));
  }

  @Test
  void theNewestFileIsMissedByTheOneBeforeAndOpeningIsRefused() {
    int rows = severalFiles();
    try (CrashableDirectory whole = directory.crash(CrashChoice.keepAll());
        TransactionManager manager = open(whole, Protocol.REDO)) {
      assertThat(contents(manager)).hasSize(rows);
    }
    String newest = WalLayout.fileName(lastFile());
    directory.delete(newest);
    assertFound("log file missing", newest);
    assertThatThrownBy(() -> open(directory, Protocol.REDO))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
        .hasMessageContaining("log file missing")
        .hasMessageContaining(newest);
  }

  @Test
  void anUndoRecordThatIsDamagedIsFound() {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 40, id -> id);
    tx.commit();
    Transaction unfinished = manager.begin();
    update(unfinished, id -> true, id -> -id);
    manager.abandon();
    assertThat(LogCheck.run(directory)).isEmpty();
    directory.flipBit(UndoLayout.FILE_NAME, 4096 + UndoLayout.HEADER_BYTES + 5, 1);
    assertFound("checksum of undo record", UndoLayout.FILE_NAME, "offset=4096");
  }
}
