package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.WalLayout;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two concurrent commits; the sync of the first is delayed. */
@Timeout(60)
class GroupCommitTest {
  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @BeforeEach
  void open() {
    withTable(directory, Protocol.REDO).close(); // what follows is the first of its epoch
    manager = SampleDatabase.open(directory, Protocol.REDO);
  }

  @AfterEach
  void close() {
    directory.listener(null);
    manager.abandon();
    directory.close();
  }

  /**
   * A thread that inserts ten rows and commits; its syncs of the log wait until they are let go.
   */
  private final class Committer {
    private final CountDownLatch syncing = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Thread thread;
    private final Transaction tx = manager.begin();
    private volatile @Nullable RuntimeException failure;
    private volatile @Nullable RuntimeException syncFails;

    Committer(int firstId) {
      insert(tx, firstId, 10, id -> id);
      thread = new Thread(this::run);
    }

    private void run() {
      try {
        tx.commit();
      } catch (RuntimeException e) {
        failure = e;
      }
    }

    void start() {
      thread.start();
      await(syncing);
    }

    void beforeSync() {
      syncing.countDown();
      await(mayEnd);
      RuntimeException fails = syncFails;
      if (fails != null) {
        throw fails;
      }
    }

    void endSync() {
      mayEnd.countDown();
    }

    void join() throws InterruptedException {
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Two commits whose batches are both in their sync. */
  private Committer[] twoInFlight() {
    Committer[] both = {new Committer(0), new Committer(100)};
    directory.listener(
        (act, memory, offset, bytes) -> {
          for (Committer committer : both) {
            if (act == Act.DRAIN && Thread.currentThread() == committer.thread) {
              committer.beforeSync();
            }
          }
        });
    both[0].start();
    both[1].start(); // returns, so its sync is under way while the first one's is
    return both;
  }

  /** Until the thread waits for others, as it does when it has done its part of a commit. */
  private static void awaitWaiting(Committer committer) {
    while (committer.thread.getState() != Thread.State.WAITING) {
      assertThat(committer.thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void aBatchIsAcknowledgedAfterTheSyncsOfAllBeforeIt() throws InterruptedException {
    Committer[] both = twoInFlight();
    both[1].endSync();
    awaitWaiting(both[1]);
    assertThat(both[1].thread.isAlive()).isTrue();
    assertThat(contents(manager)).isEmpty();
    both[0].endSync();
    both[0].join();
    both[1].join();
    assertThat(contents(manager)).hasSize(20);
    manager.abandon();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager recovered = SampleDatabase.open(left, Protocol.REDO)) {
      assertThat(contents(recovered)).hasSize(20);
    }
  }

  @Test
  void aBatchThatArrivedWithoutTheOneBeforeItIsNeverTaken() throws InterruptedException {
    long first = manager.logPosition();
    Committer[] both = twoInFlight();
    long second = (first + manager.logPosition()) / 2 + WalLayout.SEGMENT_RECORDS_AT; // of equals
    CrashChoice onlyTheSecond =
        (memory, offset, alternatives) ->
            memory.startsWith(WalLayout.FILE_PREFIX) && offset < second ? 0 : alternatives - 1;
    try (CrashableDirectory left = directory.crash(onlyTheSecond)) {
      TransactionManager recovered = SampleDatabase.open(left, Protocol.REDO);
      assertThat(contents(recovered)).isEmpty();
      Transaction tx = recovered.begin();
      insert(tx, 200, 10, id -> id); // its record is as long as the lost one
      tx.commit();
      assertThat(recovered.logPosition() + WalLayout.SEGMENT_RECORDS_AT).isEqualTo(second);
      recovered.abandon();
      try (TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
        assertThat(contents(again)).isEqualTo(expected(200, 10, id -> id));
        assertThat(again.recovery().tornTail()).contains("earlier opening");
      }
    }
    both[0].endSync();
    both[1].endSync();
    both[0].join();
    both[1].join();
  }

  @Test
  void aFailedSyncFailsTheBatchesBehindIt() throws InterruptedException {
    Committer[] both = twoInFlight();
    both[0].syncFails = new GpdbException(ErrorCode.IO_ERROR, "medium failed");
    both[1].endSync();
    awaitWaiting(both[1]);
    both[0].endSync();
    for (Committer committer : both) {
      committer.join();
      assertThat(committer.failure)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.POISONED));
    }
  }

  @Test
  void aCheckpointBetweenBatchesInFlightHoldsWhatWasAcknowledged() throws InterruptedException {
    Committer[] both = twoInFlight();
    Map<Integer, Long> before = contents(manager);
    directory.listener(null);
    manager.checkpoint();
    both[0].endSync();
    both[1].endSync();
    both[0].join();
    both[1].join();
    manager.abandon();
    assertThat(before).isEmpty();
    try (TransactionManager again = SampleDatabase.open(directory, Protocol.REDO)) {
      assertThat(again.recovery().replayedTransactions()).isEqualTo(2);
      assertThat(contents(again)).hasSize(20);
    }
  }
}
