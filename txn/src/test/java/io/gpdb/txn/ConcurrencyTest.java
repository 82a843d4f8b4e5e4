package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.WEIGHT;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TxnStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConcurrencyTest {
  private static final int ACCOUNTS = 50;
  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = bank(directory, Protocol.REDO);
  }

  private static TransactionManager bank(CrashableDirectory directory, Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, ACCOUNTS, id -> 1000);
    tx.commit();
    return manager;
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private static void assertConflict(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
  }

  @Test
  void theSecondWriterOfARowIsRefusedAtOnce() {
    Transaction first = manager.begin();
    Transaction second = manager.begin();
    update(first, id -> id == 3, id -> 1);
    assertConflict(() -> update(second, id -> id == 3, id -> 2));
    assertConflict(() -> delete(second, id -> id == 3));
    update(second, id -> id == 4, id -> 2);
    second.rollback();
    first.commit();
    assertThat(contents(manager)).containsEntry(3, 1L).containsEntry(4, 1000L);
    assertThat(manager.statistics().conflicts()).isEqualTo(2);
  }

  @Test
  void aWriterWhoseSnapshotMissesACommitIsRefused() {
    Transaction late = manager.begin();
    Transaction first = manager.begin();
    update(first, id -> id == 3, id -> 1);
    first.commit();
    assertConflict(() -> update(late, id -> id == 3, id -> 2));
    late.rollback();
    Transaction fresh = manager.begin();
    update(fresh, id -> id == 3, id -> 2);
    fresh.commit();
    assertThat(contents(manager)).containsEntry(3, 2L);
  }

  @Test
  void twoInsertersOfOneKeyAreNotBothServed() {
    Transaction first = manager.begin();
    Transaction second = manager.begin();
    insert(first, 900, 1, id -> 1);
    assertConflict(() -> insert(second, 900, 1, id -> 2));
    second.rollback();
    first.commit();
    Transaction third = manager.begin();
    assertThatThrownBy(() -> insert(third, 900, 1, id -> 3)).isInstanceOf(KeyViolation.class);
    third.rollback();
  }

  @Test
  void aKeyThatAnotherIsDeletingIsInDoubt() {
    Transaction deleting = manager.begin();
    delete(deleting, id -> id == 7);
    Transaction inserting = manager.begin();
    assertConflict(() -> insert(inserting, 7, 1, id -> 1));
    inserting.rollback();
    deleting.rollback();
    assertThat(contents(manager)).containsEntry(7, 1000L);
  }

  @Test
  void anOldSnapshotSeesItsStateWhateverOthersCommit() {
    Transaction old = manager.begin();
    var before = expected(0, ACCOUNTS, id -> 1000);
    for (int round = 0; round < 5; round++) {
      int r = round;
      Transaction tx = manager.begin();
      update(tx, id -> id % 2 == r % 2, id -> id * 10L + r);
      insert(tx, 1000 + round * 100, 60, id -> id);
      delete(tx, id -> id == r || id == 1000 + r * 100);
      tx.commit();
      assertThat(contents(old)).isEqualTo(before);
    }
    assertThat(manager.statistics().pinnedVersions()).isEqualTo(5);
    Transaction fresh = manager.begin();
    assertThat(contents(fresh)).hasSize(ACCOUNTS - 5 + 5 * 59);
    fresh.commit();
    old.commit();
    assertThat(manager.statistics().pinnedVersions()).isZero();
  }

  @Test
  void aCheckpointAmidOpenTransactionsHoldsWhatIsCommitted() {
    Transaction open = manager.begin();
    update(open, id -> id < 40, id -> -1);
    delete(open, id -> id == 45);
    insert(open, 2000, 100, id -> id);
    Transaction done = manager.begin();
    insert(done, 3000, 10, id -> id);
    done.commit();
    manager.checkpoint();
    var model = expected(0, ACCOUNTS, id -> 1000);
    model.putAll(expected(3000, 10, id -> id));
    try (CrashableDirectory crashed = directory.crash(CrashChoice.keepNothing());
        TransactionManager recovered = SampleDatabase.open(crashed, Protocol.REDO)) {
      assertThat(recovered.recovery().replayedTransactions()).isZero();
      assertThat(contents(recovered)).isEqualTo(model);
      assertThat(recovered.space().check()).isEmpty();
    }
    open.commit();
    manager.checkpoint();
    model.replaceAll((id, amount) -> id < 40 ? -1 : amount);
    model.remove(45);
    model.putAll(expected(2000, 100, id -> id));
    try (CrashableDirectory crashed = directory.crash(CrashChoice.keepNothing());
        TransactionManager recovered = SampleDatabase.open(crashed, Protocol.REDO)) {
      assertThat(contents(recovered)).isEqualTo(model);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO"})
  void transfersConserveTheSumForEveryReaderAndAfterACrash(Protocol protocol) throws Exception {
    try (CrashableDirectory other = new CrashableDirectory();
        TransactionManager m = bank(other, protocol);
        ExecutorService threads = Executors.newFixedThreadPool(6)) {
      AtomicBoolean stop = new AtomicBoolean();
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(reading(m, stop)));
      }
      List<Future<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        writers.add(threads.submit(transferring(m, i, 60)));
      }
      int transfers = 0;
      for (Future<Integer> writer : writers) {
        transfers += writer.get();
      }
      m.checkpoint();
      stop.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
      assertThat(transfers).isPositive();
      assertThat(sum(m)).isEqualTo(ACCOUNTS * 1000L);
      try (CrashableDirectory crashed = other.crash(CrashChoice.random(5));
          TransactionManager recovered = SampleDatabase.open(crashed, protocol)) {
        assertThat(contents(recovered)).isEqualTo(contents(m));
        assertThat(recovered.space().check()).isEmpty();
      }
    }
  }

  private static long sum(TransactionManager m) {
    return contents(m).values().stream().mapToLong(Long::longValue).sum();
  }

  private static Callable<Void> reading(TransactionManager m, AtomicBoolean stop) {
    return () -> {
      while (!stop.get()) {
        assertThat(sum(m)).isEqualTo(ACCOUNTS * 1000L);
      }
      return null;
    };
  }

  private static Callable<Integer> transferring(TransactionManager m, int seed, int attempts) {
    return () -> {
      Random random = new Random(seed);
      int done = 0;
      for (int i = 0; i < attempts; i++) {
        Transaction tx = m.begin();
        try {
          int from = random.nextInt(ACCOUNTS);
          int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
          add(tx, from, -7);
          add(tx, to, 7);
          if (i % 10 == 9) {
            tx.rollback();
          } else {
            tx.commit();
            done++;
          }
        } catch (GpdbException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT);
          tx.rollback();
        }
      }
      return done;
    };
  }

  private static void add(Transaction tx, int id, long amount) {
    TableWriter writer = tx.writer(TABLE);
    long row = writer.findByKey(0, new long[] {id});
    long[] values = new long[1];
    boolean[] nulls = new boolean[1];
    assertThat(tx.reader(TABLE).read(row, new int[] {AMOUNT}, values, nulls)).isTrue();
    long next = values[0] + amount;
    CodedStrings dictionary = tx.reader(TABLE).strings(NOTE);
    byte[] note = SampleDatabase.noteText(next).getBytes(UTF_8);
    int[] columns = {AMOUNT, WEIGHT, NOTE};
    writer.updateRow(
        row,
        columns,
        new long[] {
          next, Double.doubleToRawLongBits(next * 0.5), dictionary.intern(note, 0, note.length)
        },
        new boolean[3]);
  }

  @Test
  void manyCommittersShareSyncs() throws Exception {
    TxnStatistics before = manager.statistics();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> writers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        writers.add(threads.submit(transferring(manager, 100 + i, 40)));
      }
      for (Future<Integer> writer : writers) {
        writer.get();
      }
    }
    TxnStatistics since = manager.statistics().minus(before);
    assertThat(since.syncs()).isLessThanOrEqualTo(since.commits());
    assertThat(sum(manager)).isEqualTo(ACCOUNTS * 1000L);
  }
}
