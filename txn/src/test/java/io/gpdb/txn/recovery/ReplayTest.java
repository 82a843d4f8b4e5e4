package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.StringSection;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What sections do to the working image, where no statement can bring them about alone. */
class ReplayTest {
  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** A checkpoint has strings logged beside commits: the table may be dropped just before. */
  @Test
  void stringsOfATableThatWasDroppedMeanwhileArePassedOver() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      tx.dropTable(TABLE);
      tx.commit();
      Replay replay = new Replay(manager.space(), SampleDatabase.DEVICE, 1 << 20);
      MemorySegment freed = MemorySegment.ofArray(new int[] {0, -1});
      replay.apply(new StringSection.Strings(TABLE + 1, NOTE, 0, 1, freed));
      assertThat(manager.space().table(TABLE + 1)).isNull();
    }
  }
}
