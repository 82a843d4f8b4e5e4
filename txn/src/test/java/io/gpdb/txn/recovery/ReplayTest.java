package io.gpdb.txn.recovery;

import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.log.Section;
import io.gpdb.txn.log.StringSection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What sections do to the working image, where no statement can bring them about alone. */
class ReplayTest {
  private static final int AMOUNT = 1;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** A checkpoint makes strings be logged between commits: the table may be dropped just before. */
  @Test
  void stringsOfATableThatWasDroppedMeanwhileArePassedOver() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      tx.dropTable(TABLE);
      tx.commit();
      Replay replay = new Replay(manager.space(), SampleDatabase.DEVICE, () -> 1 << 20);
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

  /** One section holds all values of a statement, or names all its rows. */
  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED"})
  void keysOfManyRowsThatWereChangedAreFoundAfterACrash(Protocol protocol) {
    try (TransactionManager manager = withTable(directory, protocol)) {
      Transaction tx = manager.begin();
      SampleDatabase.insert(tx, 0, 100, id -> id);
      tx.commit();
      manager.checkpoint();
      changeKeys(manager, new int[] {10, 20, 30, 31}, 1010, 1020, 1030, 1031);
      changeKeys(manager, new int[] {40, 41}, 1040, 10);
      try (CrashableDirectory crashed = directory.crash(CrashChoice.keepNothing());
          TransactionManager recovered = SampleDatabase.open(crashed, protocol)) {
        for (int row : new int[] {10, 20, 30, 31, 40}) {
          assertThat(rowOf(recovered, 1000 + row)).isEqualTo(row);
        }
        assertThat(rowOf(recovered, 10)).isEqualTo(41);
        assertThat(rowOf(recovered, 20)).isEqualTo(-1);
        assertThat(recovered.space().check()).isEmpty();
      }
    }
  }

  private static ChangeSection.Delete deleted(int... rows) {
    return new ChangeSection.Delete(
        TABLE, 0, rows.length, Arena.ofAuto().allocateFrom(JAVA_INT, rows));
  }

  /** Of an amount: |row|value, two words of it|. */
  private static ChangeSection.Update updated(int row, long value) {
    int[] words = {row, (int) value, (int) (value >>> 32)};
    MemorySegment entries = MemorySegment.ofArray(words);
    return new ChangeSection.Update(TABLE, 0, AMOUNT, 1, true, true, entries);
  }

  private static void assertRefused(Replay replay, Section section) {
    assertThatThrownBy(() -> replay.apply(section))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  @Test
  void rowsThatTheTabletDoesNotHaveAreRefused() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      SampleDatabase.insert(tx, 0, 40, id -> id);
      tx.commit();
      Replay replay = new Replay(manager.space(), SampleDatabase.DEVICE, () -> 1 << 20);
      Tablet tablet = Objects.requireNonNull(manager.space().table(TABLE)).tablet(0);
      for (int row : new int[] {-1, Integer.MIN_VALUE, 40, 41, Tablet.ROWS, Integer.MAX_VALUE}) {
        assertRefused(replay, deleted(row));
        assertRefused(replay, updated(Math.max(row, 40), 7));
      }
      assertThat(tablet.liveCount()).isEqualTo(40);
      replay.apply(deleted(39, 0));
      replay.apply(updated(38, 1L << 40 | 7));
      assertThat(tablet.liveCount()).isEqualTo(38);
      assertThat(tablet.values(AMOUNT).onHost().longAt(38)).isEqualTo(1L << 40 | 7);
    }
  }

  /** How many rows live is what the live bits say, whatever a log says twice. */
  @Test
  void aRowThatIsDeletedTwiceCountsOnce() {
    try (TransactionManager manager = withTable(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      SampleDatabase.insert(tx, 0, 40, id -> id);
      tx.commit();
      Replay replay = new Replay(manager.space(), SampleDatabase.DEVICE, () -> 1 << 20);
      Tablet tablet = Objects.requireNonNull(manager.space().table(TABLE)).tablet(0);
      replay.apply(deleted(5));
      replay.apply(deleted(5, 6));
      assertThat(tablet.liveCount()).isEqualTo(38);
      replay.apply(deleted(IntStream.range(0, 40).toArray()));
      assertThat(tablet.liveCount()).isZero();
    }
  }

  private static void changeKey(TransactionManager manager, int row, int id) {
    changeKeys(manager, new int[] {row}, id);
  }

  private static void changeKeys(TransactionManager manager, int[] rows, int... ids) {
    Transaction tx = manager.begin();
    try (Arena arena = Arena.ofConfined()) {
      HostBuffer chosen = HostMemory.INSTANCE.map(arena.allocateFrom(JAVA_INT, rows));
      ColumnView keys =
          ColumnView.mapped(
              HostMemory.INSTANCE, ElementType.I32, arena.allocateFrom(JAVA_INT, ids), null);
      tx.writer(TABLE).update(0, chosen, rows.length, new int[] {ID}, new ColumnView[] {keys});
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
