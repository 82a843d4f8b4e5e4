package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Log files of 4 KiB of records: what happens where one ends and the next begins. */
@Timeout(60)
class SegmentChangeTest {
  private static final int FILE_BYTES = 8192;
  private static final int MANY_ROWS = 300; // more than a file takes

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.listener(null);
    directory.close();
  }

  private TransactionManager open() {
    TransactionManager manager =
        TransactionManager.open(
            directory,
            SampleDatabase.DEVICE,
            TxnOptions.standard().withLogFileBytes(FILE_BYTES).withProtocol(Protocol.REDO));
    if (manager.space().table(SampleDatabase.TABLE) == null) {
      Transaction tx = manager.begin();
      tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
      tx.commit();
    }
    return manager;
  }

  /** A thread that is stopped before its first act that passes the test. */
  private final class Held {
    private final CountDownLatch there = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    Held(Runnable work) {
      thread =
          new Thread(
              () -> {
                try {
                  work.run();
                } catch (RuntimeException | Error e) {
                  failure = e;
                }
              });
    }

    void startAndAwait() {
      thread.start();
      await(there);
    }

    void hold() {
      there.countDown();
      await(mayGoOn);
    }

    void release() throws InterruptedException {
      mayGoOn.countDown();
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
      assertThat(failure).isNull();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void commit(TransactionManager manager, int from, int n) {
    Transaction tx = manager.begin();
    insert(tx, from, n, id -> id);
    tx.commit();
  }

  @Test
  void filesThatCheckpointsBesideCommitsLeftGoWithTheNextOnes() throws InterruptedException {
    try (TransactionManager manager = open()) {
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < 400; i++) {
                  commit(manager, i * 10, 10);
                }
              });
      writer.start();
      while (writer.isAlive()) {
        manager.checkpoint();
      }
      writer.join();
      manager.checkpoint();
      commit(manager, 10_000, 1);
      manager.checkpoint();
      assertThat(directory.names().stream().filter(WalLayout::isFileName)).hasSizeLessThan(5);
    }
  }

  private Map<Integer, Long> afterLosing(CrashChoice choice) {
    try (CrashableDirectory left = directory.crash(choice);
        TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
      return contents(again);
    }
  }

  private long logFiles() {
    return directory.names().stream().filter(WalLayout::isFileName).count();
  }

  /** The second batch needs a file of its own while the first one is in its sync. */
  @Test
  void aSegmentIsMadeWhenAllRecordsBeforeItAreDurable() throws InterruptedException {
    TransactionManager manager = open();
    Held first = new Held(() -> commit(manager, 0, 10));
    Held second = new Held(() -> commit(manager, 1000, MANY_ROWS));
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.DRAIN && Thread.currentThread() == first.thread) {
            first.hold();
          }
        });
    first.startAndAwait();
    long files = logFiles();
    second.thread.start();
    while (second.thread.getState() != Thread.State.WAITING && second.thread.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(second.thread.isAlive()).isTrue();
    assertThat(logFiles()).isEqualTo(files);
    first.release();
    second.release();
    assertThat(logFiles()).isEqualTo(files + 1);
    directory.listener(null);
    manager.abandon();
    Map<Integer, Long> all = new TreeMap<>(expected(0, 10, id -> id));
    all.putAll(expected(1000, MANY_ROWS, id -> id));
    assertThat(afterLosing(CrashChoice.keepNothing())).isEqualTo(all);
  }

  /** Records behind the checkpoint's place, next to the file's end, are needed still. */
  @Test
  void aCheckpointBesideCommitsLeavesTheFileOfWhatItDoesNotHold() throws InterruptedException {
    for (int small = 1; small <= 3; small++) {
      TransactionManager manager = open();
      Map<Integer, Long> all = new TreeMap<>(contents(manager));
      int base = all.size() + small * 10_000;
      commit(manager, base, 5);
      Held checkpoint = new Held(manager::checkpoint);
      directory.listener(
          (act, memory, offset, bytes) -> {
            if (act == Act.DRAIN && Thread.currentThread() == checkpoint.thread) {
              checkpoint.hold();
            }
          });
      checkpoint.startAndAwait();
      for (int i = 1; i <= small; i++) {
        commit(manager, base + i * 1000, 1);
      }
      commit(manager, base + 5000, MANY_ROWS); // in the next file
      checkpoint.release();
      commit(manager, base + 6000, MANY_ROWS); // in a file that no recovery needs, taken again
      directory.listener(null);
      all.putAll(contents(manager));
      manager.abandon();
      assertThat(all).hasSizeGreaterThan(MANY_ROWS);
      assertThat(afterLosing(CrashChoice.keepNothing())).isEqualTo(all);
      assertThat(afterLosing(CrashChoice.keepAll())).isEqualTo(all);
      manager.close();
    }
  }

  /** Its list of files is that of whoever writes a batch. */
  @Test
  void theLogIsNotRetiredWhileABatchIsWritten() throws InterruptedException {
    TransactionManager manager = open();
    Held first = new Held(() -> commit(manager, 0, 10));
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.STORE && Thread.currentThread() == first.thread) {
            first.hold();
          }
        });
    first.startAndAwait();
    Held retire = new Held(() -> manager.database().groupCommit().retireLog(0));
    retire.thread.start();
    while (retire.thread.getState() != Thread.State.TIMED_WAITING && retire.thread.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(retire.thread.isAlive()).isTrue();
    directory.listener(null);
    first.release();
    retire.release();
    manager.abandon();
  }

  /** W3. A file that begins behind what can be read proves that it was damaged. */
  @Test
  void aDamagedRecordInTheFirstOfTwoFilesIsFound() {
    TransactionManager manager = open();
    commit(manager, 0, 10);
    commit(manager, 1000, MANY_ROWS);
    manager.abandon();
    assertThat(logFiles()).isEqualTo(2);
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
      String first = left.names().stream().filter(WalLayout::isFileName).sorted().findFirst().get();
      left.flipBit(first, WalLayout.SEGMENT_RECORDS_AT + WalLayout.RECORD_BATCH_START_AT, 0);
      assertThatThrownBy(() -> SampleDatabase.open(left, Protocol.REDO))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
  }
}
