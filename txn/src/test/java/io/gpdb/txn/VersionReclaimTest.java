package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TabletRows;
import io.gpdb.txn.api.TabletView;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.reclaim.VersionReclaim;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commits whose threads arrive at the reclaim in another order than that of the log. */
class VersionReclaimTest {
  private static final int ROWS = 20;
  private static final int ENOUGH_BYTES = 2 << 20;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;
  private OpenDatabase database;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    database = manager.database();
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.abandon();
    directory.close();
  }

  /** Has changed one row, with versions of that size, and has not committed. */
  private TransactionWrites writerOf(int id, int versionBytes) {
    Transaction tx = manager.begin();
    update(tx, row -> row == id, row -> 1000 + row);
    TransactionWrites writes = tx.writesTo(Objects.requireNonNull(database.tables().table(TABLE)));
    writes.versionMemory().allocate(versionBytes, Long.BYTES);
    return writes;
  }

  private void publish(TransactionWrites... inOrder) {
    long sequence = database.snapshots().newestCommit();
    for (TransactionWrites writes : inOrder) {
      writes.stamp().commit(++sequence);
    }
    database.snapshots().publish(sequence);
  }

  @Test
  void versionsBehindACommitThatIsNotHereAreNotMerged() {
    Transaction reader = manager.begin();
    TransactionWrites first = writerOf(1, ENOUGH_BYTES);
    TransactionWrites late = writerOf(2, ENOUGH_BYTES);
    TransactionWrites third = writerOf(3, ENOUGH_BYTES);
    TransactionWrites fourth = writerOf(4, ENOUGH_BYTES);
    TransactionWrites fifth = writerOf(5, 8 * ENOUGH_BYTES);
    publish(first, late, third, fourth, fifth);
    VersionReclaim reclaim = database.reclaim();
    reclaim.add(first);
    reclaim.add(third);
    reclaim.add(fourth);
    assertThat(reclaim.pendingCount()).isEqualTo(3);
    reclaim.add(late);
    reclaim.add(fifth);
    assertThat(reclaim.pendingCount()).isEqualTo(1);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
  }

  /** Another thread has the tablet each time when versions could be merged. */
  @Test
  void versionsOfATabletThatIsHardlyEverFreeDoNotPileUp() throws InterruptedException {
    Transaction reader = manager.begin();
    Tablet tablet = Objects.requireNonNull(manager.space().table(TABLE)).tablet(0);
    Thread committer = Thread.currentThread();
    for (int i = 0; i < 40; i++) {
      Transaction tx = manager.begin();
      update(tx, row -> row == 1, row -> 1000 + row);
      tx.writesTo(Objects.requireNonNull(database.tables().table(TABLE)))
          .versionMemory()
          .allocate(ENOUGH_BYTES, Long.BYTES);
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch committed = new CountDownLatch(1);
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    tablet.latch().readLock().lock();
                    held.countDown();
                    while (committed.getCount() > 0
                        && committer.getState() != Thread.State.TIMED_WAITING) {
                      Thread.onSpinWait();
                    }
                    tablet.latch().readLock().unlock();
                  });
      held.await();
      tx.commit();
      committed.countDown();
      other.join();
    }
    assertThat(database.reclaim().keptBytes()).isLessThan(4 * ENOUGH_BYTES);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
  }

  private void commit(Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private void updateOneWithVersionsThatAreMerged(Transaction tx) {
    update(tx, row -> row == 1, row -> 1000 + row);
    tx.writesTo(Objects.requireNonNull(database.tables().table(TABLE)))
        .versionMemory()
        .allocate(ENOUGH_BYTES, Long.BYTES);
  }

  private static void insertNumbers(Transaction tx, int table, int n) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(8L * n, 8);
      tx.writer(table)
          .insert(
              new ColumnView[] {
                ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, null)
              },
              n);
    }
  }

  private static void updateNumbers(Transaction tx, int table, int n) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(8L * n, 8);
      MemorySegment rows = arena.allocate(4L * n, 8);
      for (int i = 0; i < n; i++) {
        rows.setAtIndex(JAVA_INT, i, i);
      }
      ColumnView[] data = {ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, null)};
      tx.writer(table).update(0, HostMemory.INSTANCE.map(rows), n, new int[] {0}, data);
    }
  }

  /** The reader's snapshot is of before the table: nobody will ever ask for its versions. */
  @Test
  void versionsOfATableThatCameAndWentUnderAReaderAreNotKept() {
    int table = 40;
    int rows = 40_000;
    Transaction reader = manager.begin();
    commit(
        tx ->
            tx.createTable(
                table, new TableShape(List.of(new ColumnShape("V", ElementType.I64)), List.of())));
    commit(tx -> insertNumbers(tx, table, rows));
    commit(tx -> updateNumbers(tx, table, rows));
    commit(tx -> tx.dropTable(table));
    assertThat(manager.space().table(table)).isNull();
    for (int i = 0; i < 3; i++) {
      commit(this::updateOneWithVersionsThatAreMerged);
    }
    assertThat(database.reclaim().pendingCount()).isEqualTo(1);
    assertThat(database.reclaim().keptBytes()).isLessThan(8 * rows);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
    reader.commit();
    assertThat(database.reclaim().pendingCount()).isZero();
    assertThat(database.reclaim().keptBytes()).isZero();
  }

  /** The first version says of no row that it was NULL: the column could not hold any. */
  @Test
  void aColumnThatLearnsToBeNullBetweenVersionsIsMerged() {
    Transaction reader = manager.begin();
    commit(tx -> update(tx, row -> row == 1, row -> 1001));
    commit(tx -> insert(tx, 100, 1, id -> SampleDatabase.NULL));
    commit(tx -> update(tx, row -> row == 2 || row == 100, row -> 1002));
    commit(this::updateOneWithVersionsThatAreMerged);
    assertThat(database.reclaim().pendingCount()).isEqualTo(1);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
  }

  private static void updateOne(Transaction tx, long row, int column, long value) {
    tx.writer(TABLE).updateRow(row, new int[] {column}, new long[] {value}, new boolean[1]);
  }

  /** What is merged of one column is of other rows than what is merged of the next. */
  @Test
  void columnsThatWereChangedInOtherRowsAreMerged() {
    Transaction reader = manager.begin();
    commit(tx -> updateOne(tx, 3, SampleDatabase.AMOUNT, 7));
    commit(tx -> updateOne(tx, 4, SampleDatabase.WEIGHT, Double.doubleToRawLongBits(7)));
    commit(this::updateOneWithVersionsThatAreMerged);
    assertThat(database.reclaim().pendingCount()).isEqualTo(1);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
  }

  /** Of each column, whether or not another one of the same rows could be NULL. */
  @Test
  void whatWasNullInEveryColumnIsNullToAReaderAfterAMerge() {
    commit(tx -> insert(tx, 100, 5, id -> SampleDatabase.NULL));
    Transaction reader = manager.begin();
    Map<Integer, Long> seen = contents(reader);
    commit(tx -> update(tx, row -> row > 90, row -> 1002));
    commit(this::updateOneWithVersionsThatAreMerged);
    assertThat(database.reclaim().pendingCount()).isEqualTo(1);
    assertThat(contents(reader)).isEqualTo(seen).containsEntry(104, SampleDatabase.NULL);
  }

  /** That of log sections when they are durable, that of versions when others have taken them. */
  @Test
  void memoryThatNobodyNeedsIsGivenBackBesideAReader() {
    Transaction reader = manager.begin();
    List<TransactionWrites> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      commit(
          tx -> {
            updateOneWithVersionsThatAreMerged(tx);
            all.add(tx.writesTo(Objects.requireNonNull(database.tables().table(TABLE))));
            assertThat(all.getLast().sectionMemory().totalBytes()).isPositive();
          });
      assertThat(all.getLast().sectionMemory().totalBytes()).isZero();
    }
    assertThat(database.reclaim().pendingCount()).isEqualTo(1);
    assertThat(all).allMatch(writes -> writes.versionMemory().totalBytes() == 0);
    assertThat(contents(reader)).isEqualTo(expected(0, ROWS, id -> id));
  }

  private static HostBuffer buffer(long bytes) {
    return HostBuffer.collected(Math.max(8, bytes));
  }

  /** Sets some rows of each tablet to new numbers, in the table and in the array. */
  private static void updateSome(Transaction tx, int table, long[] numbers, Random random) {
    List<TabletRows> parts = new ArrayList<>();
    for (int t = 0; t < numbers.length / Tablet.ROWS; t++) {
      int step = 1 + random.nextInt(2); // often the same rows again
      int n = (Tablet.ROWS - 1) / step + 1;
      HostBuffer rows = buffer(4L * n);
      HostBuffer values = buffer(8L * n);
      for (int i = 0; i < n; i++) {
        rows.setInt(i, i * step);
        numbers[t * Tablet.ROWS + i * step] = random.nextInt();
        values.setLong(i, numbers[t * Tablet.ROWS + i * step]);
      }
      parts.add(new TabletRows(t, rows, n, List.of(new ColumnView(ElementType.I64, values, null))));
    }
    tx.writer(table).update(parts, new int[] {0});
  }

  private static void requireNumbers(Transaction tx, int table, long[] numbers) {
    for (int t = 0; t < numbers.length / Tablet.ROWS; t++) {
      try (TabletView view = tx.reader(table).open(t, new int[] {0})) {
        HostBuffer values = view.column(0).values().onHost();
        long[] found = new long[Tablet.ROWS];
        values.read(0, found, 0, Tablet.ROWS);
        int from = t * Tablet.ROWS;
        assertThat(found).isEqualTo(Arrays.copyOfRange(numbers, from, from + Tablet.ROWS));
      }
    }
  }

  /** Enough rows for several threads; each snapshot sees what there was at its begin. */
  @Test
  void versionsOfManyTabletsAreMergedForEachSnapshot() {
    int table = 40;
    long[] numbers = new long[5 * Tablet.ROWS];
    Random random = new Random(Long.getLong("gpdb.seed", 20261126L));
    TableShape shape = new TableShape(List.of(new ColumnShape("V", ElementType.I64)), List.of());
    commit(tx -> tx.createTable(table, shape));
    commit(tx -> insertNumbers(tx, table, numbers.length));
    Map<Transaction, long[]> readers = new LinkedHashMap<>();
    for (int i = 0; i < 9; i++) {
      if (i % 4 == 0) {
        readers.put(manager.begin(), numbers.clone());
      }
      commit(tx -> updateSome(tx, table, numbers, random));
    }
    assertThat(database.reclaim().pendingCount()).isLessThan(9);
    readers.forEach((reader, seen) -> requireNumbers(reader, table, seen));
    readers.keySet().forEach(Transaction::rollback);
    Transaction newest = manager.begin();
    requireNumbers(newest, table, numbers);
    newest.rollback();
    assertThat(database.reclaim().keptBytes()).isZero();
  }

  /** A table is kept for the snapshot that its own commit made the newest. */
  @Test
  void aDroppedTableIsKeptForTheSnapshotAtItsCreation() {
    int table = 40;
    Transaction before = manager.begin(); // an older snapshot, for which it is not
    Transaction maker = manager.begin();
    maker.createTable(table, SampleDatabase.shape());
    maker.commit();
    Transaction atCreation = manager.begin();
    Transaction dropper = manager.begin();
    dropper.dropTable(table);
    dropper.commit();
    Transaction other = manager.begin();
    insert(other, 100, 1, id -> id);
    other.commit();
    assertThat(manager.space().table(table)).isNotNull();
    assertThat(atCreation.reader(table).tabletCount()).isZero();
    atCreation.commit();
    assertThat(manager.space().table(table)).isNull();
    before.commit();
  }
}
