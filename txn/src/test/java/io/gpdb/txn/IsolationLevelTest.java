package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.WEIGHT;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static io.gpdb.txn.api.IsolationLevel.READ_COMMITTED;
import static io.gpdb.txn.api.IsolationLevel.SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.SnapshotHold;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.version.ReadSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IsolationLevelTest {
  private static final int ROWS = 50;

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> 1000);
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private void commits(java.util.function.Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  /** The row's amount, found by key. */
  private static long amount(Transaction tx, int id) {
    TableReader reader = tx.reader(TABLE);
    long[] values = new long[1];
    long row = reader.findByKey(0, new long[] {id});
    return row >= 0 && reader.read(row, new int[] {AMOUNT}, values, new boolean[1])
        ? values[0]
        : -1;
  }

  private static void updateAmount(Transaction tx, int id, long amount) {
    TableWriter writer = tx.writer(TABLE);
    long row = writer.findByKey(0, new long[] {id});
    writer.updateRow(row, new int[] {AMOUNT}, new long[] {amount}, new boolean[1]);
  }

  private static void assertRefused(Transaction tx) {
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
    assertThat(tx.isActive()).isTrue();
    tx.rollback();
  }

  @Test
  void readCommittedSeesWhatWasCommittedBeforeTheStatement() {
    Transaction tx = manager.begin(READ_COMMITTED);
    assertThat(amount(tx, 3)).isEqualTo(1000);
    commits(other -> updateAmount(other, 3, 1));
    assertThat(amount(tx, 3)).isEqualTo(1000);
    tx.beginStatement();
    assertThat(amount(tx, 3)).isEqualTo(1);
    updateAmount(tx, 3, 2);
    tx.commit();
    assertThat(manager.statistics().pinnedVersions()).isZero();
  }

  @Test
  void readCommittedIsRefusedOnlyByAWriterThatIsNotDone() {
    Transaction tx = manager.begin(READ_COMMITTED);
    Transaction other = manager.begin();
    updateAmount(other, 3, 1);
    assertThatThrownBy(() -> updateAmount(tx, 3, 2)).isInstanceOf(GpdbException.class);
    other.commit();
    tx.beginStatement();
    updateAmount(tx, 3, 2);
    tx.commit();
    commits(last -> assertThat(amount(last, 3)).isEqualTo(2));
  }

  @Test
  void aHeldSnapshotOutlivesItsStatement() {
    Transaction tx = manager.begin(READ_COMMITTED);
    TableReader before = tx.reader(TABLE);
    SnapshotHold held = Objects.requireNonNull(tx.holdSnapshot());
    commits(other -> delete(other, id -> id < 10));
    tx.beginStatement();
    assertThat(contents(tx)).hasSize(ROWS - 10);
    assertThat(before.findByKey(0, new long[] {3})).isNotNegative();
    assertThat(manager.statistics().pinnedVersions()).isEqualTo(1);
    held.close();
    commits(other -> {});
    assertThat(manager.statistics().pinnedVersions()).isZero();
    tx.commit();
  }

  @Test
  void aHeldSnapshotEndsWithItsTransaction() {
    Transaction tx = manager.begin(READ_COMMITTED);
    SnapshotHold held = Objects.requireNonNull(tx.holdSnapshot());
    commits(other -> delete(other, id -> id < 10));
    tx.beginStatement();
    tx.rollback();
    assertThat(manager.statistics().pinnedVersions()).isZero();
    held.close();
  }

  @Test
  void writeSkewIsRefusedAtTheSecondCommit() {
    Transaction first = manager.begin(SERIALIZABLE);
    Transaction second = manager.begin(SERIALIZABLE);
    updateAmount(first, 1, amount(first, 2) - 1);
    updateAmount(second, 2, amount(second, 1) - 1);
    first.commit();
    assertRefused(second);
    commits(after -> assertThat(amount(after, 2)).isEqualTo(1000));
  }

  @Test
  void aScanIsRefusedAfterAnInsertADeleteOrAnUpdateOfWhatItRead() {
    for (int act = 0; act < 3; act++) {
      int kind = act;
      Transaction tx = manager.begin(SERIALIZABLE);
      assertThat(contents(tx)).isNotEmpty();
      updateAmount(tx, 40, kind);
      commits(
          other -> {
            switch (kind) {
              case 0 -> insert(other, 900, 1, id -> 1);
              case 1 -> delete(other, id -> id == 7);
              default -> update(other, id -> id == 8, id -> 5);
            }
          });
      assertRefused(tx);
    }
  }

  @Test
  void anUpdateOfOtherColumnsThanThoseReadDoesNotDisturb() {
    Transaction tx = manager.begin(SERIALIZABLE);
    TableReader reader = tx.reader(TABLE);
    for (int t = 0; t < reader.tabletCount(); t++) {
      reader.open(t, new int[] {ID, NOTE}).close();
    }
    assertThat(reader.read(5, new int[] {WEIGHT}, new long[1], new boolean[1])).isTrue();
    updateAmount(tx, 40, 1);
    commits(other -> updateAmount(other, 5, 4));
    tx.commit();
  }

  @Test
  void aScanThatFoundNothingCounts() {
    commits(other -> other.createTable(17, SampleDatabase.shape()));
    Transaction tx = manager.begin(SERIALIZABLE);
    assertThat(tx.reader(17).tabletCount()).isZero();
    updateAmount(tx, 40, 1);
    Transaction other = manager.begin();
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      other.writer(17).insert(SampleDatabase.rows(tx, arena, 1, 1, id -> 1), 1);
    }
    other.commit();
    assertRefused(tx);
  }

  @Test
  void aKeyThatWasNotFoundCounts() {
    Transaction unrelated = manager.begin(SERIALIZABLE);
    Transaction tx = manager.begin(SERIALIZABLE);
    assertThat(amount(tx, 777)).isEqualTo(-1);
    assertThat(amount(unrelated, 778)).isEqualTo(-1);
    updateAmount(tx, 40, 1);
    updateAmount(unrelated, 41, 1);
    commits(other -> insert(other, 777, 1, id -> 1));
    assertRefused(tx);
    unrelated.commit();
  }

  @Test
  void aTakenKeyIsSomethingRead() {
    Transaction tx = manager.begin(SERIALIZABLE);
    Savepoint before = tx.savepoint();
    assertThatThrownBy(() -> insert(tx, 3, 1, id -> 1)).isInstanceOf(KeyViolation.class);
    tx.rollbackTo(before);
    updateAmount(tx, 40, 1);
    commits(other -> delete(other, id -> id == 3));
    assertRefused(tx);
  }

  @Test
  void whatASavepointUndidWasReadAllTheSame() {
    Transaction tx = manager.begin(SERIALIZABLE);
    Savepoint before = tx.savepoint();
    tx.createTable(18, SampleDatabase.shape());
    assertThat(tx.reader(18).tabletCount()).isZero();
    assertThat(amount(tx, 5)).isEqualTo(1000);
    tx.rollbackTo(before);
    updateAmount(tx, 40, 1);
    commits(other -> updateAmount(other, 5, 4));
    assertRefused(tx);
  }

  @Test
  void whoOnlyReadsIsNeverRefused() {
    Transaction tx = manager.begin(SERIALIZABLE);
    assertThat(contents(tx)).hasSize(ROWS);
    commits(other -> delete(other, id -> true));
    assertThat(contents(tx)).hasSize(ROWS);
    tx.commit();
  }

  @Test
  void whatAnUncommittedOrUndoneWriterDidDoesNotCount() {
    Transaction open = manager.begin();
    updateAmount(open, 5, 1);
    Transaction undone = manager.begin();
    updateAmount(undone, 6, 1);
    Transaction tx = manager.begin(SERIALIZABLE);
    assertThat(amount(tx, 5) + amount(tx, 6)).isEqualTo(2000);
    updateAmount(tx, 40, 1);
    undone.rollback();
    tx.commit();
    open.commit();
  }

  @Test
  void tooManyReadsCountAsTheWholeTable() {
    int rows = ReadSet.POINTS_MAX + 10;
    commits(other -> insert(other, 1000, rows, id -> 1));
    Transaction tx = manager.begin(SERIALIZABLE);
    TableReader reader = tx.reader(TABLE);
    for (int i = 0; i < rows; i++) {
      reader.read(ROWS + i, new int[] {AMOUNT}, new long[1], new boolean[1]);
    }
    updateAmount(tx, 40, 1);
    commits(other -> updateAmount(other, 5, 1));
    assertRefused(tx);
  }

  /** The keys that were not found are forgotten for the columns that they have. */
  @Test
  void tooManyKeysThatWereNotFoundCountAsTheirColumns() {
    Transaction tx = manager.begin(SERIALIZABLE);
    Transaction unrelated = manager.begin(SERIALIZABLE);
    for (Transaction each : List.of(tx, unrelated)) {
      TableReader reader = each.reader(TABLE);
      for (int i = 0; i <= ReadSet.POINTS_MAX; i++) {
        assertThat(reader.findByKey(0, new long[] {1000 + i})).isNegative();
      }
    }
    updateAmount(tx, 40, 1);
    updateAmount(unrelated, 41, 1);
    commits(other -> updateAmount(other, 5, 7));
    unrelated.commit();
    commits(
        other -> {
          TableWriter writer = other.writer(TABLE);
          long row = writer.findByKey(0, new long[] {6});
          writer.updateRow(row, new int[] {ID}, new long[] {1500}, new boolean[1]);
          writer.finishStatement();
        });
    assertRefused(tx);
  }

  /** Every state that an open transaction left behind may come back. */
  @Test
  void aKeyThatAnOpenTransactionChangedTwiceIsNotFree() {
    Transaction open = manager.begin();
    for (int id : new int[] {3, 103, 203}) {
      TableWriter writer = open.writer(TABLE);
      long row = writer.findByKey(0, new long[] {id});
      writer.updateRow(row, new int[] {ID}, new long[] {id + 100}, new boolean[1]);
      writer.finishStatement();
    }
    for (int id : new int[] {3, 103, 203, 303}) {
      Transaction tx = manager.begin();
      assertThatThrownBy(() -> insert(tx, id, 1, i -> 1))
          .isInstanceOfSatisfying(
              GpdbException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
      tx.rollback();
    }
    open.rollback();
    assertThat(contents(manager)).hasSize(ROWS);
  }

  /** The newest write of a row is of another column than the one read. */
  @Test
  void anOlderWriteOfAColumnReadCountsBehindANewerOneOfAnother() {
    Transaction tx = manager.begin(SERIALIZABLE);
    assertThat(amount(tx, 5)).isEqualTo(1000);
    updateAmount(tx, 40, 1);
    commits(other -> updateAmount(other, 5, 4));
    commits(
        other -> {
          TableWriter writer = other.writer(TABLE);
          long row = writer.findByKey(0, new long[] {5});
          writer.updateRow(row, new int[] {WEIGHT}, new long[] {0}, new boolean[1]);
        });
    assertRefused(tx);
  }

  /** Committers that meet in one batch are judged against each other too. */
  @Test
  void ofManySkewedCommittersAtOnceOneSucceeds() throws Exception {
    int threads = 8;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int round = 0; round < 40; round++) {
        int base = round;
        CountDownLatch ready = new CountDownLatch(threads);
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          int mine = i;
          results.add(pool.submit(() -> skewed(mine, threads, base, ready)));
        }
        int done = 0;
        for (Future<Boolean> result : results) {
          done += result.get() ? 1 : 0;
        }
        assertThat(done).isEqualTo(1);
      }
    }
  }

  private boolean skewed(int mine, int threads, int value, CountDownLatch ready)
      throws InterruptedException {
    Transaction tx = manager.begin(SERIALIZABLE);
    long sum = 0;
    for (int id = 0; id < threads; id++) {
      sum += amount(tx, id);
    }
    updateAmount(tx, mine, sum + value);
    ready.countDown();
    ready.await();
    try {
      tx.commit();
      return true;
    } catch (GpdbException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT);
      tx.rollback();
      return false;
    }
  }
}
