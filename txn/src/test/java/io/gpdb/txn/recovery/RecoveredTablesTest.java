package io.gpdb.txn.recovery;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import io.gpdb.txn.log.WalLayout;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One transaction that writes to several columns of strings, tables and rows, and a crash. */
class RecoveredTablesTest {
  private static final TableShape STRINGS =
      new TableShape(
          List.of(
              new ColumnShape("A", ElementType.CODE),
              new ColumnShape("B", ElementType.CODE),
              new ColumnShape("C", ElementType.CODE)),
          List.of());
  private static final int FIRST = 40;
  private static final int LAST = 42;
  private static final int[] COLUMNS = {0, 1, 2};
  private static final long SECTION_BYTES = WalLayout.SECTION_HEADER_BYTES;

  private static String text(int table, int column) {
    return "table " + table + ", column " + column;
  }

  private static void insertOneRow(Transaction tx, int table) {
    try (Arena arena = Arena.ofConfined()) {
      ColumnView[] row =
          IntStream.of(COLUMNS)
              .mapToObj(
                  c -> {
                    byte[] bytes = text(table, c).getBytes(UTF_8);
                    CodedStrings strings = tx.reader(table).strings(c);
                    int code = strings.intern(bytes, 0, bytes.length);
                    return ColumnView.mapped(
                        HostMemory.INSTANCE,
                        ElementType.CODE,
                        arena.allocateFrom(JAVA_INT, code),
                        null);
                  })
              .toArray(ColumnView[]::new);
      tx.writer(table).insert(row, 1);
    }
  }

  private static void assertHasItsRow(Transaction tx, int table) {
    TableReader reader = tx.reader(table);
    try (TabletView view = reader.open(0, COLUMNS)) {
      for (int c : COLUMNS) {
        assertThat(reader.strings(c).string(view.values(c).onHost().intAt(0)))
            .isEqualTo(text(table, c));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "AUTO"})
  void everyStringOfEveryTableIsThere(Protocol protocol) {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = SampleDatabase.open(directory, protocol);
      Transaction tx = manager.begin();
      for (int table = FIRST; table <= LAST; table++) {
        tx.createTable(table, STRINGS);
        insertOneRow(tx, table);
      }
      tx.commit();
      manager.abandon();
      try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
          TransactionManager again = SampleDatabase.open(left, protocol)) {
        Transaction reader = again.begin();
        for (int table = FIRST; table <= LAST; table++) {
          assertHasItsRow(reader, table);
        }
        reader.commit();
        assertThat(again.check()).isEmpty();
      }
    }
  }

  /** R6. Of no column are they logged again. */
  @Test
  void stringsThatAreThereAreNotLoggedAgain() {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = SampleDatabase.open(directory, Protocol.REDO);
      Transaction tx = manager.begin();
      tx.createTable(FIRST, STRINGS);
      tx.commit();
      long[] logged = new long[3];
      for (int i = 0; i < 3; i++) {
        long before = manager.logPosition();
        tx = manager.begin();
        insertOneRow(tx, FIRST);
        tx.commit();
        logged[i] = manager.logPosition() - before;
      }
      assertThat(logged[1]).isLessThan(logged[0] - 3 * SECTION_BYTES).isEqualTo(logged[2]);
      manager.abandon();
    }
  }

  /** Few rows are written one by one, 32 and more by a kernel. */
  @ParameterizedTest
  @ValueSource(ints = {1, 31, 32, 33})
  void deletedAndUpdatedRowsAreSoAfterACrash(int rows) {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = SampleDatabase.withTable(directory, Protocol.REDO);
      Transaction tx = manager.begin();
      SampleDatabase.insert(tx, 0, 100, id -> id);
      tx.commit();
      manager.checkpoint();
      tx = manager.begin();
      SampleDatabase.delete(tx, id -> id < rows);
      SampleDatabase.update(tx, id -> id >= 100 - rows, id -> id + 1000);
      tx.commit();
      Map<Integer, Long> expected = SampleDatabase.contents(manager);
      manager.abandon();
      try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
          TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
        assertThat(expected).hasSize(100 - rows).containsEntry(99, 1099L);
        assertThat(SampleDatabase.contents(again)).isEqualTo(expected);
        assertThat(again.check()).isEmpty();
      }
    }
  }
}
