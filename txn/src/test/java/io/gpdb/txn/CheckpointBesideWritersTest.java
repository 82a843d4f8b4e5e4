package io.gpdb.txn;

import static io.gpdb.txn.SampleDatabase.NULL;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.delete;
import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.api.Protocol;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C1. The home image holds what was committed before its position, and nothing else. */
@Timeout(60)
class CheckpointBesideWritersTest {
  private static final int MADE = 99;

  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  private static long amount(int id, int remainder) {
    return id % 3 == remainder ? NULL : id;
  }

  /** What a loss of power leaves, opened again. */
  private Map<Integer, Long> left(Protocol protocol) {
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, protocol)) {
      assertThat(again.space().check()).isEmpty();
      return contents(again);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED"})
  void nullsAndRowsOfAnOpenTransactionAreNotInIt(Protocol protocol) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> amount((int) id, 0));
    before.commit();
    manager.checkpoint();
    Map<Integer, Long> committed = contents(manager);
    Transaction open = manager.begin();
    update(open, id -> id < 60, id -> amount((int) id, 1));
    delete(open, id -> id >= 50 && id < 70);
    insert(open, 1000, 50, id -> amount((int) id, 0));
    Map<Integer, Long> changed = contents(open);
    manager.checkpoint();
    assertThat(left(protocol)).isEqualTo(committed);
    open.commit();
    assertThat(left(protocol)).isEqualTo(changed);
    manager.checkpoint();
    assertThat(left(protocol)).isEqualTo(changed);
    manager.abandon();
  }

  @Test
  void aTableThatAnOpenTransactionMadeIsNotInIt() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction open = manager.begin();
    open.createTable(MADE, SampleDatabase.shape());
    manager.checkpoint();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
      assertThat(again.space().table(MADE)).isNull();
      Transaction tx = again.begin();
      assertThatThrownBy(() -> tx.reader(MADE))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND));
      tx.rollback();
    }
    open.commit();
    manager.checkpoint();
    try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
        TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
      assertThat(again.space().table(MADE)).isNotNull();
    }
    manager.abandon();
  }

  @Test
  void aTableThatAnOpenTransactionDropsIsInIt() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction before = manager.begin();
    insert(before, 0, 100, id -> id);
    before.commit();
    Map<Integer, Long> committed = contents(manager);
    Transaction open = manager.begin();
    open.dropTable(SampleDatabase.TABLE);
    manager.checkpoint();
    assertThat(left(Protocol.REDO)).isEqualTo(committed);
    open.rollback();
    manager.abandon();
  }

  private static void insertNumbers(TransactionManager manager, int n) {
    Transaction tx = manager.begin();
    HostBuffer numbers = HostBuffer.collected(8L * n);
    ColumnView[] columns = {new ColumnView(ElementType.I64, numbers, null)};
    tx.writer(MADE).insert(columns, n);
    tx.commit();
  }

  /** Who changes a tablet would wait for the zeros. */
  @Test
  void theFileGrowsWhileNoTabletIsHeld() {
    TransactionManager manager = withTable(directory, Protocol.REDO);
    Transaction maker = manager.begin();
    maker.createTable(
        MADE, new TableShape(List.of(new ColumnShape("V", ElementType.I64)), List.of()));
    maker.commit();
    insertNumbers(manager, 1_200_000); // so many that a step has room for a tablet
    manager.checkpoint();
    insertNumbers(manager, 600_000);
    TableStore table = Objects.requireNonNull(manager.space().table(MADE));
    int tablets = TableStore.tabletsFor(table.rowLimit());
    long[] grown = {0, 0};
    directory.listener(
        (act, memory, from, to) -> {
          if (act == PersistListener.Act.GROW && memory.equals("home.gpdb")) {
            boolean held =
                IntStream.range(0, tablets).anyMatch(t -> table.tablet(t).latch().readHolds() > 0);
            grown[held ? 1 : 0] += to - from;
          }
        });
    manager.checkpoint();
    directory.listener(null);
    assertThat(grown[0]).as("bytes").isGreaterThan(3 << 20);
    assertThat(grown[1]).as("bytes beside a tablet that is held").isZero();
    manager.abandon();
  }
}
