package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import org.junit.jupiter.api.Test;

/** A table that was dropped while a reader sees it, and whose unused strings were released then. */
class DroppedTablesStringsTest {
  /** R6. The checkpoint has its strings logged behind the record that dropped it. */
  @Test
  void aCheckpointBesideAReaderOfADroppedTableLeavesALogThatOpens() {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = withTable(directory, Protocol.REDO);
      Transaction tx = manager.begin();
      insert(tx, 0, 50, id -> id);
      tx.commit();
      tx = manager.begin();
      delete(tx, id -> id % 7 == 3);
      tx.commit();
      manager.releaseStrings();
      Transaction reader = manager.begin();
      tx = manager.begin();
      tx.dropTable(TABLE);
      tx.commit();
      int[] states = {0};
      directory.listener(
          (act, memory, offset, bytes) -> {
            states[0]++;
            try (CrashableDirectory left = directory.crash(CrashChoice.keepAll());
                TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
              assertThat(again.table(TABLE)).isNull();
            }
          });
      manager.checkpoint();
      directory.listener(null);
      assertThat(states[0]).isGreaterThan(3);
      assertThat(reader.reader(TABLE).tabletCount()).isEqualTo(1);
      manager.abandon();
      try (TransactionManager again = SampleDatabase.open(directory, Protocol.REDO)) {
        assertThat(again.table(TABLE)).isNull();
        assertThat(again.check()).isEmpty();
      }
    }
  }
}
