package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static io.gpdb.txn.api.IsolationLevel.SERIALIZABLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.version.ReadSet;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a serializable transaction is taken to have read, one sort of read after the other. */
class SerializableReadsTest {
  private static final int ROWS = 50;

  private final VolatileDirectory directory = new VolatileDirectory("reads");
  private TransactionManager manager;

  /** The number of a table that nobody uses. */
  private int spareTable = 40;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    commit(tx -> insert(tx, 0, ROWS, id -> 1000));
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private void commit(Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private static void rekey(Transaction tx, int from, int to) {
    TableWriter writer = tx.writer(TABLE);
    long row = writer.findByKey(0, new long[] {from});
    writer.updateRow(row, new int[] {ID}, new long[] {to}, new boolean[1]);
    writer.finishStatement();
  }

  private static void updateAmount(Transaction tx, int id, long amount) {
    update(tx, other -> other == id, other -> amount);
  }

  private int newTable() {
    int number = ++spareTable;
    commit(tx -> tx.createTable(number, SampleDatabase.shape()));
    return number;
  }

  /** Begins, reads, and writes elsewhere, so that the commit is judged. */
  private Transaction reader(Consumer<TableReader> read) {
    int table = newTable();
    Transaction tx = manager.begin(SERIALIZABLE);
    read.accept(tx.reader(TABLE));
    tx.dropTable(table);
    return tx;
  }

  private static void assertRefused(Transaction tx) {
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
    if (tx.isActive()) {
      tx.rollback();
    }
  }

  private static long row(TableReader reader, int id) {
    return reader.findByKey(0, new long[] {id});
  }

  private static void find(TableReader reader, int from, int to) {
    for (int id = from; id < to; id++) {
      assertThat(row(reader, id)).isNotNegative();
    }
  }

  @Test
  void aTableThatWasReadAndIsDroppedByAnotherIsRefused() {
    Transaction tx = reader(reader -> find(reader, 1, 2));
    Transaction undone = manager.begin();
    undone.dropTable(TABLE);
    undone.rollback();
    commit(other -> other.dropTable(TABLE));
    assertRefused(tx);
  }

  @Test
  void aDropThatIsNotCommittedDisturbsNobody() {
    Transaction tx = reader(reader -> find(reader, 1, 2));
    Transaction other = manager.begin();
    other.dropTable(TABLE);
    tx.commit();
    other.rollback();
    Transaction again = manager.begin(SERIALIZABLE);
    find(again.reader(TABLE), 1, 2);
    again.dropTable(TABLE); // by oneself
    again.commit();
  }

  /** Of a batch whose missing keys are not reported one by one. */
  @Test
  void keysThatAreSaidToBeMissingAreAllKeysOfTheTable() {
    Transaction first = reader(reader -> reader.noteMissing(0));
    commit(other -> updateAmount(other, 5, 7));
    first.commit();
    Transaction second = reader(reader -> reader.noteMissing(0));
    commit(other -> rekey(other, 6, 600));
    assertRefused(second);
  }

  @Test
  void whetherARowIsLiveIsSomethingRead() {
    Consumer<TableReader> read =
        reader -> {
          assertThat(reader.isLive(5)).isTrue();
          assertThat(reader.isLive(ROWS + 100L)).isFalse();
        };
    Transaction first = reader(read);
    commit(other -> updateAmount(other, 5, 7));
    first.commit();
    Transaction second = reader(read);
    commit(other -> delete(other, id -> id == 5));
    assertRefused(second);
  }

  /** One that is asked again takes nothing of what may be remembered one by one. */
  @Test
  void aKeyThatIsMissedAgainAndAgainIsOneRead() {
    Transaction first =
        reader(
            reader -> {
              for (int i = 0; i <= ReadSet.POINTS_MAX + 1; i++) {
                assertThat(row(reader, 1000)).isNegative();
              }
            });
    commit(other -> rekey(other, 6, 600));
    first.commit();
    Transaction second = reader(reader -> assertThat(row(reader, 1000)).isNegative());
    commit(other -> rekey(other, 7, 1000));
    assertRefused(second);
  }

  /** The table of which most is remembered is the one taken for read as a whole. */
  @Test
  void tooManyReadsOfOneTableDoNotCountForAnother() {
    int large = newTable();
    int small = newTable();
    Transaction tx = manager.begin(SERIALIZABLE);
    for (int id = 0; id < 20; id++) {
      assertThat(row(tx.reader(small), id)).isNegative();
    }
    find(tx.reader(TABLE), 0, 10);
    TableReader other = tx.reader(large);
    for (int i = 0; i < ReadSet.POINTS_MAX + 100; i++) {
      assertThat(row(other, i)).isNegative();
    }
    find(tx.reader(TABLE), 10, 30);
    tx.dropTable(large);
    commit(
        writer -> {
          rekey(writer, 40, 400);
          updateAmount(writer, 5, 7);
        });
    tx.commit();
  }

  @Test
  void aRowAtTheBeginOfASecondTabletIsSomethingRead() {
    int table = newTableOfTwoTablets();
    int[] columns = {AMOUNT};
    Transaction tx =
        reader(reader -> assertThat(reader.read(5, columns, new long[1], new boolean[1])).isTrue());
    assertThat(tx.reader(table).read(Tablet.ROWS, columns, new long[1], new boolean[1])).isTrue();
    commit(
        other ->
            other.writer(table).updateRow(Tablet.ROWS, columns, new long[] {7}, new boolean[1]));
    assertRefused(tx);
  }

  private int newTableOfTwoTablets() {
    int table = newTable();
    commit(
        tx -> {
          try (Arena arena = Arena.ofConfined()) {
            ColumnView[] rows = SampleDatabase.rows(tx, arena, 0, Tablet.ROWS + 1, id -> 1);
            tx.writer(table).insert(rows, Tablet.ROWS + 1);
          }
        });
    return table;
  }

  @Test
  void everyTabletOfATableThatWasScannedIsSomethingRead() {
    int table = newTableOfTwoTablets();
    int[] columns = {AMOUNT};
    for (long changed : new long[] {0, Tablet.ROWS}) {
      Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
      for (int t = 0; t < 2; t++) {
        tx.reader(table).open(t, columns).close();
      }
      commit(
          other -> other.writer(table).updateRow(changed, columns, new long[] {7}, new boolean[1]));
      assertRefused(tx);
    }
  }

  /** A table is rewritten or dropped by whoever sees all that was done to it. */
  @Test
  void aTableThatOthersHaveWrittenToIsNeitherRewrittenNorDropped() {
    int table = newTableOfTwoTablets();
    int[] columns = {AMOUNT};
    for (long changed : new long[] {0, Tablet.ROWS}) {
      Transaction tx = manager.begin();
      tx.reader(table);
      commit(
          other -> other.writer(table).updateRow(changed, columns, new long[] {7}, new boolean[1]));
      assertConflict(() -> tx.rewriteTable(table, 90));
      tx.rollback();
    }
    for (int round = 0; round < 16; round++) { // the writers of a table are in no order
      Transaction dropper = manager.begin();
      dropper.writer(table).updateRow(1, columns, new long[] {7}, new boolean[1]);
      Transaction other = manager.begin();
      other.writer(table).updateRow(2, columns, new long[] {7}, new boolean[1]);
      assertConflict(() -> dropper.dropTable(table));
      other.rollback();
      dropper.rollback();
    }
  }

  private static void assertConflict(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
  }

  /** Which row has it is not known when the statement ends: any change of a key counts. */
  @Test
  void aKeyThatAnUpdateFoundTakenIsSomethingRead() {
    Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
    Savepoint before = tx.savepoint();
    assertThatThrownBy(() -> rekey(tx, 6, 7)).isInstanceOf(KeyViolation.class);
    tx.rollbackTo(before);
    commit(other -> delete(other, id -> id == 7));
    assertRefused(tx);
  }

  @Test
  void aColumnThatIsNoKeyMayChangeBehindALookUpAndNotBehindARead() {
    Transaction tx = reader(reader -> find(reader, 5, 6));
    commit(other -> updateAmount(other, 5, 7));
    tx.commit();
    int[] columns = {AMOUNT};
    Transaction read =
        reader(reader -> assertThat(reader.read(5, columns, new long[1], new boolean[1])).isTrue());
    commit(other -> updateAmount(other, 5, 8));
    assertRefused(read);
  }

  /** A row with its key, or that there is none, and the columns read with it. */
  @Test
  void whatIsReadByAKeyIsRead() {
    int[] columns = {ID, AMOUNT};
    long[] values = new long[2];
    Consumer<TableReader> there =
        reader -> {
          long row =
              reader.readByKey(0, new long[] {5}, new int[] {0}, columns, values, new boolean[2]);
          assertThat(row).isEqualTo(row(reader, 5));
          assertThat(values).containsExactly(5, 1000);
        };
    Transaction unchanged = reader(there);
    commit(other -> updateAmount(other, 6, 7));
    unchanged.commit();
    Transaction changed = reader(there);
    commit(other -> updateAmount(other, 5, 1001));
    assertRefused(changed);
    Transaction missing =
        reader(
            reader ->
                assertThat(
                        reader.readByKey(
                            0, new long[] {700}, new int[] {0}, columns, values, new boolean[2]))
                    .isNegative());
    commit(other -> rekey(other, 7, 700));
    assertRefused(missing);
  }

  /** Its row is the first of the table. */
  @Test
  void aKeyThatTheFirstRowGetsIsSomethingRead() {
    int table = newTable();
    Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
    assertThat(row(tx.reader(table), 7)).isNegative();
    commit(
        other -> {
          try (Arena arena = Arena.ofConfined()) {
            other.writer(table).insert(SampleDatabase.rows(other, arena, 7, 1, id -> 1), 1);
          }
        });
    assertRefused(tx);
  }

  /** A later change of a column that was not read does not hide it. */
  @Test
  void everyChangeBehindAScanIsJudged() {
    for (int amountAt : new int[] {0, 1, 2}) {
      Transaction tx = reader(reader -> reader.open(0, new int[] {AMOUNT}).close());
      for (int i = 0; i < 3; i++) {
        int column = i == amountAt ? AMOUNT : SampleDatabase.WEIGHT;
        commit(
            other ->
                other
                    .writer(TABLE)
                    .updateRow(column, new int[] {column}, new long[] {column}, new boolean[1]));
      }
      assertRefused(tx);
    }
  }

  /** The index knows other rows by the key still, which had it before. */
  @Test
  void aKeyThatOtherRowsHadBeforeIsSomethingRead() {
    for (int taker : new int[] {3, 10, 20, 49}) {
      int key = 7000 + taker;
      for (int row : new int[] {5, 15, 30}) {
        commit(other -> rekey(other, row, key));
        commit(other -> rekey(other, key, row));
      }
      Transaction tx = reader(reader -> assertThat(row(reader, key)).isNegative());
      commit(other -> rekey(other, taker, key));
      assertRefused(tx);
      commit(other -> rekey(other, key, taker));
      Transaction alone = reader(reader -> assertThat(row(reader, key)).isNegative());
      alone.commit();
    }
  }

  /** Of several tables each is judged. */
  @Test
  void whatWasReadOfEveryTableIsJudged() {
    for (int changed = 0; changed < 3; changed++) {
      int[] tables = {twoKeys(), twoKeys(), twoKeys()};
      Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
      for (int table : tables) {
        assertThat(tx.reader(table).findByKey(0, new long[] {100})).isZero();
      }
      int one = tables[changed];
      commit(other -> updateTwoKeys(other, one, 0, 7));
      assertRefused(tx);
    }
  }

  /** As those of a reader. */
  @Test
  void lookUpsOfAWriterAreReads() {
    long[] found = new long[2];
    for (long key : new long[] {100, 7}) {
      for (boolean many : new boolean[] {false, true}) {
        int table = twoKeys();
        Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
        TableWriter writer = tx.writer(table);
        if (many) {
          writer.findByKeys(0, new long[] {5000, key}, 2, found);
        } else {
          found[1] = writer.findByKey(0, new long[] {key});
        }
        assertThat(found[1]).isEqualTo(key == 100 ? 0 : -1);
        commit(other -> updateTwoKeys(other, table, 0, 7));
        assertRefused(tx);
      }
    }
  }

  /** Two missing keys whose hashes are equal: one of another index, one of the same. */
  @Test
  void missingKeysThatLookAlikeAreApart() {
    for (int changed : new int[] {0, 1}) {
      int table = twoKeys();
      Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
      TableReader reader = tx.reader(table);
      for (long[] key : new long[][] {{0, 31}, {1, 0}, {0, 1L << 32}, {0, 1}, {1, 1L << 32}}) {
        assertThat(reader.findByKey((int) key[0], new long[] {key[1]})).isNegative();
      }
      long value = changed == 0 ? 1 : 0;
      commit(other -> updateTwoKeys(other, table, changed, value));
      assertRefused(tx);
    }
  }

  /** Where too much is read to remember it, the columns of all keys are. */
  @Test
  void tooManyMissingKeysOfTwoIndexesAreAllTheirColumns() {
    for (int changed : new int[] {0, 1}) {
      int table = twoKeys();
      Transaction tx = reader(reader -> assertThat(reader.rowLimit()).isEqualTo(ROWS));
      TableReader reader = tx.reader(table);
      for (int i = 0; i <= ReadSet.POINTS_MAX; i++) {
        assertThat(reader.findByKey(i % 2, new long[] {1000 + i})).isNegative();
      }
      commit(other -> updateTwoKeys(other, table, changed, 7));
      assertRefused(tx);
    }
  }

  /** A table of one row (100, 200), each of its columns a key. */
  private int twoKeys() {
    int table = ++spareTable;
    commit(
        tx -> {
          tx.createTable(
              table,
              new TableShape(
                  List.of(
                      new ColumnShape("A", ElementType.I64), new ColumnShape("B", ElementType.I64)),
                  List.of(
                      new IndexShape(0, new int[] {0}, true),
                      new IndexShape(1, new int[] {1}, true))));
          try (Arena arena = Arena.ofConfined()) {
            ColumnView[] row = {
              ColumnView.mapped(
                  HostMemory.INSTANCE, ElementType.I64, arena.allocateFrom(JAVA_LONG, 100), null),
              ColumnView.mapped(
                  HostMemory.INSTANCE, ElementType.I64, arena.allocateFrom(JAVA_LONG, 200), null)
            };
            tx.writer(table).insert(row, 1);
          }
        });
    return table;
  }

  private static void updateTwoKeys(Transaction tx, int table, int column, long value) {
    TableWriter writer = tx.writer(table);
    writer.updateRow(0, new int[] {column}, new long[] {value}, new boolean[1]);
    writer.finishStatement();
  }
}
