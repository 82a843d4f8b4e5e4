package io.gpdb.txn.protocol;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
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
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalSegment;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A killed database of which one bit is flipped afterwards. Where the log has lost a commit whose
 * values are in place, what the undo log says of it proves the loss (U5): no half of the
 * transaction is ever seen.
 */
class LostCommitTest {
  private static final int ROWS = 100;

  private final CrashableDirectory directory = new CrashableDirectory();
  private Map<Integer, Long> whole = Map.of();
  private long lastRecord;
  private long logEnd;

  @BeforeEach
  void make() {
    TransactionManager manager = withTable(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
    manager.close();
  }

  @AfterEach
  void close() {
    directory.close();
  }

  /** Updates in place, and inserts and deletes by the log, in one transaction; then a kill. */
  private void commitAndKill(Protocol inserts, boolean checkpoint) {
    TransactionManager manager = SampleDatabase.open(directory, Protocol.AUTO);
    Transaction tx = manager.begin();
    tx.protocol(Protocol.UNDO);
    update(tx, id -> id == 1, id -> 50);
    tx.commit();
    lastRecord = manager.logPosition();
    tx = manager.begin();
    tx.protocol(Protocol.UNDO);
    update(tx, id -> id % 2 == 0, id -> id + 1000);
    tx.protocol(inserts);
    insert(tx, ROWS, 40, id -> id);
    delete(tx, id -> id == 33);
    tx.commit();
    logEnd = manager.logPosition();
    whole = contents(manager);
    if (checkpoint) {
      manager.checkpoint();
    }
    manager.abandon();
  }

  /** What a database with that bit flipped holds, or null where opening refuses it. */
  private @Nullable Map<Integer, Long> flipped(String file, long offset, int bit) {
    try (CrashableDirectory damaged = directory.crash(CrashChoice.keepAll())) {
      damaged.flipBit(file, offset, bit);
      TransactionManager manager = SampleDatabase.open(damaged, Protocol.AUTO);
      try {
        return contents(manager);
      } finally {
        manager.abandon();
      }
    } catch (GpdbException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION);
      return null;
    }
  }

  /** The last one that is in use: behind it there may be one that was made ahead. */
  private String logFile() {
    return directory.names().stream()
        .filter(WalLayout::isFileName)
        .filter(name -> WalSegment.read(directory, name, null) != null)
        .toList()
        .getLast();
  }

  private long fileOffset(long position) {
    return Objects.requireNonNull(WalSegment.read(directory, logFile(), null)).fileOffset(position);
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "CHECKSUMMED"})
  void aDamagedLastRecordIsRefusedWhenItsValuesLieInPlace(Protocol inserts) {
    commitAndKill(inserts, false);
    String log = logFile();
    long from = fileOffset(lastRecord);
    long to = fileOffset(logEnd);
    for (long at = from; at < to; at += 7) {
      assertThat(flipped(log, at, (int) (at % 8))).as("byte %d of %s", at, log).isNull();
    }
    assertThatThrownBy(
            () -> {
              try (CrashableDirectory damaged = directory.crash(CrashChoice.keepAll())) {
                damaged.flipBit(log, from, 0);
                SampleDatabase.open(damaged, Protocol.REDO).abandon();
              }
            })
        .hasMessageContaining("undo.gpdb holds values of commit");
  }

  /** Of the transaction that was open nothing is put back either: the refusal comes first. */
  @Test
  void aDamagedLastRecordIsRefusedBesideAnOpenTransaction() {
    TransactionManager manager = SampleDatabase.open(directory, Protocol.UNDO);
    Transaction open = manager.begin();
    update(open, id -> id == 7, id -> 77);
    lastRecord = manager.logPosition();
    Transaction tx = manager.begin();
    update(tx, id -> id == 8, id -> 88);
    tx.commit();
    manager.abandon();
    assertThat(flipped(logFile(), fileOffset(lastRecord) + 40, 3)).isNull();
  }

  @Test
  void valuesBesideTheLogThatWereDamagedTakeNoPartOfTheTransactionAway() {
    commitAndKill(Protocol.CHECKSUMMED, false);
    int refused = 0;
    try (PersistentMemory home = directory.open("home.gpdb", 0)) {
      byte[] line = new byte[64];
      for (long at = 8192; at + line.length <= home.sizeBytes(); at += line.length) {
        home.load(at, MemorySegment.ofArray(line));
        if (line[0] != 0) {
          Map<Integer, Long> found = flippedOrTorn(at);
          refused += found == null ? 1 : 0;
          assertThat(found == null || found.keySet().equals(whole.keySet()))
              .as("at " + at)
              .isTrue();
        }
      }
    }
    assertThat(refused).isPositive();
  }

  /** W5. What proves the loss begins far behind the record that was damaged. */
  @Test
  void aLongRecordThatWasDamagedIsMissedWhereACommitFollows() {
    TransactionManager manager = SampleDatabase.open(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, ROWS, 60_000, id -> id);
    lastRecord = manager.logPosition();
    tx.commit();
    assertThat(manager.logPosition() - lastRecord).isGreaterThan(1 << 20);
    tx = manager.begin();
    update(tx, id -> id == 1, id -> 50);
    tx.commit();
    manager.abandon();
    assertThat(flipped(logFile(), fileOffset(lastRecord) + 16, 0)).isNull();
  }

  /** W5. A commit behind them proves that they had arrived: it is not left out with them. */
  @ParameterizedTest
  @EnumSource(names = {"VERSIONED", "CHECKSUMMED"})
  void valuesBesideTheLogThatWereDamagedAreMissedWhereACommitFollows(Protocol protocol) {
    TransactionManager manager = SampleDatabase.open(directory, Protocol.AUTO);
    for (Protocol each : new Protocol[] {protocol, Protocol.REDO}) {
      Transaction tx = manager.begin();
      tx.protocol(each);
      update(tx, id -> id < ROWS, id -> id + 1000);
      insert(tx, ROWS + each.ordinal() * 100, 64, id -> id);
      tx.commit();
    }
    whole = contents(manager);
    manager.abandon();
    int refused = 0;
    try (PersistentMemory home = directory.open("home.gpdb", 0)) {
      byte[] line = new byte[64];
      for (long at = 8192; at + line.length <= home.sizeBytes(); at += line.length) {
        home.load(at, MemorySegment.ofArray(line));
        if (line[0] != 0) {
          Map<Integer, Long> found = flipped("home.gpdb", at, 0);
          refused += found == null ? 1 : 0;
          assertThat(found == null || found.equals(whole)).as("at " + at).isTrue();
        }
      }
    }
    assertThat(refused).isPositive();
  }

  /** Extents open for writing in place have no checksum: there a row may be found to be torn. */
  private @Nullable Map<Integer, Long> flippedOrTorn(long offset) {
    try {
      return flipped("home.gpdb", offset, 0);
    } catch (AssertionError e) {
      assertThat(e).hasMessageContaining("torn");
      return whole;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noBitOfTheUndoLogTakesACommittedValueAway(boolean checkpoint) {
    commitAndKill(Protocol.REDO, checkpoint);
    try (PersistentMemory undo = directory.open(UndoLayout.FILE_NAME, 0)) {
      byte[] one = new byte[1];
      for (long at = 0; at < UndoLayout.RECORDS_AT + 4 * UndoLayout.HEADER_BYTES; at++) {
        undo.load(at, MemorySegment.ofArray(one));
        if (one[0] != 0) {
          Map<Integer, Long> found = flipped(UndoLayout.FILE_NAME, at, (int) (at % 8));
          assertThat(found == null || found.equals(whole)).as("byte %d", at).isTrue();
        }
      }
    }
  }

  @Test
  void whatTheUndoLogKnewIsKnownWhenItWasEmptied() {
    commitAndKill(Protocol.REDO, false);
    TransactionManager manager = SampleDatabase.open(directory, Protocol.UNDO);
    Transaction tx = manager.begin();
    update(tx, id -> id == 3, id -> -3);
    tx.rollback();
    assertThat(manager.logPosition()).isEqualTo(logEnd);
    manager.abandon();
    assertThat(flipped(logFile(), fileOffset(lastRecord), 0)).isNull();
    assertThat(flipped(logFile(), fileOffset(logEnd) + 64, 0)).isEqualTo(whole);
  }

  @Test
  void aTransactionThatWasNotMarkedIsAbsentAsAWhole() {
    TransactionManager manager = SampleDatabase.open(directory, Protocol.UNDO);
    Map<Integer, Long> before = contents(manager);
    lastRecord = manager.logPosition();
    Transaction tx = manager.begin();
    update(tx, id -> id % 2 == 0, id -> id + 1000);
    insert(tx, ROWS, 40, id -> id);
    tx.commit();
    manager.abandon();
    // The marks are flushed, not drained: with the power they may go.
    try (CrashableDirectory unmarked = directory.crash(CrashChoice.keepNothing())) {
      unmarked.flipBit(logFile(), fileOffset(lastRecord), 0);
      TransactionManager again = SampleDatabase.open(unmarked, Protocol.UNDO);
      assertThat(contents(again)).isEqualTo(before);
      again.abandon();
    }
  }

  @Test
  void noRecordOfTheUndoLogGoesUnnoticed() {
    TransactionManager manager = SampleDatabase.open(directory, Protocol.UNDO);
    whole = contents(manager);
    Transaction open = manager.begin();
    for (int round = 0; round < 3; round++) {
      int add = round;
      update(open, id -> id < 40, id -> id + add);
    }
    manager.abandon();
    long record = UndoLayout.RECORDS_AT;
    for (int i = 0; i < 4; i++) {
      for (long at = record; at < record + UndoLayout.HEADER_BYTES; at += 5) {
        Map<Integer, Long> found = flipped(UndoLayout.FILE_NAME, at, (int) (at % 8));
        assertThat(found == null || found.equals(whole)).as("byte %d", at).isTrue();
      }
      record = next(record);
    }
  }

  private long next(long record) {
    try (PersistentMemory undo = directory.open(UndoLayout.FILE_NAME, 0)) {
      byte[] bytes = new byte[Integer.BYTES];
      MemorySegment region = MemorySegment.ofArray(bytes);
      undo.load(record + UndoLayout.REGION_BYTES_AT, region);
      int regionBytes = region.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
      assertThat(regionBytes).as("region of the record at %d", record).isPositive();
      long end = record + UndoLayout.HEADER_BYTES + regionBytes;
      return WalLayout.align(end, UndoLayout.ALIGNMENT);
    }
  }
}
