package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.protocol.PoisoningProtocol;
import io.gpdb.txn.protocol.WriteProtocol;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BatchWriterTest {
  private static final int ROWS = Tablet.ROWS + 1000;

  private static long amount(int id) {
    return id % 5 == 0 ? NULL : id;
  }

  private static Map<Integer, Long> after(long delta) {
    Map<Integer, Long> rows = new TreeMap<>();
    for (int id = 0; id < ROWS; id++) {
      boolean chosen = id % 1000 == 1 || id > Tablet.ROWS;
      long old = amount(id);
      rows.put(id, chosen && old != NULL ? Long.valueOf(old + delta) : Long.valueOf(old));
    }
    return rows;
  }

  private static boolean chosen(int id) {
    return id % 1000 == 1 || id > Tablet.ROWS;
  }

  @Test
  @Timeout(60)
  void aTabletThatSomebodyHoldsComesWithALaterLaunch() throws InterruptedException {
    try (TransactionManager manager =
        withTable(new VolatileDirectory("batch-held"), Protocol.REDO)) {
      Transaction filling = manager.begin();
      insert(filling, 0, ROWS, id -> amount((int) id));
      filling.commit();
      Transaction tx = manager.begin();
      Tablet first = SampleBatches.tablet(tx, 0);
      Tablet second = SampleBatches.tablet(tx, 1);
      CountDownLatch held = new CountDownLatch(1);
      AtomicBoolean waitedHoldingTheFirst = new AtomicBoolean();
      Thread holder =
          Thread.ofPlatform()
              .start(
                  () -> {
                    second.latch().readLock().lock();
                    held.countDown();
                    while (second.latch().waiters() == 0) {
                      Thread.onSpinWait();
                    }
                    waitedHoldingTheFirst.set(first.latch().isHeldExclusively());
                    second.latch().readLock().unlock();
                  });
      held.await();
      SampleBatches.update(tx, BatchWriterTest::chosen, 7);
      tx.commit();
      holder.join();
      assertThat(waitedHoldingTheFirst).isFalse();
      assertThat(contents(manager)).isEqualTo(after(7));
    }
  }

  @Test
  void aConflictInOneTabletLeavesAllAsTheyWere() {
    try (TransactionManager manager =
        withTable(new VolatileDirectory("batch-conflict"), Protocol.REDO)) {
      Transaction filling = manager.begin();
      insert(filling, 0, ROWS, id -> amount((int) id));
      filling.commit();
      Transaction late = manager.begin();
      assertThat(late.reader(SampleDatabase.table(late)).tabletCount()).isEqualTo(2);
      Transaction first = manager.begin();
      SampleBatches.update(first, id -> id == ROWS - 1, 3);
      first.commit();
      assertThatThrownBy(() -> SampleBatches.update(late, BatchWriterTest::chosen, 7))
          .isInstanceOf(GpdbException.class)
          .hasMessageContaining("another transaction");
      late.rollback();
      Map<Integer, Long> rows = expected(0, ROWS, id -> amount((int) id));
      rows.computeIfPresent(ROWS - 1, (id, old) -> old == NULL ? old : old + 3);
      assertThat(contents(manager)).isEqualTo(rows);
    }
  }

  @Test
  void insertsOverTheEndOfATabletAreWholeAndUndone() {
    try (TransactionManager manager =
        withTable(new VolatileDirectory("batch-insert"), Protocol.REDO)) {
      Transaction first = manager.begin();
      insert(first, 0, Tablet.ROWS - 77, id -> amount((int) id));
      first.commit();
      Transaction undone = manager.begin();
      insert(undone, Tablet.ROWS, 3 * Tablet.ROWS, id -> amount((int) id));
      undone.rollback();
      Transaction second = manager.begin();
      insert(second, Tablet.ROWS - 77, 500, id -> amount((int) id));
      SampleBatches.delete(second, id -> id % 100 == 3);
      second.commit();
      Map<Integer, Long> rows = expected(0, Tablet.ROWS - 77 + 500, id -> amount((int) id));
      rows.keySet().removeIf(id -> id % 100 == 3);
      assertThat(contents(manager)).isEqualTo(rows);
      assertThat(manager.space().check()).isEmpty();
    }
  }

  @Test
  void theInsertKernelItselfPersistsWhatBelongsInPlace() {
    int filled = Tablet.ROWS / 2;
    int added = 4096;
    try (TransactionManager manager = withTable(new CrashableDirectory(), Protocol.UNDO)) {
      Transaction filling = manager.begin();
      insert(filling, 0, filled, id -> amount((int) id));
      filling.commit();
      Transaction change = manager.begin();
      SampleBatches.update(change, id -> true, 7);
      change.commit();
      long before = SampleDatabase.DEVICE.counters().snapshot().bytesPersisted();
      Transaction tx = manager.begin();
      insert(tx, filled, added, id -> amount((int) id));
      long persisted = SampleDatabase.DEVICE.counters().snapshot().bytesPersisted() - before;
      tx.commit();
      assertThat(persisted).isGreaterThanOrEqualTo(8L * added);
    }
  }

  /** A default method that is not passed on would switch something off without a word. */
  @Test
  void theGuardPassesEveryMethodOfAProtocolOn() {
    assertThat(WriteProtocol.class.getDeclaredMethods())
        .filteredOn(method -> !method.isSynthetic())
        .allSatisfy(
            method ->
                assertThatCode(
                        () ->
                            PoisoningProtocol.class.getDeclaredMethod(
                                method.getName(), method.getParameterTypes()))
                    .doesNotThrowAnyException());
  }
}
