package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.AMOUNT;
import static io.gpdb.txn.SampleDatabase.REWRITTEN;
import static io.gpdb.txn.SampleDatabase.TABLE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.expected;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableUse;
import java.util.Objects;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is known of a table's use, and rewriting that gives way to writers. */
@Timeout(60)
class TableUseTest {
  private static final int ROWS = 40;

  private final VolatileDirectory directory = new VolatileDirectory("use");
  private TransactionManager manager;

  @BeforeEach
  void open() {
    manager = withTable(directory, Protocol.REDO);
    commit(tx -> insert(tx, 0, ROWS, id -> id));
  }

  @AfterEach
  void close() {
    manager.close();
    directory.close();
  }

  private void commit(Consumer<Transaction> work) {
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
  }

  private TableUse use() {
    return Objects.requireNonNull(manager.tableUse(TABLE));
  }

  private static void assertConflict(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT));
  }

  @Test
  void aTableIsWrittenToWhileAWriterIsOpen() {
    assertThat(use().writing()).isFalse();
    Transaction tx = manager.begin();
    update(tx, id -> id == 3, id -> 33);
    assertThat(use().writing()).isTrue();
    tx.rollback();
    assertThat(use().writing()).isFalse();
    assertThat(use().idleNanos()).isNotNegative();
  }

  /** A snapshot may still read it. */
  @Test
  void aDroppedTableIsNotInUseWhoeverReadsIt() {
    assertThat(manager.tableUse(TABLE + 1)).isNull();
    Transaction reader = manager.begin();
    Transaction dropper = manager.begin();
    dropper.dropTable(TABLE);
    assertThat(manager.tableUse(TABLE)).as("not committed").isNotNull();
    dropper.commit();
    assertThat(manager.space().table(TABLE)).isNotNull();
    assertThat(manager.tableUse(TABLE)).isNull();
    assertThat(contents(reader)).hasSize(ROWS);
    reader.commit();
  }

  @Test
  void aRewriteThatGivesWayMovesTheRows() {
    commit(tx -> delete(tx, id -> id >= 30));
    Transaction tx = manager.begin();
    assertThat(tx.rewriteTableUnlessWritten(TABLE, REWRITTEN)).isEqualTo(30);
    tx.commit();
    assertThat(manager.space().table(TABLE)).isNull();
    assertThat(contents(manager)).isEqualTo(expected(0, 30, id -> id));
  }

  @Test
  void aRewriteThatGivesWayIsRefusedWhereSomebodyWrites() {
    Transaction rewriter = manager.begin();
    Transaction writer = manager.begin();
    update(writer, id -> id == 3, id -> 33);
    assertConflict(() -> rewriter.rewriteTableUnlessWritten(TABLE, REWRITTEN));
    rewriter.rollback();
    writer.commit();
    Transaction late = manager.begin();
    commit(tx -> update(tx, id -> id == 4, id -> 44));
    assertConflict(() -> late.rewriteTableUnlessWritten(TABLE, REWRITTEN));
    late.rollback();
    assertThat(contents(manager)).hasSize(ROWS).containsEntry(3, 33L).containsEntry(4, 44L);
  }

  /** It waits for the rewrite's end; then it knows that running again is all that it takes. */
  @Test
  void aWriterThatMeetsARewriteIsToldSo() throws InterruptedException {
    Transaction met = manager.begin();
    Transaction other = manager.begin();
    Transaction rewriter = manager.begin();
    rewriter.rewriteTableUnlessWritten(TABLE, REWRITTEN);
    Thread committer = Thread.ofPlatform().start(rewriter::commit);
    assertConflict(() -> met.writer(TABLE).deleteRow(3));
    committer.join();
    assertThat(met.metRewrite()).isTrue();
    met.rollback();
    assertThat(other.metRewrite()).isFalse();
    other.commit();
    commit(tx -> tx.dropTable(REWRITTEN));
  }

  @Test
  void aWriterThatMeetsADropIsNot() {
    Transaction met = manager.begin();
    commit(tx -> tx.dropTable(TABLE));
    assertConflict(() -> met.writer(TABLE).deleteRow(3));
    assertThat(met.metRewrite()).isFalse();
    met.rollback();
  }

  @Test
  void rowsOfASecondTabletAreReadAndWrittenOneByOne() {
    int more = 5;
    commit(tx -> insert(tx, ROWS, Tablet.ROWS + more - ROWS, id -> id));
    Transaction tx = manager.begin();
    TableReader reader = tx.reader(TABLE);
    assertThat(reader.rowLimit()).isEqualTo(Tablet.ROWS + more);
    assertThat(reader.tabletLimit()).isEqualTo(2);
    assertThat(reader.estimatedRows()).isEqualTo(Tablet.ROWS + more);
    long row = Tablet.ROWS + 3L;
    int[] columns = {AMOUNT};
    tx.writer(TABLE).updateRow(row, columns, new long[] {77}, new boolean[1]);
    long[] amount = new long[1];
    assertThat(reader.read(row, columns, amount, new boolean[1])).isTrue();
    assertThat(amount[0]).isEqualTo(77);
    assertThat(reader.read(3, columns, amount, new boolean[1])).isTrue();
    assertThat(amount[0]).isEqualTo(3);
    tx.writer(TABLE).deleteRow(row);
    assertThat(reader.isLive(row)).isFalse();
    assertThat(reader.isLive(3)).isTrue();
    assertThat(reader.estimatedRows()).isEqualTo(Tablet.ROWS + more - 1);
    tx.rollback();
  }
}
