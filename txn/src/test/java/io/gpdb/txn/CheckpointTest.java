package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class CheckpointTest {
  private static final int ROWS = 66_000;

  @Test
  void rowsThatComeWhileACheckpointWritesAreLeftOutOfIt() throws InterruptedException {
    try (CrashableDirectory directory = new CrashableDirectory();
        TransactionManager manager = filled(directory, Protocol.REDO)) {
      AtomicBoolean done = new AtomicBoolean();
      Thread inserter = Thread.ofPlatform().unstarted(() -> insertMore(manager));
      // The first tablet is being written, the second one's turn comes with rows behind its limit.
      directory.listener(
          (act, memory, offset, bytes) -> {
            if (memory.equals("home.gpdb") && done.compareAndSet(false, true)) {
              inserter.start();
              join(inserter);
            }
          });
      manager.checkpoint();
      directory.listener(null);
      assertThat(done).isTrue();
      Map<Integer, Long> all = expected(0, ROWS + 700, id -> id);
      assertThat(contents(manager)).isEqualTo(all);
      assertThat(afterCrash(directory, Protocol.REDO)).isEqualTo(all);
    }
  }

  @Test
  void redoAfterUndoKeepsUnfinishedChangesOutOfTheHomeImage() {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = filled(directory, Protocol.UNDO);
      Transaction first = manager.begin();
      update(first, id -> id < 100, id -> id + 7L);
      first.commit();
      manager.abandon();
      TransactionManager redo = SampleDatabase.open(directory, Protocol.REDO);
      Map<Integer, Long> committed = contents(redo);
      Transaction unfinished = redo.begin();
      update(unfinished, id -> id < 50, id -> 1L);
      redo.checkpoint();
      assertThat(afterCrash(directory, Protocol.REDO)).isEqualTo(committed);
      assertThat(afterCrash(directory, Protocol.UNDO)).isEqualTo(committed);
      unfinished.rollback();
      redo.close();
    }
  }

  @Test
  void undoAfterRedoIsRecoveredWithTheNewestValues() {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      filled(directory, Protocol.UNDO).close();
      commitAndAbandon(directory, Protocol.REDO, id -> 111L);
      commitAndAbandon(directory, Protocol.UNDO, id -> 222L);
      Map<Integer, Long> found = afterCrash(directory, Protocol.UNDO);
      assertThat(found).containsEntry(3, 222L).containsEntry(60, 60L).hasSize(ROWS);
    }
  }

  private static void commitAndAbandon(
      CrashableDirectory directory, Protocol protocol, LongUnaryOperator amount) {
    TransactionManager manager = SampleDatabase.open(directory, protocol);
    Transaction tx = manager.begin();
    update(tx, id -> id < 50, amount);
    tx.commit();
    manager.abandon();
  }

  private static TransactionManager filled(CrashableDirectory directory, Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction tx = manager.begin();
    insert(tx, 0, ROWS, id -> id);
    tx.commit();
    return manager;
  }

  private static void insertMore(TransactionManager manager) {
    Transaction tx = manager.begin();
    insert(tx, ROWS, 700, id -> id);
    tx.commit();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<Integer, Long> afterCrash(CrashableDirectory directory, Protocol protocol) {
    try (CrashableDirectory crashed = directory.crash(CrashChoice.keepAll());
        TransactionManager manager = SampleDatabase.open(crashed, protocol)) {
      assertThat(manager.space().check()).isEmpty();
      return contents(manager);
    }
  }
}
