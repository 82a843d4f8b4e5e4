package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.open;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits whose values are written to extents by several threads. */
class ExtentsOfManyTabletsTest {
  private static final int ROWS = 280_000;
  private static final int PIECE_ROWS = 1000;

  private static long amount(long id) {
    return id % 5 == 0 ? SampleDatabase.NULL : id * 3;
  }

  @Test
  void whatSeveralThreadsWroteIsRecovered() {
    try (CrashableDirectory files = new CrashableDirectory()) {
      TransactionManager manager = withTable(files, Protocol.CHECKSUMMED);
      fill(manager);
      long logged = manager.space().loggedBytes();
      assertThat(logged).isGreaterThanOrEqualTo(24L * ROWS);
      manager.abandon();
      try (TransactionManager recovered = open(files, Protocol.VERSIONED)) {
        assertThat(contents(recovered))
            .isEqualTo(expected(0, ROWS, ExtentsOfManyTabletsTest::amount));
        Transaction tx = recovered.begin();
        update(tx, id -> id % 2 == 0, id -> id);
        tx.commit();
        recovered.abandon();
      }
      try (TransactionManager again = open(files, Protocol.REDO)) {
        Map<Integer, Long> found = contents(again);
        assertThat(found).isEqualTo(expected(0, ROWS, id -> id % 2 == 0 ? id : amount(id)));
        assertThat(again.check()).isEmpty();
      }
    }
  }

  /** The others end before what they wrote is given up. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 8})
  void whereOneThreadFailsNothingIsLeft(int stores) {
    try (CrashableDirectory files = new CrashableDirectory();
        TransactionManager manager = withTable(files, Protocol.CHECKSUMMED)) {
      AtomicInteger left = new AtomicInteger(stores);
      Transaction failing = manager.begin();
      insertAll(failing);
      files.listener(
          (act, memory, _, _) -> {
            if (act == Act.GROW && memory.startsWith("home") && left.decrementAndGet() <= 0) {
              throw new GpdbException(ErrorCode.DISK_FULL, "disk is full");
            }
          });
      assertThatThrownBy(failing::commit)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
      files.listener(null);
      failing.rollback();
      assertThat(manager.space().loggedBytes()).isZero();
      fill(manager);
      assertThat(manager.check()).isEmpty();
      assertThat(contents(manager)).hasSize(ROWS);
    }
  }

  private static void fill(TransactionManager manager) {
    Transaction tx = manager.begin();
    insertAll(tx);
    tx.commit();
  }

  /** In pieces whose keys one thread reads, because the arena is that thread's. */
  private static void insertAll(Transaction tx) {
    for (int from = 0; from < ROWS; from += PIECE_ROWS) {
      insert(tx, from, PIECE_ROWS, ExtentsOfManyTabletsTest::amount);
    }
  }
}
