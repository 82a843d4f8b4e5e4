package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of which a part is stored in place and a part is not. */
@Timeout(60)
class MixedProtocolsTest {
  /** What was overwritten in place is put back after a kill, whichever column it was of (M1). */
  @ParameterizedTest
  @ValueSource(ints = {SampleDatabase.AMOUNT, SampleDatabase.WEIGHT, SampleDatabase.NOTE})
  void aBatchOverColumnsOfBothWaysIsWholeOrAbsent(int inPlace) {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = withTable(directory, Protocol.AUTO);
      Transaction tx = manager.begin();
      insert(tx, 0, 100, id -> id);
      tx.commit();
      tx = manager.begin();
      tx.protocol(Protocol.UNDO);
      long[] same = new long[1];
      tx.reader(TABLE).read(3, new int[] {inPlace}, same, new boolean[1]);
      tx.writer(TABLE).updateRow(3, new int[] {inPlace}, same, new boolean[1]);
      tx.commit();
      Map<Integer, Long> before = contents(manager);
      Transaction batch = manager.begin();
      batch.protocol(Protocol.REDO);
      SampleBatches.update(batch, id -> id < 50, 5);
      assertWhole(directory, before);
      batch.commit();
      assertWhole(directory, contents(manager));
      batch = manager.begin();
      batch.protocol(Protocol.UNDO);
      SampleBatches.give(batch, 20, 50, id -> id * 3);
      assertWhole(directory, contents(manager));
      batch.commit();
      assertWhole(directory, contents(manager));
      manager.abandon();
    }
  }

  private static void assertWhole(CrashableDirectory directory, Map<Integer, Long> rows) {
    try (CrashableDirectory left = directory.crash(CrashChoice.keepAll())) {
      TransactionManager again = SampleDatabase.open(left, Protocol.AUTO);
      assertThat(contents(again)).isEqualTo(rows);
      again.abandon();
    }
  }

  @Test
  void theThreadsOfABaselineEndWithIt() throws InterruptedException {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = withTable(directory, Protocol.CAP_MM);
      Transaction tx = manager.begin();
      insert(tx, 0, 40, id -> id);
      tx.commit();
      manager.close();
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().equals("gpdb-cap")) {
          thread.join(20_000);
          assertThat(thread.isAlive()).isFalse();
        }
      }
    }
  }
}
