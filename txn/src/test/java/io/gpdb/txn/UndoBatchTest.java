package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.KernelTrap;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.protocol.UndoLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches in place: one append to the undo log for all tablets and columns. */
class UndoBatchTest {
  private static final int COLUMNS_SET = 3;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  private static TransactionManager filled(
      CrashableDirectory directory, TxnOptions options, int rows) {
    withTable(directory, options.protocol()).close();
    TransactionManager manager = TransactionManager.open(directory, SampleDatabase.DEVICE, options);
    Transaction tx = manager.begin();
    insert(tx, 0, rows, id -> id % 5 == 0 ? NULL : id);
    tx.commit();
    return manager;
  }

  private TransactionManager filled(int rows) {
    return filled(directory, TxnOptions.standard().withProtocol(Protocol.UNDO), rows);
  }

  @Test
  void launchesAndDrainsDoNotGrowWithTabletsAndColumns() {
    try (TransactionManager manager = filled(2 * Tablet.ROWS + 500)) {
      Transaction tx = manager.begin();
      SampleBatches.update(tx, id -> id % 1000 == 7, 1); // takes the chunks in place
      long launches = SampleDatabase.DEVICE.counters().snapshot().launches();
      long drains = manager.statistics().persisted().drains();
      SampleBatches.update(tx, id -> id % 500 == 7, 1);
      assertThat(SampleDatabase.DEVICE.counters().snapshot().launches() - launches)
          .as("one that logs old values, one that stores new ones")
          .isEqualTo(2);
      assertThat(manager.statistics().persisted().drains() - drains)
          .as("old values, headers, new values")
          .isEqualTo(3);
      tx.commit();
    }
  }

  @ParameterizedTest
  @EnumSource(LogKind.class)
  void batchesOverTabletsAreWholeAndUndone(LogKind kind) {
    TxnOptions options = TxnOptions.standard().withProtocol(Protocol.UNDO).withLog(kind);
    try (TransactionManager manager = filled(directory, options, Tablet.ROWS + 500)) {
      Map<Integer, Long> rows = contents(manager);
      Transaction undone = manager.begin();
      SampleBatches.update(undone, id -> id % 100 == 3 || id >= Tablet.ROWS, 17);
      undone.rollback();
      assertThat(contents(manager)).isEqualTo(rows);
      Transaction kept = manager.begin();
      SampleBatches.update(kept, id -> id % 100 == 4, 5);
      kept.commit();
      rows.replaceAll((id, old) -> id % 100 == 4 && old != NULL ? old + 5 : old);
      assertThat(contents(manager)).isEqualTo(rows);
    }
  }

  /** Where somebody else has changed a column by the log, it is not taken in place (M2). */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void givenValuesOverTabletsAreWhole(boolean partlyByTheLog) {
    int first = Tablet.ROWS - 60;
    try (TransactionManager manager = filled(Tablet.ROWS + 500)) {
      Map<Integer, Long> rows = contents(manager);
      Transaction other = manager.begin();
      if (partlyByTheLog) {
        other.protocol(Protocol.REDO);
        update(other, id -> id == 3, id -> 33L);
      }
      Transaction undone = manager.begin();
      SampleBatches.give(undone, first, 100, id -> id * 2);
      undone.rollback();
      assertThat(contents(manager)).isEqualTo(rows);
      Transaction tx = manager.begin();
      SampleBatches.give(tx, first, 100, id -> id % 9 == 0 ? NULL : id * 3);
      tx.commit();
      other.rollback();
      manager.abandon();
      rows.replaceAll(
          (id, old) ->
              id < first || id >= first + 100 ? old : Long.valueOf(id % 9 == 0 ? NULL : id * 3L));
      try (CrashableDirectory after = directory.crash(CrashChoice.keepNothing());
          TransactionManager again = SampleDatabase.open(after, Protocol.UNDO)) {
        assertThat(contents(again)).isEqualTo(rows);
      }
    }
  }

  @Test
  void whatALaunchThatTrappedHasStoredIsUndone() {
    try (TransactionManager manager = filled(300)) {
      Map<Integer, Long> rows = contents(manager);
      Integer[] ids = IntStream.range(1, 200).boxed().toArray(Integer[]::new);
      Transaction tx = manager.begin();
      update(tx, id -> id == 250, id -> 1L);
      Savepoint statement = tx.savepoint();
      assertThatThrownBy(() -> SampleBatches.doubleUntil(tx, ids, 133))
          .isInstanceOf(KernelTrap.class);
      tx.rollbackTo(statement);
      tx.commit();
      manager.abandon();
      rows.put(250, 1L);
      try (CrashableDirectory after = directory.crash(CrashChoice.keepNothing());
          TransactionManager again = SampleDatabase.open(after, Protocol.UNDO)) {
        assertThat(contents(again)).isEqualTo(rows);
      }
    }
  }

  /** Where the records of the undo log begin, in order. */
  private List<Long> records() {
    List<Long> places = new ArrayList<>();
    try (PersistentMemory undo = directory.open(UndoLayout.FILE_NAME, 0)) {
      long at = UndoLayout.RECORDS_AT;
      while (word(undo, at + UndoLayout.MAGIC_AT) == UndoLayout.RECORD_MAGIC) {
        places.add(at);
        int regionBytes = word(undo, at + UndoLayout.REGION_BYTES_AT);
        at = WalLayout.align(at + UndoLayout.HEADER_BYTES + regionBytes, UndoLayout.ALIGNMENT);
      }
    }
    return places;
  }

  private static int word(PersistentMemory memory, long at) {
    byte[] bytes = new byte[Integer.BYTES];
    memory.load(at, MemorySegment.ofArray(bytes));
    return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_INT_UNALIGNED, 0);
  }

  private void assertRefused(long record) {
    try (CrashableDirectory damaged = directory.crash(CrashChoice.keepAll())) {
      damaged.flipBit(UndoLayout.FILE_NAME, record + UndoLayout.TABLET_AT, 0);
      assertThatThrownBy(() -> SampleDatabase.open(damaged, Protocol.UNDO))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
          .hasMessageContaining("undo log is damaged");
    }
  }

  /** The columns' values are those of before: the test makes a header of the last append vanish. */
  @Test
  void anAppendOfWhichThePowerLeftAPartIsNoDamage() {
    TransactionManager manager = filled(200);
    Transaction first = manager.begin();
    SampleBatches.update(first, id -> id < 50, 3);
    first.commit();
    Map<Integer, Long> rows = contents(manager);
    Transaction open = manager.begin();
    SampleBatches.update(open, id -> id < 100, 0);
    manager.abandon();
    List<Long> places = records();
    assertThat(places).hasSize(2 * COLUMNS_SET);
    for (long record : places.subList(COLUMNS_SET, 2 * COLUMNS_SET)) {
      try (CrashableDirectory torn = directory.crash(CrashChoice.keepAll())) {
        torn.flipBit(UndoLayout.FILE_NAME, record + UndoLayout.TABLET_AT, 0);
        try (TransactionManager again = SampleDatabase.open(torn, Protocol.UNDO)) {
          assertThat(contents(again)).isEqualTo(rows);
          Transaction tx = again.begin();
          SampleBatches.update(tx, id -> id < 60, 4);
          tx.rollback();
          assertThat(contents(again)).isEqualTo(rows);
        }
      }
    }
  }

  @Test
  void aRecordOfAnEarlierAppendIsMissed() {
    TransactionManager manager = filled(200);
    Transaction open = manager.begin();
    SampleBatches.update(open, id -> id < 100, 3);
    SampleBatches.update(open, id -> id < 90, 4);
    manager.abandon();
    List<Long> places = records();
    assertThat(places).hasSize(2 * COLUMNS_SET);
    places.subList(0, COLUMNS_SET).forEach(this::assertRefused);
  }

  @Test
  void aRecordOfTheLastAppendIsMissedWhenTheOthersHaveEnded() {
    TransactionManager manager = filled(200);
    Transaction tx = manager.begin();
    SampleBatches.update(tx, id -> id < 100, 3);
    tx.commit();
    manager.abandon();
    List<Long> places = records();
    assertThat(places).hasSize(COLUMNS_SET);
    places.subList(0, COLUMNS_SET - 1).forEach(this::assertRefused);
  }

  /** Records of several MiB; the first is damaged, and only a record MiBs later proves it. */
  @Test
  void theProofOfADamageIsFoundBehindAllRecordsOfTheAppend() {
    TransactionManager manager = filled(2 * Tablet.ROWS);
    Transaction open = manager.begin();
    SampleBatches.update(open, id -> true, 3);
    update(open, id -> id == 1, id -> 77);
    manager.abandon();
    assertRefused(UndoLayout.RECORDS_AT);
  }
}
