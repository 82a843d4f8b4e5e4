package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys of three columns, of which any may tell two rows apart. */
class LongKeysTest {
  private static final int TABLE = 40;
  private static final int OTHER = 3; // of no key

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = SampleDatabase.open(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    List<ColumnShape> columns =
        List.of(
            new ColumnShape("A", ElementType.I64),
            new ColumnShape("B", ElementType.I64),
            new ColumnShape("C", ElementType.I64),
            new ColumnShape("V", ElementType.I64));
    tx.createTable(
        TABLE, new TableShape(columns, List.of(new IndexShape(0, new int[] {0, 1, 2}, true))));
    for (long[] key : new long[][] {{1, 1, 1}, {1, 1, 2}, {1, 2, 1}, {2, 1, 1}}) {
      insert(tx, key);
    }
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  private static void insert(Transaction tx, long... key) {
    try (Arena arena = Arena.ofConfined()) {
      ColumnView[] row = new ColumnView[4];
      for (int c = 0; c < row.length; c++) {
        long value = c < key.length ? key[c] : 0;
        row[c] =
            ColumnView.mapped(
                HostMemory.INSTANCE, ElementType.I64, arena.allocateFrom(JAVA_LONG, value), null);
      }
      tx.writer(TABLE).insert(row, 1);
    }
  }

  private static void update(Transaction tx, long row, int column, long value) {
    tx.writer(TABLE)
        .updateRow(row, new int[] {OTHER, column}, new long[] {7, value}, new boolean[2]);
    tx.writer(TABLE).finishStatement();
  }

  private static long row(Transaction tx, long... key) {
    return tx.reader(TABLE).findByKey(0, key);
  }

  @Test
  void everyColumnTellsRowsApart() {
    Transaction tx = manager.begin();
    assertThat(row(tx, 1, 1, 2)).isEqualTo(1);
    assertThat(row(tx, 1, 2, 1)).isEqualTo(2);
    assertThat(row(tx, 2, 1, 1)).isEqualTo(3);
    assertThat(row(tx, 2, 2, 1)).isEqualTo(-1);
    Savepoint before = tx.savepoint();
    assertThatThrownBy(() -> insert(tx, 1, 2, 1)).isInstanceOf(KeyViolation.class);
    tx.rollbackTo(before);
    insert(tx, 2, 2, 1);
    assertThat(row(tx, 2, 2, 1)).isPositive();
    tx.rollback();
  }

  /** Of the first row, each time to a key that another row has, and to one that none has. */
  @Test
  void aChangeOfEachColumnIsAChangeOfTheKey() {
    for (int column = 0; column < 3; column++) {
      int changed = column;
      Transaction tx = manager.begin();
      assertThatThrownBy(() -> update(tx, 0, changed, 2)).isInstanceOf(KeyViolation.class);
      tx.rollback();
      Transaction free = manager.begin();
      update(free, 0, changed, 3);
      long[] key = {1, 1, 1};
      assertThat(row(free, key)).isEqualTo(-1);
      key[changed] = 3;
      assertThat(row(free, key)).isZero();
      insert(free, 1, 1, 1); // which the index still knows the first row by
      free.rollback();
    }
  }

  /** A row that lacks any column of the key has none. */
  @Test
  void rowsThatLackAColumnOfTheKeyAreMany() {
    for (int column = 0; column < 3; column++) {
      Transaction tx = manager.begin();
      for (long row = 0; row < 4; row++) {
        tx.writer(TABLE).updateRow(row, new int[] {0, 1, 2}, new long[] {1, 1, 1}, nullAt(column));
      }
      tx.writer(TABLE).finishStatement();
      assertThat(row(tx, 1, 1, 1)).isEqualTo(-1);
      tx.rollback();
    }
  }

  private static boolean[] nullAt(int column) {
    boolean[] nulls = new boolean[3];
    nulls[column] = true;
    return nulls;
  }

  @Test
  void keysThatChangedInAnyColumnAreFoundAfterACrash() {
    manager.checkpoint();
    Transaction tx = manager.begin();
    update(tx, 0, 2, 50);
    update(tx, 1, 1, 51);
    update(tx, 2, 0, 52);
    tx.commit();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
      Transaction reader = again.begin();
      assertThat(row(reader, 1, 1, 50)).isZero();
      assertThat(row(reader, 1, 51, 2)).isEqualTo(1);
      assertThat(row(reader, 52, 2, 1)).isEqualTo(2);
      assertThat(row(reader, 1, 1, 1)).isEqualTo(-1);
      reader.commit();
      assertThat(again.check()).isEmpty();
    }
  }

  /** Two transactions may write keys that have two columns in common, and not the same key. */
  @Test
  void onlyTheSameKeyIsAConflict() {
    Transaction one = manager.begin();
    Transaction other = manager.begin();
    insert(one, 5, 5, 5);
    for (long[] key : new long[][] {{5, 5, 6}, {5, 6, 5}, {6, 5, 5}}) {
      insert(other, key);
    }
    assertThatThrownBy(() -> insert(other, 5, 5, 5))
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
    other.rollback();
    one.commit();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
      Transaction tx = again.begin();
      assertThat(row(tx, 5, 5, 5)).isPositive();
      assertThat(row(tx, 5, 5, 6)).isEqualTo(-1);
      assertThat(row(tx, 1, 2, 1)).isEqualTo(2);
      tx.commit();
      assertThat(again.check()).isEmpty();
    }
  }
}
