package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NOTE;
import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.REWRITTEN;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.rewrite;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableRewriteTest {
  private final CrashableDirectory directory = new CrashableDirectory();
  private TransactionManager manager;

  @AfterEach
  void close() {
    if (manager != null) {
      assertThat(manager.space().check()).isEmpty();
      manager.close();
    }
    directory.close();
  }

  private void open(Protocol protocol) {
    manager = withTable(directory, protocol);
  }

  /** A transaction's work. */
  private interface Work {
    void on(Transaction tx);
  }

  private void commit(Work work) {
    Transaction tx = manager.begin();
    work.on(tx);
    tx.commit();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void rewritingKeepsRowsAndDropsTheRest(Protocol protocol) {
    open(protocol);
    commit(tx -> insert(tx, 0, 300, id -> id % 5 == 0 ? NULL : id));
    commit(tx -> delete(tx, id -> id % 3 == 0 || (id > 100 && id < 200)));
    commit(tx -> update(tx, id -> id < 40, id -> 6));
    Map<Integer, Long> before = contents(manager);
    commit(tx -> assertThat(rewrite(tx)).isEqualTo(before.size()));
    assertThat(contents(manager)).isEqualTo(before);
    TableStore store = manager.space().table(REWRITTEN);
    assertThat(store.rowLimit()).isEqualTo(before.size());
    assertThat(store.index(0).entryCount()).isEqualTo(before.size());
    assertThat(manager.space().table(TABLE)).isNull();
    manager.close();
    manager = SampleDatabase.open(directory, protocol);
    assertThat(contents(manager)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 64, 65, Tablet.ROWS - 1, Tablet.ROWS, Tablet.ROWS + 1})
  void everyRowCountIsKept(int rows) {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 2 * rows, id -> id));
    commit(tx -> delete(tx, id -> id % 2 == 1));
    commit(SampleDatabase::rewrite);
    Map<Integer, Long> expected = new TreeMap<>();
    for (int i = 0; i < rows; i++) {
      expected.put(2 * i, 2L * i);
    }
    assertThat(contents(manager)).isEqualTo(expected);
    assertThat(manager.space().table(REWRITTEN).tabletCount())
        .isEqualTo((rows + Tablet.ROWS - 1) / Tablet.ROWS);
  }

  @Test
  void unusedStringsGo() {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 70, id -> id));
    commit(tx -> update(tx, id -> true, id -> 3));
    assertThat(manager.space().table(TABLE).dictionary(NOTE).size()).isEqualTo(7);
    commit(SampleDatabase::rewrite);
    assertThat(manager.space().table(REWRITTEN).dictionary(NOTE).size()).isEqualTo(1);
    assertThat(contents(manager)).isEqualTo(expected(0, 70, id -> 3));
  }

  @Test
  void anOldSnapshotGoesOnReadingTheOldTable() {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 100, id -> id));
    Transaction reader = manager.begin();
    commit(tx -> update(tx, id -> true, id -> id + 1));
    commit(SampleDatabase::rewrite);
    commit(tx -> delete(tx, id -> id >= 10));
    assertThat(contents(reader)).isEqualTo(expected(0, 100, id -> id));
    assertThat(manager.space().table(TABLE)).isNotNull();
    reader.commit();
    assertThat(contents(manager)).isEqualTo(expected(0, 10, id -> id + 1));
    assertThat(manager.space().table(TABLE)).isNull();
  }

  @Test
  void whoRewritesMeetsAnEarlierWriter() {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 100, id -> id));
    Transaction late = manager.begin();
    Transaction writer = manager.begin();
    update(writer, id -> id == 1, id -> 5);
    expectConflict(late);
    writer.commit();
    expectConflict(late);
    late.rollback();
    commit(SampleDatabase::rewrite);
    assertThat(contents(manager)).containsEntry(1, 5L);
  }

  private static void expectConflict(Transaction tx) {
    Savepoint before = tx.savepoint();
    GpdbException e = catchThrowableOfType(GpdbException.class, () -> rewrite(tx));
    assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT);
    tx.rollbackTo(before);
  }

  @Test
  void whoWritesMeetsAnEarlierRewrite() {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 100, id -> id));
    Transaction rewriter = manager.begin();
    rewrite(rewriter);
    Transaction writer = manager.begin();
    assertThatThrownBy(() -> update(writer, id -> id == 1, id -> 5))
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
    writer.rollback();
    rewriter.rollback();
    commit(tx -> update(tx, id -> id == 1, id -> 5));
    assertThat(contents(manager)).containsEntry(1, 5L);
    assertThat(manager.space().table(REWRITTEN)).isNull();
  }

  @Test
  void ownChangesBeforeAndAfterAreIn() {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 100, id -> id));
    commit(
        tx -> {
          update(tx, id -> id < 50, id -> -id);
          insert(tx, 500, 10, id -> id);
          Savepoint savepoint = tx.savepoint();
          rewrite(tx);
          delete(tx, id -> id < 500);
          tx.rollbackTo(savepoint);
          rewrite(tx);
          delete(tx, id -> id >= 50 && id < 100);
        });
    Map<Integer, Long> expected = expected(0, 50, id -> -id);
    expected.putAll(expected(500, 10, id -> id));
    assertThat(contents(manager)).isEqualTo(expected);
    try (CrashableDirectory crashed = directory.crash(CrashChoice.keepNothing());
        TransactionManager recovered = SampleDatabase.open(crashed, Protocol.REDO)) {
      assertThat(contents(recovered)).isEqualTo(expected);
    }
  }

  @Test
  void manyRewritesTakeNoMoreMemory() {
    open(Protocol.REDO);
    commit(tx -> insert(tx, 0, 5000, id -> id));
    long afterTwo = 0;
    for (int i = 0; i < 30; i++) {
      int factor = i;
      commit(tx -> update(tx, id -> true, id -> id * factor));
      commit(SampleDatabase::rewrite);
      if (i == 2) {
        afterTwo = manager.space().workingBytes();
      }
    }
    assertThat(manager.space().workingBytes()).isEqualTo(afterTwo);
    assertThat(manager.statistics().pinnedVersions()).isZero();
  }
}
