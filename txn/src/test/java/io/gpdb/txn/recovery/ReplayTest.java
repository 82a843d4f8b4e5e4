package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.StringSection;
import java.lang.foreign.Arena;
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

  /** No section holds values that were stored in place: the log names the rows of new keys. */
  @Test
  void keysThatWereChangedInPlaceTwiceAreFoundAfterACrash() {
    try (TransactionManager manager = withTable(directory, Protocol.UNDO)) {
      Transaction tx = manager.begin();
      SampleDatabase.insert(tx, 0, 100, id -> id);
      tx.commit();
      manager.checkpoint();
      changeKey(manager, 10, 1000);
      changeKey(manager, 10, 2000);
      changeKey(manager, 20, 1000);
      try (CrashableDirectory crashed = directory.crash(CrashChoice.keepNothing());
          TransactionManager recovered = SampleDatabase.open(crashed, Protocol.UNDO)) {
        assertThat(rowOf(recovered, 2000)).isEqualTo(10);
        assertThat(rowOf(recovered, 1000)).isEqualTo(20);
        assertThat(rowOf(recovered, 10)).isEqualTo(-1);
        assertThat(recovered.space().check()).isEmpty();
      }
    }
  }

  private static void changeKey(TransactionManager manager, int row, int id) {
    Transaction tx = manager.begin();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rows = arena.allocateFrom(JAVA_INT, row);
      ColumnView ids = new ColumnView(ElementType.I32, arena.allocateFrom(JAVA_INT, id), null);
      tx.writer(TABLE).update(0, rows, 1, new int[] {ID}, new ColumnView[] {ids});
    }
    tx.writer(TABLE).finishStatement();
    tx.commit();
  }

  private static long rowOf(TransactionManager manager, int id) {
    Transaction tx = manager.begin();
    try {
      return tx.reader(TABLE).findByKey(0, new long[] {id});
    } finally {
      tx.rollback();
    }
  }
}
