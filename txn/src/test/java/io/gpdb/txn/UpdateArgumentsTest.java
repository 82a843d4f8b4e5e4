package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.WEIGHT;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TabletRows;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a writer of a table refuses, and where it says that a key is taken. */
class UpdateArgumentsTest {
  private static final int[] COLUMNS = {AMOUNT, WEIGHT};

  private final VolatileDirectory directory = new VolatileDirectory("arguments");
  private final Arena arena = Arena.ofShared();
  private TransactionManager manager;
  private Transaction tx;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    tx = manager.begin();
    insert(tx, 0, 20, id -> id);
    tx.commit();
    tx = manager.begin();
  }

  @AfterEach
  void close() {
    tx.rollback();
    manager.close();
    directory.close();
    arena.close();
  }

  private ColumnView longs(ElementType type) {
    return ColumnView.mapped(HostMemory.INSTANCE, type, arena.allocateFrom(JAVA_LONG, 1), null);
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessageContaining("values of type");
  }

  @Test
  void valuesOfAnotherTypeAreRefusedInEveryColumn() {
    HostBuffer rows = HostMemory.INSTANCE.map(arena.allocateFrom(JAVA_INT, 3));
    ColumnView i64 = longs(ElementType.I64);
    ColumnView f64 = longs(ElementType.F64);
    TabletRows good = new TabletRows(0, rows, 1, List.of(i64, f64));
    for (ColumnView[] values : new ColumnView[][] {{i64, i64}, {f64, f64}, {f64, i64}}) {
      assertRefused(() -> tx.writer(TABLE).update(0, rows, 1, COLUMNS, values));
      List<TabletRows> parts = List.of(good, new TabletRows(0, rows, 1, List.of(values)));
      assertRefused(() -> tx.writer(TABLE).update(parts, COLUMNS));
    }
    assertThat(SampleDatabase.contents(tx)).isEqualTo(SampleDatabase.expected(0, 20, id -> id));
    tx.writer(TABLE).update(List.of(good), COLUMNS);
  }

  @Test
  void insertedValuesOfAnotherTypeAreRefusedInEveryColumn() {
    for (int c = 0; c < 4; c++) {
      ColumnView[] row = SampleDatabase.rows(tx, arena, 30, 1, id -> id);
      row[c] = longs(row[c].type() == ElementType.I64 ? ElementType.F64 : ElementType.I64);
      assertRefused(() -> tx.writer(TABLE).insert(row, 1));
    }
  }

  /** Any of the rows, also of those that others have deleted. */
  @Test
  void aRowThatAnotherHasWrittenIsAConflictWhereverItIs() {
    for (int written = 3; written < 7; written++) {
      int row = written;
      Transaction other = manager.begin();
      SampleDatabase.update(other, id -> id == row, id -> -id);
      assertThatThrownBy(() -> rekey(new int[] {3, 4, 5, 6}, 100, 101, 102, 103))
          .isInstanceOfSatisfying(
              GpdbException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
      tx.rollback();
      other.rollback();
      tx = manager.begin();
    }
  }

  @Test
  void rowsThatTheTabletDoesNotHaveAreRefusedWhereverTheyAre() {
    for (int[] rows : new int[][] {{20, 3, 4}, {3, 20, 4}, {3, 4, 20}, {3, 4, -1}, {3, 1 << 20}}) {
      int[] ids = new int[rows.length];
      Arrays.setAll(ids, i -> 100 + i);
      assertThatThrownBy(() -> rekey(rows, ids))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("outside of its tablet");
    }
  }

  @Test
  void ofRowsThatAScanHasLeftTheFirstAndTheLastAreLookedAt() {
    HostBuffer left = tx.writer(TABLE).memoryForRows(8);
    ColumnView[] values = {longs(ElementType.I64)};
    for (int[] rows : new int[][] {{-1, 3}, {3, 20}}) {
      left.write(0, rows, 0, 2);
      TabletRows part = new TabletRows(0, left, 2, true, List.of());
      assertThatThrownBy(() -> tx.writer(TABLE).delete(List.of(part)))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("outside of its tablet");
    }
    left.write(0, new int[] {3, 4}, 0, 1);
    TabletRows one = new TabletRows(0, left, 1, true, List.of(values));
    tx.writer(TABLE).update(List.of(one), new int[] {AMOUNT});
  }

  /** The position that the next rows will have. */
  @Test
  void nothingInsertedIsAtTheEndOfTheTable() {
    assertThat(insert(tx, 30, 2, id -> id)).isEqualTo(20);
    assertThat(insert(tx, 40, 0, id -> id)).isEqualTo(22);
    assertThat(insert(tx, 50, 1, id -> id)).isEqualTo(22);
  }

  private void rekey(int[] rows, int... ids) {
    ColumnView[] keys = {
      ColumnView.mapped(
          HostMemory.INSTANCE, ElementType.I32, arena.allocateFrom(JAVA_INT, ids), null)
    };
    HostBuffer chosen = HostMemory.INSTANCE.map(arena.allocateFrom(JAVA_INT, rows));
    tx.writer(TABLE).update(0, chosen, rows.length, new int[] {ID}, keys);
  }

  /** Among all rows that the statement has updated, not those of one call. */
  @Test
  void theRowWhoseKeyIsTakenIsCountedFromTheStatementsBegin() {
    for (int taken = 0; taken < 4; taken++) {
      Savepoint before = tx.savepoint();
      int[] ids = {100, 101, 102, 103};
      ids[taken] = 19;
      rekey(new int[] {4, 5}, ids[0], ids[1]);
      rekey(new int[] {6, 7}, ids[2], ids[3]);
      long row = taken;
      assertThatThrownBy(() -> tx.writer(TABLE).finishStatement())
          .isInstanceOfSatisfying(KeyViolation.class, e -> assertThat(e.batchRow()).isEqualTo(row));
      tx.rollbackTo(before);
    }
    rekey(new int[] {4}, 200);
    tx.writer(TABLE).finishStatement();
    rekey(new int[] {5}, 19);
    assertThatThrownBy(() -> tx.writer(TABLE).finishStatement())
        .isInstanceOfSatisfying(KeyViolation.class, e -> assertThat(e.batchRow()).isZero());
  }
}
