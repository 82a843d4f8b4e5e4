package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.DatabaseFiles;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The checkpoints of an orderly close, and one in the background that fails. */
class LastCheckpointTest {
  private static final int ROWS = 60_000;
  private static final long MEGABYTE = 1 << 20;

  private static final TableShape NUMBERS =
      new TableShape(
          Stream.of("A", "B", "C").map(name -> new ColumnShape(name, ElementType.I64)).toList(),
          List.of());

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.listener(null);
    directory.close();
  }

  private long homeBytes() {
    return directory.open(DatabaseFiles.HOME, 0).sizeBytes();
  }

  private static void fill(TransactionManager manager, int table, int n) {
    Transaction tx = manager.begin();
    tx.createTable(table, NUMBERS);
    try (Arena arena = Arena.ofConfined()) {
      ColumnView numbers =
          ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, arena.allocate(8L * n, 8), null);
      tx.writer(table).insert(new ColumnView[] {numbers, numbers, numbers}, n);
    }
    tx.commit();
    manager.checkpoint();
  }

  private static void drop(TransactionManager manager, int table) {
    Transaction tx = manager.begin();
    tx.dropTable(table);
    tx.commit();
  }

  /** The free end of the file is free for the system two checkpoints after the drop. */
  @Test
  void closingGivesTheFreeEndOfTheFileBack() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    fill(manager, 40, ROWS);
    fill(manager, 41, 4 * ROWS);
    long full = homeBytes();
    assertThat(full).isGreaterThan(7 * MEGABYTE);
    drop(manager, 41);
    manager.close();
    assertThat(homeBytes()).isLessThan(full - 4 * MEGABYTE);
  }

  /** What is behind what is free is moved before it. */
  @Test
  void closingGathersWhatIsScattered() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> id);
    tx.commit();
    fill(manager, 40, 4 * ROWS);
    fill(manager, 41, ROWS);
    long full = homeBytes();
    drop(manager, 40);
    manager.close();
    assertThat(homeBytes()).isLessThan(full - 4 * MEGABYTE);
    try (TransactionManager again = SampleDatabase.open(directory, Protocol.REDO)) {
      assertThat(again.space().table(40)).isNull();
      assertThat(again.space().table(41)).isNotNull();
      assertThat(contents(again)).isEqualTo(expected(0, 10, id -> id));
      assertThat(again.check()).isEmpty();
    }
  }

  /** Opening and closing is no reason to write anything of the tables. */
  @Test
  void closingADatabaseThatIsNotScatteredMovesNothing() {
    withTable(directory, Protocol.REDO).close();
    TransactionManager manager = SampleDatabase.open(directory, Protocol.REDO);
    fill(manager, 40, ROWS);
    long stored = manager.statistics().persisted().bytesStored();
    long checkpoints = manager.statistics().checkpoints();
    manager.close();
    assertThat(manager.statistics().persisted().bytesStored() - stored).isLessThan(MEGABYTE / 4);
    assertThat(manager.statistics().checkpoints() - checkpoints).isLessThanOrEqualTo(1);
  }

  /** It is tried again when the next commit finds it due. */
  @Test
  void aCheckpointInTheBackgroundThatFailedIsFollowedByAnother() throws InterruptedException {
    withTable(directory, Protocol.REDO).close();
    TransactionManager manager =
        TransactionManager.open(directory, DEVICE, TxnOptions.standard().withCheckpointBytes(1));
    AtomicInteger refused = new AtomicInteger();
    directory.listener(
        (act, memory, offset, bytes) -> {
          if (act == Act.STORE && memory.equals(DatabaseFiles.HOME)) {
            refused.incrementAndGet();
            throw new GpdbException(ErrorCode.DISK_FULL, "as asked for");
          }
        });
    Transaction tx = manager.begin();
    insert(tx, 0, 10, id -> id);
    tx.commit();
    awaitCheckpointThread();
    assertThat(refused).hasValue(1);
    directory.listener(null);
    assertThat(manager.statistics().checkpoints()).isZero();
    tx = manager.begin();
    insert(tx, 10, 10, id -> id);
    tx.commit();
    awaitCheckpointThread();
    assertThat(manager.statistics().checkpoints()).isEqualTo(1);
    assertThat(contents(manager)).isEqualTo(expected(0, 20, id -> id));
    manager.close();
  }

  private static void awaitCheckpointThread() throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("gpdb-checkpoint")) {
        thread.join();
      }
    }
  }
}
