package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows and keys while transactions have not ended, and versions that are merged. */
@Timeout(60)
class OpenRowsTest {
  private static final int VERSION_BYTES = 2 << 20;
  private static final int PAIRS = 30;
  private static final long NULL = Long.MIN_VALUE;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private void commitRows(int from, int n) {
    Transaction tx = manager.begin();
    insert(tx, from, n, id -> id);
    tx.commit();
  }

  private static void assertConflict(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
  }

  private static long find(Transaction tx, int id) {
    return tx.reader(TABLE).findByKey(0, new long[] {id});
  }

  @Test
  void rowsBeforeAndBehindThoseOfAnOpenTransactionAreFound() {
    commitRows(0, 10);
    Transaction old = manager.begin();
    Transaction open = manager.begin();
    insert(open, 10, 10, id -> id);
    commitRows(20, 10);
    Transaction second = manager.begin();
    insert(second, 30, 10, id -> id);
    commitRows(40, 10);
    Transaction reader = manager.begin();
    for (int id = 0; id < 50; id++) {
      boolean committed = id / 10 % 2 == 0;
      assertThat(find(reader, id)).as("id " + id).isEqualTo(committed ? id : -1);
      assertThat(find(old, id)).as("id " + id).isEqualTo(id < 10 ? id : -1);
    }
    open.rollback();
    second.commit();
    assertThat(contents(manager)).hasSize(40);
    old.rollback();
    reader.rollback();
  }

  /**
   * Enough bytes of versions that the next commit merges those between which there is no snapshot.
   */
  private void commitLarge(java.util.function.Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.writesTo(Objects.requireNonNull(manager.database().tables().table(TABLE)))
        .versionMemory()
        .allocate(VERSION_BYTES, Long.BYTES);
    tx.commit();
  }

  /** Gaps between inserts, rows that were changed and deleted among them, and some before. */
  @Test
  void anOldReaderSeesNothingOfMergedChanges() {
    Transaction beforeAll = manager.begin();
    commitLarge(tx -> insert(tx, 0, 10, id -> id));
    Transaction undone = manager.begin();
    insert(undone, 10, 5, id -> id);
    commitLarge(tx -> insert(tx, 20, 10, id -> id));
    undone.rollback();
    commitLarge(tx -> insert(tx, 30, 10, id -> NULL));
    int merged = manager.database().reclaim().pendingCount();
    Transaction between = manager.begin();
    commitLarge(tx -> update(tx, id -> id < 5 || id == 33, id -> id + 100));
    commitLarge(tx -> update(tx, id -> id % 2 == 0, id -> NULL));
    commitLarge(tx -> delete(tx, id -> id % 3 == 0));
    commitLarge(tx -> insert(tx, 60, 10, id -> id));
    commitLarge(tx -> delete(tx, id -> id == 61 || id == 1));
    assertThat(merged).isLessThan(3);
    assertThat(manager.database().reclaim().pendingCount()).isLessThan(merged + 3);
    assertThat(contents(beforeAll)).isEmpty();
    for (int id = 0; id < 70; id++) {
      assertThat(find(beforeAll, id)).isEqualTo(-1);
    }
    var seen = expected(0, 10, id -> id);
    seen.putAll(expected(20, 10, id -> id));
    seen.putAll(expected(30, 10, id -> NULL));
    assertThat(contents(between)).isEqualTo(seen);
    beforeAll.rollback();
    between.rollback();
    assertThat(manager.database().reclaim().pendingCount()).isZero();
  }

  /** The versions of a tablet in use stay until it is free. */
  @Test
  void versionsOfATabletInUseAreKept() throws InterruptedException {
    commitRows(0, 10);
    Tablet tablet = Objects.requireNonNull(manager.table(TABLE)).tablet(0);
    Transaction tx = manager.begin();
    update(tx, id -> id == 3, id -> 33);
    Thread user =
        new Thread(
            () -> {
              tablet.latch().readLock().lock();
              tx.commit();
              tablet.latch().readLock().unlock();
            });
    user.start();
    user.join();
    assertThat(manager.database().reclaim().pendingCount()).isEqualTo(1);
    assertThat(contents(manager)).containsEntry(3, 33L);
    manager.database().reclaim().collect();
    assertThat(manager.database().reclaim().pendingCount()).isZero();
  }

  /** No transaction has changed the table since it was opened: what is read has not changed. */
  @Test
  void readsOfATableWithoutVersionsHold() {
    commitRows(0, 10);
    manager.close();
    manager = SampleDatabase.open(directory, Protocol.REDO);
    Transaction maker = manager.begin();
    maker.createTable(40, SampleDatabase.shape());
    maker.commit();
    for (int round = 0; round < 2; round++) {
      Transaction tx = manager.begin(IsolationLevel.SERIALIZABLE);
      assertThat(find(tx, 3)).isEqualTo(3);
      assertThat(tx.reader(TABLE).read(4, new int[] {ID}, new long[1], new boolean[1])).isTrue();
      assertThat(find(tx, 333)).isEqualTo(-1);
      if (round == 1) {
        contents(tx);
      }
      tx.createTable(50 + round, SampleDatabase.shape());
      Transaction other = manager.begin();
      other.dropTable(40 + 10 * round);
      other.commit();
      tx.commit();
    }
  }

  @Test
  void manyKeysThatWereLookedUpAreReads() {
    commitRows(0, 10);
    Transaction reader = manager.begin(IsolationLevel.SERIALIZABLE);
    Transaction unharmed = manager.begin(IsolationLevel.SERIALIZABLE);
    long[] found = new long[3];
    reader.writer(TABLE).findByKeys(0, new long[] {2, 77, 5}, 3, found);
    assertThat(found).containsExactly(2, -1, 5);
    unharmed.writer(TABLE).findByKeys(0, new long[] {2, 78, 5}, 3, found);
    reader.createTable(50, SampleDatabase.shape());
    unharmed.createTable(51, SampleDatabase.shape());
    commitRows(77, 1);
    assertConflict(reader::commit);
    reader.rollback();
    unharmed.commit();
  }

  /** Two nullable key columns, unique. */
  private static final TableShape PAIR =
      new TableShape(
          List.of(new ColumnShape("A", ElementType.I32), new ColumnShape("B", ElementType.I32)),
          List.of(new IndexShape(0, new int[] {0, 1}, true)));

  private static void insertPairs(Transaction tx, int n, int duplicateOf, int at) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment a = arena.allocate(4L * n, 8);
      MemorySegment b = arena.allocate(4L * n, 8);
      MemorySegment validity = arena.allocate(Bitmaps.bytes(n), 8);
      for (int i = 0; i < n; i++) {
        int key = i == at ? duplicateOf : i;
        a.setAtIndex(JAVA_INT, i, key / 10);
        b.setAtIndex(JAVA_INT, i, key % 10);
        Bitmaps.set(validity, i, key % 10 != 9);
      }
      tx.writer(41)
          .insert(
              new ColumnView[] {
                ColumnView.mapped(HostMemory.INSTANCE, ElementType.I32, a, null),
                ColumnView.mapped(HostMemory.INSTANCE, ElementType.I32, b, validity)
              },
              n);
    }
  }

  @Test
  void aUniqueKeyWithNullsIsJudgedWhereItIsWhole() {
    Transaction maker = manager.begin();
    maker.createTable(41, PAIR);
    maker.commit();
    for (int at : new int[] {1, 7, PAIRS - 1}) {
      Transaction tx = manager.begin();
      assertThatThrownBy(() -> insertPairs(tx, PAIRS, 0, at))
          .isInstanceOfSatisfying(KeyViolation.class, e -> assertThat(e.batchRow()).isEqualTo(at));
      tx.rollback();
    }
    Transaction tx = manager.begin();
    insertPairs(tx, PAIRS, 9, 19); // NULL in a part: as often as wanted
    assertThatThrownBy(() -> insertPairs(tx, 1, 0, -1)).isInstanceOf(KeyViolation.class);
    tx.rollback();
  }

  @Test
  void keysOfTheSecondTabletAreJudged() {
    int rows = Tablet.ROWS + 20;
    commitRows(0, rows);
    Transaction tx = manager.begin();
    long row = find(tx, rows - 3);
    assertThat(row).isEqualTo(rows - 3);
    boolean[] notNull = {false};
    assertThatThrownBy(
            () -> tx.writer(TABLE).updateRow(row, new int[] {ID}, new long[] {rows - 4}, notNull))
        .isInstanceOf(KeyViolation.class);
    tx.rollback();
    Transaction next = manager.begin();
    next.writer(TABLE).updateRow(row, new int[] {ID}, new long[] {rows + 4}, notNull);
    assertThat(find(next, rows + 4)).isEqualTo(row);
    assertThat(find(next, rows - 3)).isEqualTo(-1);
    next.commit();
    assertThat(manager.check()).isEmpty();
  }
}
