package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.WEIGHT;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.SnapshotHold;
import io.gpdb.txn.log.WalLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What others may do with a commit whose sync is delayed (E1 to E4). */
@Timeout(60)
class EarlyReleaseTest {
  private static final int OTHER_TABLE = 18;

  private final CrashableDirectory directory = new CrashableDirectory();
  private final Map<Thread, Syncing> delayed = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private TransactionManager manager;

  /** A thread whose sync of the log waits until it is let go. */
  private static final class Syncing {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private @Nullable RuntimeException fails;
  }

  /** The end of a transaction, in a thread of its own. */
  private final class Ending {
    private final Thread thread;
    private final Syncing syncing = new Syncing();
    private volatile @Nullable RuntimeException failure;

    Ending(Runnable end) {
      thread = new Thread(() -> run(end));
      threads.add(thread);
    }

    private void run(Runnable end) {
      try {
        end.run();
      } catch (RuntimeException e) {
        failure = e;
      }
    }

    /** Returns when it is in its sync. */
    Ending inSync() {
      delayed.put(thread, syncing);
      thread.start();
      await(syncing.begun);
      return this;
    }

    /** Returns when it waits for others. */
    Ending waiting() {
      thread.start();
      while (thread.getState() != Thread.State.WAITING) {
        assertThat(thread.isAlive()).as("it does not wait").isTrue();
        Thread.onSpinWait();
      }
      return this;
    }

    void endSync() {
      syncing.mayEnd.countDown();
    }

    @Nullable RuntimeException join() throws InterruptedException {
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
      return failure;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> 0);
    tx.commit();
    directory.listener(
        (act, memory, offset, bytes) -> {
          Syncing syncing = act == Act.DRAIN ? delayed.remove(Thread.currentThread()) : null;
          if (syncing != null) {
            syncing.begun.countDown();
            await(syncing.mayEnd);
            if (syncing.fails != null) {
              throw syncing.fails;
            }
          }
        });
  }

  @AfterEach
  void close() throws InterruptedException {
    directory.listener(null);
    delayed.values().forEach(s -> s.mayEnd.countDown());
    for (Thread thread : threads) {
      thread.join(20_000);
    }
    manager.abandon();
    directory.close();
  }

  private Transaction writer() {
    Transaction tx = manager.begin(IsolationLevel.READ_COMMITTED);
    tx.beginChange();
    return tx;
  }

  /** The amount is a multiple of 7, by which the note does not change. */
  private static void set(Transaction tx, int id, long amount) {
    long row = row(tx, id);
    long[] values = {amount, Double.doubleToRawLongBits(amount * 0.5)};
    tx.writer(TABLE).updateRow(row, new int[] {AMOUNT, WEIGHT}, values, new boolean[2]);
    tx.writer(TABLE).finishStatement();
  }

  private static long row(Transaction tx, int id) {
    return tx.reader(TABLE).findByKey(0, new long[] {id});
  }

  private static long amount(Transaction tx, int id) {
    long[] values = new long[2];
    tx.reader(TABLE).read(row(tx, id), new int[] {ID, AMOUNT}, values, new boolean[2]);
    return values[1];
  }

  /** A transaction that sets the amount of row 1 and is in the sync of its commit. */
  private Ending first(long amount) {
    Transaction tx = writer();
    set(tx, 1, amount);
    return new Ending(tx::commit).inSync();
  }

  private Map<Integer, Long> afterCrash(CrashChoice choice) {
    try (CrashableDirectory left = directory.crash(choice);
        TransactionManager recovered = SampleDatabase.open(left, Protocol.REDO)) {
      return new HashMap<>(contents(recovered));
    }
  }

  @Test
  void aRowIsOverwrittenWhileItsWriterIsInItsSync() throws InterruptedException {
    Ending one = first(7);
    Transaction tx = writer();
    assertThat(amount(tx, 1)).isEqualTo(7);
    set(tx, 1, 14);
    Ending two = new Ending(tx::commit).inSync();
    two.endSync();
    one.endSync();
    assertThat(one.join()).isNull();
    assertThat(two.join()).isNull();
    assertThat(contents(manager)).containsEntry(1, 14L);
    assertThat(afterCrash(CrashChoice.keepNothing())).containsEntry(1, 14L);
  }

  @Test
  void theSecondIsNotAcknowledgedBeforeTheFirst() throws InterruptedException {
    Ending one = first(7);
    Transaction tx = writer();
    set(tx, 1, 14);
    Ending two = new Ending(tx::commit).inSync();
    two.endSync();
    two.thread.join(200);
    assertThat(two.thread.isAlive()).isTrue();
    assertThat(contents(manager)).containsEntry(1, 0L);
    one.endSync();
    assertThat(two.join()).isNull();
  }

  @Test
  void theSecondIsNeverThereWithoutTheFirst() throws InterruptedException {
    long start = manager.logPosition();
    Ending one = first(7);
    long between = manager.logPosition() + WalLayout.SEGMENT_RECORDS_AT;
    Transaction tx = writer();
    set(tx, 2, amount(tx, 1) + 7);
    Ending two = new Ending(tx::commit).inSync();
    assertThat(between).isGreaterThan(start);
    CrashChoice onlyTheSecond =
        (memory, offset, alternatives) ->
            memory.startsWith(WalLayout.FILE_PREFIX) && offset < between ? 0 : alternatives - 1;
    assertThat(afterCrash(onlyTheSecond)).containsEntry(1, 0L).containsEntry(2, 0L);
    one.endSync();
    two.endSync();
    one.join();
    two.join();
  }

  @Test
  void readersSeeWhatIsDurableAndWaitForNothing() throws InterruptedException {
    Ending one = first(7);
    for (IsolationLevel level : IsolationLevel.values()) {
      Transaction tx = manager.begin(level);
      assertThat(amount(tx, 1)).isZero();
      tx.beginStatement();
      assertThat(amount(tx, 1)).isZero();
      tx.commit();
    }
    one.endSync();
    one.join();
  }

  @Test
  void whoeverHasSeenACommitEndsAfterItIsDurable() throws InterruptedException {
    Ending one = first(7);
    Transaction read = writer();
    assertThat(amount(read, 1)).isEqualTo(7);
    Ending readOnly = new Ending(read::commit).waiting();
    Transaction rolled = writer();
    set(rolled, 1, 21);
    Ending rollback = new Ending(rolled::rollback).waiting();
    Transaction locked = writer();
    locked.writer(TABLE).lock(new long[] {row(locked, 1)}, 1);
    Ending locks = new Ending(locked::commit).waiting();
    one.endSync();
    assertThat(one.join()).isNull();
    assertThat(readOnly.join()).isNull();
    assertThat(rollback.join()).isNull();
    assertThat(locks.join()).isNull();
    assertThat(contents(manager)).containsEntry(1, 7L);
  }

  @Test
  void aTransactionDoesNotGoBackBehindWhatItHasSeen() throws InterruptedException {
    Ending one = first(7);
    Transaction tx = writer();
    set(tx, 2, 35);
    tx.beginStatement();
    assertThat(amount(tx, 1)).isEqualTo(7);
    SnapshotHold held = tx.holdSnapshot();
    tx.beginStatement();
    assertThat(amount(tx, 1)).isEqualTo(7);
    held.close();
    one.endSync();
    one.join();
    tx.rollback();
  }

  @Test
  void theFirstStatementOfASnapshotSeesWhatIsReleasedAndSoDoAllAfterIt()
      throws InterruptedException {
    Ending one = first(7);
    Transaction tx = manager.begin();
    tx.beginChange();
    set(tx, 1, 14);
    Transaction late = manager.begin();
    late.beginStatement();
    late.beginChange();
    assertThat(amount(late, 1)).isZero();
    Transaction serializable = manager.begin(IsolationLevel.SERIALIZABLE);
    serializable.beginChange();
    assertThat(amount(serializable, 1)).isZero();
    one.endSync();
    tx.commit();
    late.commit();
    serializable.commit();
    assertThat(one.join()).isNull();
  }

  @Test
  void aFailedSyncFailsAllThatHaveSeenTheCommit() throws InterruptedException {
    Ending one = first(7);
    one.syncing.fails = new GpdbException(ErrorCode.IO_ERROR, "medium failed");
    Transaction tx = writer();
    set(tx, 1, 14);
    Ending two = new Ending(tx::commit).inSync();
    two.endSync();
    Transaction read = writer();
    assertThat(amount(read, 1)).isEqualTo(14);
    Ending readOnly = new Ending(read::commit).waiting();
    one.endSync();
    for (Ending each : List.of(one, two, readOnly)) {
      assertThat(each.join())
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.POISONED));
    }
    assertThatThrownBy(this::writer).isInstanceOf(GpdbException.class);
  }

  @Test
  void definitionsAndWhatComesAfterThemAreReleasedWhenDurable() throws InterruptedException {
    Transaction definition = manager.begin();
    definition.createTable(OTHER_TABLE, SampleDatabase.shape());
    set(definition, 1, 7);
    Ending one = new Ending(definition::commit).inSync();
    Transaction other = writer();
    set(other, 2, 14);
    Ending two = new Ending(other::commit).inSync();
    Transaction tx = writer();
    assertThat(amount(tx, 1)).isZero();
    assertThat(amount(tx, 2)).isZero();
    assertThatThrownBy(() -> set(tx, 2, 21))
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
    two.endSync();
    one.endSync();
    one.join();
    two.join();
    tx.rollback();
    assertThat(contents(manager)).containsEntry(2, 14L);
  }

  @Test
  void aStatementDoesNotMovePastADefinition() throws InterruptedException {
    Transaction tx = manager.begin(IsolationLevel.READ_COMMITTED);
    Transaction definition = manager.begin();
    definition.createTable(OTHER_TABLE, SampleDatabase.shape());
    definition.commit();
    Ending one = first(7);
    tx.beginChange(); // planned before the definition
    assertThat(amount(tx, 1)).isZero();
    tx.beginStatement();
    tx.beginChange();
    assertThat(amount(tx, 1)).isEqualTo(7);
    one.endSync();
    one.join();
    tx.commit();
  }

  @Test
  void valuesOutsideTheLogAreReleasedWhenDurable() throws InterruptedException {
    for (Protocol protocol : List.of(Protocol.VERSIONED, Protocol.UNDO)) {
      Transaction outside = writer();
      outside.protocol(protocol);
      set(outside, 1, 49);
      Ending one = new Ending(outside::commit);
      delayed.put(one.thread, one.syncing);
      one.thread.start();
      await(one.syncing.begun);
      Transaction tx = writer();
      assertThat(amount(tx, 1)).isNotEqualTo(49L);
      one.endSync();
      one.join();
      tx.commit();
      Transaction back = writer();
      set(back, 1, 0);
      back.commit();
    }
  }

  /** E4: else the checkpoint would write a value that no crash may leave. */
  @Test
  void aChunkIsNotTakenInPlaceWhileAChangeOfItIsNotDurable() throws InterruptedException {
    Ending one = first(7);
    Transaction inPlace = writer();
    inPlace.protocol(Protocol.UNDO);
    set(inPlace, 2, 14);
    Ending checkpoint = new Ending(manager::checkpoint);
    checkpoint.thread.start();
    assertThat(checkpoint.join()).isNull();
    assertThat(afterCrash(CrashChoice.keepNothing())).containsEntry(1, 0L).containsEntry(2, 0L);
    one.endSync();
    one.join();
    inPlace.commit();
    assertThat(contents(manager)).containsEntry(1, 7L).containsEntry(2, 14L);
  }
}
