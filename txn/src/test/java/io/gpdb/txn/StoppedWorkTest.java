package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.ID;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.Protocol;
import java.lang.foreign.Arena;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread that is to stop does so in each part of a statement; what it did can be undone. */
class StoppedWorkTest {
  private static final int ROWS = 50;

  private final CrashableDirectory directory = new CrashableDirectory();
  private final StopSignal signal = new StopSignal(null);
  private TransactionManager manager;
  private Transaction tx;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.UNDO);
    Transaction before = manager.begin();
    insert(before, 0, ROWS, id -> id);
    before.commit();
    tx = manager.begin();
  }

  @AfterEach
  void nothingHasChanged() {
    directory.listener(null);
    signal.clear();
    if (tx.isActive()) {
      tx.rollback();
    }
    assertThat(contents(manager)).isEqualTo(expected(0, ROWS, id -> id));
    assertThat(manager.check()).isEmpty();
    manager.close();
    directory.close();
  }

  private void assertStops(ThrowingCallable call) {
    try (StopSignal.Scope _ = signal.bind()) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
    }
  }

  /** The stop is asked for while the medium is at work: between two parts of a statement. */
  private void stopAtTheNextAct() {
    directory.listener((act, memory, offset, bytes) -> signal.request());
  }

  private void rekey(int row, int id) {
    try (Arena arena = Arena.ofConfined()) {
      HostBuffer rows = HostMemory.INSTANCE.map(arena.allocateFrom(JAVA_INT, row));
      ColumnView[] ids = {
        ColumnView.mapped(
            HostMemory.INSTANCE, ElementType.I32, arena.allocateFrom(JAVA_INT, id), null)
      };
      tx.writer(TABLE).update(0, rows, 1, new int[] {ID}, ids);
    }
  }

  @Test
  void beforeAnythingIsReadOrWritten() {
    signal.request();
    assertStops(() -> tx.reader(TABLE).open(0, new int[] {AMOUNT}).close());
    assertStops(() -> insert(tx, 100, 3, id -> id));
    assertStops(() -> update(tx, id -> id == 3, id -> -id));
    assertStops(() -> delete(tx, id -> id == 3));
    assertStops(() -> rekey(3, 300));
  }

  @Test
  void whenTheKeysOfUpdatedRowsAreJudged() {
    rekey(3, 300);
    signal.request();
    assertStops(() -> tx.writer(TABLE).finishStatement());
  }

  @Test
  void whenTheKeysOfUpdatedRowsArePutIntoTheIndex() {
    stopAtTheNextAct();
    assertStops(() -> rekey(3, 300));
  }

  @Test
  void beforeACommitAndNotInIt() {
    update(tx, id -> id == 3, id -> -id);
    signal.request();
    assertStops(tx::commit);
    assertThat(tx.isActive()).isTrue();
    tx.rollback();
    signal.clear();
    tx = manager.begin();
    update(tx, id -> id == 3, id -> -id);
    stopAtTheNextAct();
    try (StopSignal.Scope _ = signal.bind()) {
      tx.commit();
    }
    directory.listener(null);
    signal.clear();
    tx = manager.begin();
    update(tx, id -> id == 3, id -> id);
    tx.commit();
  }
}
