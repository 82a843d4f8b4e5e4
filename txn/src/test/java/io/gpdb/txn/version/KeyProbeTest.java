package io.gpdb.txn.version;

import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyProbeTest {
  private static final int ROWS = 2 * Tablet.ROWS + 100;

  /** Of all keys, and of some that no row has; in no order, some twice. */
  private static void check(Transaction tx, long seed) {
    Random random = new Random(seed);
    for (int n : new int[] {0, 1, 31, 5_000, 70_000}) {
      long[] keys = random.longs(n, -50, ROWS + 50L).toArray();
      long[] rows = new long[n];
      tx.writer(TABLE).findByKeys(0, keys, n, rows);
      for (int i = 0; i < n; i++) {
        assertThat(rows[i])
            .as("key %d, seed %d", keys[i], seed)
            .isEqualTo(tx.reader(TABLE).findByKey(0, new long[] {keys[i]}));
      }
    }
  }

  @Test
  void manyKeysFindWhatEachFindsAlone() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    try (TransactionManager manager = withTable(new VolatileDirectory("probe"), Protocol.REDO)) {
      Transaction empty = manager.begin();
      check(empty, seed);
      empty.rollback();
      Transaction filling = manager.begin();
      insert(filling, 0, ROWS, id -> id);
      check(filling, seed);
      filling.commit();
      Transaction old = manager.begin();
      Transaction writer = manager.begin();
      delete(writer, id -> id % 7 == 0);
      update(writer, id -> id % 500 == 1, id -> id + 5);
      check(writer, seed);
      check(old, seed);
      insert(writer, 0, 1, id -> 1);
      insert(writer, 70_000, 1, id -> 1);
      check(writer, seed);
      writer.commit();
      check(old, seed);
      Transaction undone = manager.begin();
      check(undone, seed);
      insert(undone, 7, 1, id -> 2);
      undone.rollback();
      old.rollback();
      Transaction last = manager.begin();
      check(last, seed);
      last.rollback();
    }
  }
}
