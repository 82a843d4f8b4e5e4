package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnStores;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K1. Two threads insert the same keys at the same time; no key is there twice. */
@Timeout(120)
class KeyRaceTest {
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 800);

  /**
   * This number of rows is stored by a kernel, so time passes between the insertion of a key and of
   * its row.
   */
  private static final int KEYS = ColumnStores.KERNEL_ROWS_MIN + 8;

  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicIntegerArray served = new AtomicIntegerArray(ROUNDS);

  @Test
  void ofTwoInsertersOfAKeyOneAtMostIsServed() throws InterruptedException {
    try (CrashableDirectory directory = new CrashableDirectory();
        TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Thread other = new Thread(() -> insertAll(manager));
      other.start();
      insertAll(manager);
      other.join();
      int total = 0;
      for (int id = 0; id < ROUNDS; id++) {
        assertThat(served.get(id)).as("served inserters of keys %d", id).isLessThan(2);
        total += served.get(id);
      }
      assertThat(contents(manager)).hasSize(KEYS * total);
    }
  }

  private void insertAll(TransactionManager manager) {
    for (int id = 0; id < ROUNDS; id++) {
      Transaction tx = manager.begin();
      awaitTheOther(id);
      try {
        insert(tx, id * KEYS, KEYS, i -> i);
        tx.commit();
        served.incrementAndGet(id);
      } catch (KeyViolation e) {
        tx.rollback();
      } catch (GpdbException e) {
        tx.rollback();
        assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT);
      }
    }
  }

  private void awaitTheOther(int round) {
    ready.incrementAndGet();
    while (ready.get() < 2 * (round + 1)) {
      Thread.yield();
    }
  }
}
