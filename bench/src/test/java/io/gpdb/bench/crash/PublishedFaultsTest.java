package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * What the published gpDB (Pandey et al. 2022) gets wrong about durability, each shown to be right
 * here. Faults that SQL can see are in planner's test of the same name.
 */
class PublishedFaultsTest {
  private static final int TABLE = 16;
  private static final int ROWS = 70;
  private static final Device DEVICE =
      new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false));

  private static TransactionManager open(CrashableDirectory medium, Protocol protocol) {
    TxnOptions options = TxnOptions.standard().withProtocol(protocol).withLogFileBytes(16 << 10);
    return TransactionManager.open(medium, DEVICE, options);
  }

  private static void commit(TransactionManager manager, Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private static SortedMap<Integer, Long> rows(int n, IntToLongFunction amount) {
    return SampleRows.rows(0, n, amount);
  }

  private static TransactionManager withRows(CrashableDirectory medium, Protocol protocol) {
    TransactionManager manager = open(medium, protocol);
    commit(manager, tx -> tx.createTable(TABLE, SampleTable.SHAPE));
    commit(manager, tx -> SampleTable.insert(tx, TABLE, rows(ROWS, id -> 1)));
    return manager;
  }

  private static SortedMap<Integer, Long> recovered(CrashImage image, Protocol protocol) {
    try (CrashableDirectory left = image.open();
        TransactionManager manager = open(left, protocol)) {
      Transaction tx = manager.begin();
      SortedMap<Integer, Long> found = SampleTable.contents(tx, TABLE);
      tx.rollback();
      return found;
    }
  }

  /** Three of the images of each moment at which the work does something to the medium. */
  private static List<CrashImage> crashes(CrashableDirectory medium, Runnable work) {
    List<CrashImage> images = new ArrayList<>();
    medium.listener(
        (act, memory, offset, bytes) -> {
          images.add(medium.capture().image(CrashChoice.keepNothing()));
          images.add(medium.capture().image(CrashChoice.keepAll()));
          images.add(medium.capture().image(CrashChoice.random(images.size())));
        });
    work.run();
    medium.listener(null);
    images.add(medium.capture().image(CrashChoice.keepNothing()));
    return images;
  }

  /** There, the commit truncates the data log before the commit record. */
  @Test
  void anUpdatesCommitLeavesAllRowsOldOrAllRowsNew() {
    for (Protocol protocol : List.of(Protocol.REDO, Protocol.UNDO)) {
      try (CrashableDirectory medium = new CrashableDirectory()) {
        TransactionManager manager = withRows(medium, protocol);
        Runnable update =
            () -> commit(manager, tx -> SampleTable.update(tx, TABLE, rows(ROWS, id -> 2)));
        Set<SortedMap<Integer, Long>> seen = new HashSet<>();
        crashes(medium, update).forEach(image -> seen.add(recovered(image, protocol)));
        assertThat(seen).containsExactlyInAnyOrder(rows(ROWS, id -> 1), rows(ROWS, id -> 2));
        manager.abandon();
      }
    }
  }

  /** There, recovery reads 20 of the 24 bytes that were logged for a row. */
  @Test
  void recoveredInsertsHaveEveryFieldInItsPlace() {
    for (Protocol protocol : List.of(Protocol.REDO, Protocol.UNDO)) {
      try (CrashableDirectory medium = new CrashableDirectory()) {
        TransactionManager manager = withRows(medium, protocol);
        SortedMap<Integer, Long> more =
            SampleRows.rows(ROWS, 200, id -> id % 3 == 0 ? SampleTable.NULL : id * 1_000_003L);
        commit(manager, tx -> SampleTable.insert(tx, TABLE, more));
        manager.abandon();
        SortedMap<Integer, Long> expected = rows(ROWS, id -> 1);
        expected.putAll(more);
        CrashImage left = medium.capture().image(CrashChoice.keepNothing());
        assertThat(recovered(left, protocol)).isEqualTo(expected);
      }
    }
  }

  /** What a crash leaves of an update in place that has not committed. */
  private static CrashImage unfinishedUpdate() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      TransactionManager manager = withRows(medium, Protocol.UNDO);
      manager.checkpoint();
      SampleTable.update(manager.begin(), TABLE, rows(ROWS, id -> 2));
      CrashImage left = medium.capture().image(CrashChoice.keepAll());
      manager.abandon();
      return left;
    }
  }

  /** There, recovery pops the undo entry before the old value is restored and persisted. */
  @Test
  void aCrashDuringRecoveryLosesNoUndoEntry() {
    try (CrashableDirectory victim = unfinishedUpdate().open()) {
      List<CrashImage> images = crashes(victim, () -> open(victim, Protocol.UNDO).abandon());
      assertThat(images).hasSizeGreaterThan(12);
      for (CrashImage image : images) {
        assertThat(recovered(image, Protocol.UNDO)).isEqualTo(rows(ROWS, id -> 1));
      }
    }
  }

  /** There, the log is cleared before the restored values are persisted. */
  @Test
  void restoredValuesAreDurableBeforeTheUndoLogIsCleared() {
    try (CrashableDirectory victim = unfinishedUpdate().open()) {
      open(victim, Protocol.UNDO).abandon();
      try (CrashableDirectory left = victim.capture().image(CrashChoice.keepNothing()).open()) {
        left.delete("undo.gpdb");
        left.syncNames();
        CrashImage withoutUndoLog = left.capture().image(CrashChoice.keepNothing());
        assertThat(recovered(withoutUndoLog, Protocol.UNDO)).isEqualTo(rows(ROWS, id -> 1));
      }
    }
  }

  /** There, growth of a tablet that holds committed rows is not logged. */
  @Test
  void growthOfATabletWithCommittedRowsIsRecovered() {
    for (Protocol protocol : List.of(Protocol.REDO, Protocol.UNDO)) {
      try (CrashableDirectory medium = new CrashableDirectory()) {
        TransactionManager manager = withRows(medium, protocol);
        manager.checkpoint();
        SortedMap<Integer, Long> more = SampleRows.rows(ROWS, 3000, id -> id);
        Runnable insert = () -> commit(manager, tx -> SampleTable.insert(tx, TABLE, more));
        SortedMap<Integer, Long> grown = rows(ROWS, id -> 1);
        grown.putAll(more);
        Set<SortedMap<Integer, Long>> seen = new HashSet<>();
        crashes(medium, insert).forEach(image -> seen.add(recovered(image, protocol)));
        assertThat(seen).containsExactlyInAnyOrder(rows(ROWS, id -> 1), grown);
        manager.abandon();
      }
    }
  }

  /** There, an entry that does not fit is cut short while the log's tail moves on. */
  @Test
  void whatDoesNotFitALogFileIsLoggedWholeAllTheSame() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      TransactionManager manager = withRows(medium, Protocol.REDO);
      SortedMap<Integer, Long> changed = rows(ROWS, id -> 1);
      for (int from = ROWS; from < 3000; from += 700) {
        SortedMap<Integer, Long> more = SampleRows.rows(from, 700, id -> id * 5L);
        commit(manager, tx -> SampleTable.insert(tx, TABLE, more));
        changed.putAll(more);
      }
      SortedMap<Integer, Long> all = new TreeMap<>();
      changed.keySet().forEach(id -> all.put(id, id * 7L));
      commit(manager, tx -> SampleTable.update(tx, TABLE, all));
      manager.abandon();
      assertThat(medium.names().stream().filter(name -> name.startsWith("wal-")))
          .hasSizeGreaterThan(3);
      CrashImage left = medium.capture().image(CrashChoice.keepNothing());
      assertThat(recovered(left, Protocol.REDO)).isEqualTo(all);
    }
  }

  /** There, each 4-byte value costs 6 fences of system scope and 36 bytes of persistent writes. */
  @Test
  void anUpdateInPlaceCostsAFewFencesAStatementAndFewerBytesAValue() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      TransactionManager manager = open(medium, Protocol.UNDO);
      int n = 8000;
      commit(manager, tx -> tx.createTable(TABLE, SampleTable.SHAPE));
      commit(manager, tx -> SampleTable.insert(tx, TABLE, rows(n, id -> id)));
      SortedMap<Integer, Integer> newIds = new TreeMap<>();
      rows(n, id -> id).keySet().forEach(id -> newIds.put(id, id + n));
      PersistCounters.Snapshot before = medium.counters().snapshot();
      Transaction tx = manager.begin();
      SampleTable.rekey(tx, TABLE, newIds);
      PersistCounters.Snapshot spent = medium.counters().snapshot().minus(before);
      assertThat(spent.drains()).as("fences of a statement").isLessThanOrEqualTo(4);
      assertThat((double) spent.bytesFlushed() / n).as("bytes of a value").isLessThan(13);
      tx.commit();
      manager.abandon();
    }
  }
}
