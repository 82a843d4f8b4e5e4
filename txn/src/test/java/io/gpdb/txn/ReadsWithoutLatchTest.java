package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.WEIGHT;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That reading one row without the tablet's latch sees no change that is under way. */
@Timeout(120)
class ReadsWithoutLatchTest {
  private static final int ROWS = 100;
  private static final int READS = 60_000;
  private static final int[] BOTH = {AMOUNT, WEIGHT};

  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  private void open(Protocol protocol) {
    manager = withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> 1000);
    tx.commit();
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private static Transaction changed(TransactionManager manager, int i) {
    Transaction tx = manager.begin();
    if (i % 7 == 0) {
      delete(tx, id -> id < ROWS / 2);
      insert(tx, 0, ROWS / 2, _ -> i);
    } else {
      update(tx, _ -> true, _ -> i);
    }
    return tx;
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO"})
  void eachRowIsReadAsItsTransactionLeftIt(Protocol protocol) throws Exception {
    open(protocol);
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(
            () -> {
              int i = 0;
              while (!done.get()) {
                Transaction tx = changed(manager, ++i);
                if (i % 3 == 0) {
                  tx.rollback();
                } else {
                  tx.commit();
                }
              }
              return i;
            });
    long[] values = new long[2];
    boolean[] nulls = new boolean[2];
    int found = 0;
    for (int i = 0; i < READS && !writer.isDone(); i++) {
      Transaction tx = manager.begin();
      TableReader reader = tx.reader(TABLE);
      long row = reader.findByKey(0, new long[] {i % ROWS});
      if (row >= 0 && reader.read(row, BOTH, values, nulls)) {
        assertThat(2 * Double.longBitsToDouble(values[1])).isEqualTo(values[0]);
        assertThat(values[0] == 1000 || values[0] % 3 != 0).as("%d was undone", values[0]).isTrue();
        found++;
      }
      tx.rollback();
    }
    done.set(true);
    assertThat(writer.get()).isPositive();
    assertThat(found).isPositive();
  }

  @Test
  void whoeverMeetsAChangeWaitsForItsEnd() throws Exception {
    open(Protocol.REDO);
    Tablet tablet = manager.database().tables().table(TABLE).store().tablet(0);
    tablet.latch().writeLock().lock();
    CompletableFuture<Long> reader;
    try {
      reader =
          CompletableFuture.supplyAsync(
              () -> {
                Transaction tx = manager.begin();
                long row = tx.reader(TABLE).findByKey(0, new long[] {1});
                tx.rollback();
                return row;
              });
      assertThatThrownBy(() -> reader.get(100, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
    } finally {
      tablet.latch().writeLock().unlock();
    }
    assertThat(reader.get()).isNotNegative();
  }

  @Test
  void anErrorThatStaysIsRaised() {
    open(Protocol.REDO);
    Transaction tx = manager.begin();
    TableReader reader = tx.reader(TABLE);
    assertThatThrownBy(() -> reader.read(0, new int[] {99}, new long[1], new boolean[1]))
        .isInstanceOfAny(IndexOutOfBoundsException.class, GpdbException.class);
    tx.rollback();
  }
}
