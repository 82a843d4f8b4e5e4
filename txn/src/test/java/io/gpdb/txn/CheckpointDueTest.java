package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.medium.DatabaseFiles;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a checkpoint begins by itself. */
@Timeout(60)
class CheckpointDueTest {
  private static final int ROWS = 100;
  private static final long NEVER = 1L << 40;

  private CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** A table with rows, checkpointed; what comes now counts. */
  private TransactionManager open(long checkpointBytes) {
    directory.close();
    directory = new CrashableDirectory();
    TransactionManager first = SampleDatabase.withTable(directory, Protocol.REDO);
    Transaction tx = first.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
    first.close();
    TxnOptions options = TxnOptions.standard().withCheckpointBytes(checkpointBytes);
    return TransactionManager.open(directory, DEVICE, options);
  }

  private static void commit(TransactionManager manager, Protocol protocol) {
    Transaction tx = manager.begin();
    tx.protocol(protocol);
    update(tx, id -> id % 2 == 0, id -> id + 7);
    tx.commit();
  }

  private static long loggedBytes(TransactionManager manager) {
    return manager.logPosition() - manager.space().checkpointedWalPosition();
  }

  /** How many checkpoints there are after that number of commits. */
  private long checkpointsAfter(int commits, long checkpointBytes) {
    TransactionManager manager = open(checkpointBytes);
    for (int i = 0; i < commits; i++) {
      commit(manager, Protocol.REDO);
    }
    manager.abandon(); // which waits for the checkpoint that has begun
    return manager.statistics().checkpoints();
  }

  @Test
  void itBeginsWithTheFirstByteBeyondTheLimit() {
    TransactionManager unlimited = open(NEVER);
    commit(unlimited, Protocol.REDO);
    commit(unlimited, Protocol.REDO);
    long bytes = loggedBytes(unlimited);
    assertThat(unlimited.space().checkpointedWalPosition()).isPositive();
    unlimited.abandon();
    assertThat(bytes).isPositive();
    assertThat(checkpointsAfter(2, bytes)).isZero();
    assertThat(checkpointsAfter(2, bytes - 1)).isEqualTo(1);
    assertThat(checkpointsAfter(3, bytes)).isEqualTo(1);
  }

  /** They are kept in the home file until a checkpoint, as the log is. */
  @Test
  void valuesBesideTheLogCount() {
    TransactionManager manager = open(ROWS * 8);
    commit(manager, Protocol.VERSIONED);
    assertThat(loggedBytes(manager)).isLessThan(ROWS * 8);
    manager.abandon();
    assertThat(manager.statistics().checkpoints()).isEqualTo(1);
  }

  /** Commits go on meanwhile; the next one begins when its time has come again. */
  @Test
  void oneAtATimeBegins() throws InterruptedException {
    TransactionManager manager = open(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.DRAIN && memory.equals(DatabaseFiles.HOME)) {
            begun.countDown();
            await(mayGoOn);
          }
        });
    for (int i = 0; i < 4; i++) {
      commit(manager, Protocol.REDO);
    }
    assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(checkpointThreads()).isEqualTo(1);
    mayGoOn.countDown();
    while (checkpointThreads() > 0) {
      Thread.sleep(1);
    }
    directory.listener(null);
    assertThat(manager.statistics().checkpoints()).isEqualTo(1);
    commit(manager, Protocol.REDO);
    manager.abandon();
    assertThat(manager.statistics().checkpoints()).isEqualTo(2);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long checkpointThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("gpdb-checkpoint") && thread.isAlive())
        .count();
  }
}
