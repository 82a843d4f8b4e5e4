package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.WEIGHT;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.WalLayout;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When chunks are taken in place, and what is written to them then. */
@Timeout(60)
class InPlaceMixtureTest {
  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.AUTO);
    Transaction tx = begin(Protocol.REDO);
    insert(tx, 0, 100, id -> id);
    tx.commit();
    manager.checkpoint();
  }

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  private Transaction begin(Protocol wish) {
    Transaction tx = manager.begin();
    tx.protocol(wish);
    return tx;
  }

  private boolean isInPlace() {
    return isInPlace(AMOUNT);
  }

  private boolean isInPlace(int column) {
    return Objects.requireNonNull(manager.space().table(TABLE))
        .tablet(0)
        .isInPlace(ChunkKind.VALUES, column);
  }

  /** Stores in one column of the row the value that a row of that amount has. */
  private static void updateColumn(Transaction tx, int column, int row, long amount) {
    try (Arena arena = Arena.ofConfined()) {
      ColumnView[] all = SampleDatabase.rows(tx, arena, row, 1, id -> amount);
      tx.writer(TABLE)
          .update(
              0,
              HostMemory.INSTANCE.map(arena.allocateFrom(JAVA_INT, row)),
              1,
              new int[] {column},
              new ColumnView[] {all[column]});
    }
  }

  private Map<Integer, Long> left() {
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, Protocol.AUTO)) {
      return contents(again);
    }
  }

  /**
   * M2. What the log does not have yet would be durable in the extent, and nothing would undo it.
   */
  @Test
  void aColumnThatAnotherIsUpdatingIsNotTakenInPlace() {
    Transaction other = begin(Protocol.REDO);
    update(other, id -> id == 1, id -> 111);
    Transaction tx = begin(Protocol.UNDO);
    update(tx, id -> id == 2, id -> 222);
    insert(tx, 200, 3, id -> id);
    tx.commit();
    assertThat(isInPlace()).isFalse();
    assertThat(left()).containsEntry(1, 1L).containsEntry(2, 222L).containsEntry(201, 201L);
    other.rollback();
    Transaction alone = begin(Protocol.UNDO);
    update(alone, id -> id == 3, id -> 333);
    alone.commit();
    assertThat(isInPlace()).isTrue();
    assertThat(left()).containsEntry(1, 1L).containsEntry(2, 222L).containsEntry(3, 333L);
  }

  /** M2. Versions of others that came later say nothing about the one that is not in the log. */
  @ParameterizedTest
  @ValueSource(ints = {AMOUNT, WEIGHT, NOTE})
  void aStatementTakesTheColumnsInPlaceThatNobodyElseIsUpdating(int column) {
    assertTakesAllBut(column, tx -> update(tx, id -> id == 2, id -> 222));
  }

  @ParameterizedTest
  @ValueSource(ints = {AMOUNT, WEIGHT, NOTE})
  void aBatchTakesTheColumnsInPlaceThatNobodyElseIsUpdating(int column) {
    assertTakesAllBut(column, tx -> SampleBatches.update(tx, id -> id == 2, 220));
  }

  private void assertTakesAllBut(int column, Consumer<Transaction> write) {
    Transaction other = begin(Protocol.REDO);
    updateColumn(other, column, 1, 111);
    Transaction later = begin(Protocol.REDO);
    update(later, id -> id == 5, id -> 555);
    later.commit();
    Transaction tx = begin(Protocol.UNDO);
    write.accept(tx);
    tx.commit();
    for (int c : new int[] {AMOUNT, WEIGHT, NOTE}) {
      assertThat(isInPlace(c)).as("column %d", c).isEqualTo(c != column);
    }
    assertThat(left())
        .containsEntry(1, 1L)
        .containsEntry(2, 222L)
        .containsEntry(5, 555L)
        .hasSize(100);
    other.rollback();
    assertThat(left()).isEqualTo(contents(manager));
  }

  /** The log says which rows have new keys where no values of them are in it. */
  @Test
  void aKeyInPlaceThatChangesWithALoggedColumnIsFoundAfterACrash() {
    Transaction before = begin(Protocol.UNDO);
    updateColumn(before, ID, 3, 3);
    before.commit();
    assertThat(isInPlace(ID)).isTrue();
    assertThat(isInPlace(AMOUNT)).isFalse();
    int[] columns = {AMOUNT, ID};
    Transaction tx = begin(Protocol.REDO);
    tx.writer(TABLE).updateRow(5, columns, new long[] {5, 500}, new boolean[2]);
    tx.commit();
    assertThat(left()).isEqualTo(contents(manager)).containsEntry(500, 5L).doesNotContainKey(5);
  }

  /** M1. The update takes every column but the first in place, and so makes the insert's way. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "CHECKSUMMED", "VERSIONED"})
  void rowsBehindOthersInPlaceAreThereWhateverTheWish(Protocol wish) {
    Transaction before = begin(Protocol.UNDO);
    update(before, id -> id == 3, id -> 333);
    before.commit();
    Transaction tx = begin(wish);
    insert(tx, 200, 60, id -> id);
    update(tx, id -> id == 210, id -> 2100);
    tx.commit();
    Transaction open = begin(Protocol.UNDO);
    update(open, id -> id == 4 || id == 220, id -> -id);
    assertThat(left())
        .containsEntry(3, 333L)
        .containsEntry(4, 4L)
        .containsEntry(210, 2100L)
        .containsEntry(220, 220L)
        .hasSize(160);
    open.rollback();
    assertThat(left()).isEqualTo(contents(manager));
    manager.checkpoint();
    assertThat(left()).isEqualTo(contents(manager));
  }

  /** M1. The host stores so few rows; with them go the bits that say which are NULL. */
  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "CHECKSUMMED"})
  void fewRowsWithNullsBehindOthersInPlaceAreThere(Protocol wish) {
    Transaction before = begin(Protocol.UNDO);
    update(before, id -> id % 7 == 3, id -> id % 2 == 0 ? SampleDatabase.NULL : -id);
    before.commit();
    for (int n = 1; n < 31; n += 6) {
      Transaction tx = begin(wish);
      insert(tx, 1000 * n, n, id -> id % 3 == 0 ? SampleDatabase.NULL : id);
      update(tx, id -> id == 1000, id -> SampleDatabase.NULL);
      tx.commit();
      assertThat(left()).as("rows=%d", n).isEqualTo(contents(manager));
    }
  }

  /** Step 5 of {@code undo}: the record may become durable as soon as it is stored. */
  @ParameterizedTest
  @ValueSource(ints = {3, 60})
  void rowsInPlaceAreDurableBeforeTheirCommitRecordIsStored(int rows) {
    Transaction before = begin(Protocol.UNDO);
    update(before, id -> id == 3, id -> 333);
    before.commit();
    Transaction tx = begin(Protocol.UNDO);
    insert(tx, 200, rows, id -> id % 3 == 0 ? SampleDatabase.NULL : id);
    List<CrashableDirectory> crashed = new ArrayList<>();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == PersistListener.Act.DRAIN && WalLayout.isFileName(memory)) {
            crashed.add(directory.crash((m, at, n) -> WalLayout.isFileName(m) ? n - 1 : 0));
          }
        });
    tx.commit();
    directory.listener(null);
    try (CrashableDirectory left = crashed.getFirst();
        TransactionManager again = SampleDatabase.open(left, Protocol.AUTO)) {
      assertThat(contents(again)).isEqualTo(contents(manager)).hasSize(100 + rows);
    }
    crashed.stream().skip(1).forEach(CrashableDirectory::close);
  }
}
