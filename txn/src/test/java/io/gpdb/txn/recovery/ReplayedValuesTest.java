package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What each way to the medium leaves of values, of NULL and of keys, read back after a loss of
 * power.
 */
class ReplayedValuesTest {
  private static final long NULL = Long.MIN_VALUE;
  private static final int ROWS = 100;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  private void open(Protocol protocol) {
    manager = withTable(directory, protocol);
  }

  private void commit(Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private Map<Integer, Long> assertSameAfterLossOfPower(Protocol protocol) {
    Map<Integer, Long> expected = SampleDatabase.contents(manager);
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, protocol)) {
      assertThat(SampleDatabase.contents(again)).isEqualTo(expected);
      assertThat(again.check()).isEmpty();
    }
    return expected;
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED"})
  void valuesBecomeNullAndComeBack(Protocol protocol) {
    open(protocol);
    commit(tx -> insert(tx, 0, ROWS, id -> id));
    commit(tx -> update(tx, id -> true, id -> id + 1));
    assertSameAfterLossOfPower(protocol);
    commit(tx -> update(tx, id -> id < 3, id -> -id));
    assertSameAfterLossOfPower(protocol);
    commit(tx -> update(tx, id -> id % 2 == 0, id -> NULL));
    assertSameAfterLossOfPower(protocol);
    commit(tx -> update(tx, id -> id < 3, id -> id + 2));
    assertThat(assertSameAfterLossOfPower(protocol)).containsEntry(0, 2L).containsEntry(4, NULL);
    commit(tx -> insert(tx, ROWS, ROWS, id -> id % 3 == 0 ? NULL : id));
    commit(tx -> update(tx, id -> id % 4 == 0, id -> id));
    assertSameAfterLossOfPower(protocol);
    commit(tx -> update(tx, id -> true, id -> id + 7));
    assertSameAfterLossOfPower(protocol);
    manager.checkpoint();
    assertSameAfterLossOfPower(protocol);
    commit(tx -> update(tx, id -> id == 70, id -> NULL));
    commit(tx -> insert(tx, 2 * ROWS, 40, id -> id == 230 ? NULL : id));
    assertSameAfterLossOfPower(protocol);
    manager.checkpoint();
    assertThat(assertSameAfterLossOfPower(protocol)).containsEntry(70, NULL).hasSize(240);
  }

  /** Values that are inserted by the log into a chunk in place are there when the log is not. */
  @Test
  void whatIsLoggedForAChunkInPlaceIsInItsHome() {
    open(Protocol.AUTO);
    commit(tx -> insert(tx, 0, 50, id -> id % 5 == 0 ? NULL : id));
    commit(
        tx -> {
          tx.protocol(Protocol.UNDO);
          update(tx, id -> id < 10, id -> id % 2 == 0 ? NULL : -id);
        });
    commit(
        tx -> {
          tx.protocol(Protocol.REDO);
          insert(tx, 50, 200, id -> id % 3 == 0 ? NULL : id);
        });
    assertSameAfterLossOfPower(Protocol.AUTO);
    manager.checkpoint();
    assertSameAfterLossOfPower(Protocol.AUTO);
  }

  private long[] rows(Transaction tx, int n) {
    long[] rows = new long[n];
    for (int i = 0; i < n; i++) {
      rows[i] = tx.reader(TABLE).findByKey(0, new long[] {i});
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED"})
  void keysThatChangedAreFound(Protocol protocol) {
    open(protocol);
    commit(tx -> insert(tx, 0, ROWS, id -> id));
    long[][] rows = new long[1][];
    commit(
        tx -> {
          rows[0] = rows(tx, 20);
          for (int i = 0; i < 20; i++) {
            tx.writer(TABLE).updateRow(rows[0][i], new int[] {ID}, new long[] {1000 + i}, NOT_NULL);
          }
        });
    assertSameAfterLossOfPower(protocol);
    commit(
        tx ->
            tx.writer(TABLE)
                .updateRow(rows[0][3], new int[] {ID}, new long[1], new boolean[] {true}));
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, protocol)) {
      Transaction tx = again.begin();
      for (int i = 0; i < 20; i++) {
        long found = tx.reader(TABLE).findByKey(0, new long[] {1000 + i});
        assertThat(found).as("key " + i).isEqualTo(i == 3 ? -1 : rows[0][i]);
        assertThat(tx.reader(TABLE).findByKey(0, new long[] {i})).isEqualTo(-1);
      }
      tx.commit();
      assertThat(again.check()).isEmpty();
    }
  }

  private static final boolean[] NOT_NULL = {false};

  /**
   * The log has neither values that are stored in place nor those that are stored outside of it.
   */
  @ParameterizedTest
  @EnumSource(names = {"UNDO", "CHECKSUMMED"})
  void insertedValuesThatLieElsewhereAreNotLogged(Protocol protocol) {
    open(protocol);
    commit(tx -> insert(tx, 0, 5, id -> id));
    long before = manager.logPosition();
    int n = 5000;
    commit(tx -> insert(tx, 5, n, id -> id));
    assertThat(manager.logPosition() - before).isLessThan(n);
    assertSameAfterLossOfPower(protocol);
  }

  /** The new version of a chunk is its home from the next checkpoint on. */
  @Test
  void aCheckpointTakesAVersionWhereItLies() {
    open(Protocol.VERSIONED);
    commit(tx -> insert(tx, 0, 5000, id -> id));
    manager.checkpoint();
    commit(tx -> update(tx, id -> true, id -> id + 1));
    long stored = manager.statistics().persisted().bytesStored();
    manager.checkpoint();
    assertThat(manager.check()).isEmpty();
    assertThat(manager.statistics().persisted().bytesStored() - stored).isLessThan(5000 * 8);
    assertSameAfterLossOfPower(Protocol.VERSIONED);
    manager.checkpoint();
    manager.checkpoint();
    assertThat(manager.check()).isEmpty();
    assertThat(manager.space().loggedBytes()).isZero();
  }

  /** A section of an update is not cut where a record is. */
  @Test
  void updatesOfMoreThanOneRecordAreWhole() {
    open(Protocol.REDO);
    int n = 150_000;
    commit(tx -> insert(tx, 0, n, id -> id));
    manager.checkpoint();
    Transaction tx = manager.begin();
    io.gpdb.txn.SampleBatches.update(tx, id -> true, 5);
    io.gpdb.txn.SampleBatches.update(tx, id -> id % 2 == 0, 5);
    tx.commit();
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
      assertThat(SampleDatabase.contents(again))
          .isEqualTo(SampleDatabase.expected(0, n, id -> id + (id % 2 == 0 ? 10 : 5)));
    }
  }
}
