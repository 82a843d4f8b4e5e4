package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TableReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows without a key, in an index whose keys are unique. */
class NullKeysTest {
  private static final int TABLE = 40;
  private static final long NULL = -1;

  private static void insert(Transaction tx, long... keys) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(8L * keys.length, 8);
      MemorySegment validity = arena.allocate(Bitmaps.bytes(keys.length), 8);
      for (int i = 0; i < keys.length; i++) {
        values.setAtIndex(JAVA_LONG, i, Math.max(0, keys[i]));
        Bitmaps.set(validity, i, keys[i] != NULL);
      }
      ColumnView[] columns = {
        ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, values, validity)
      };
      tx.writer(TABLE).insert(columns, keys.length);
    }
  }

  private static long row(TransactionManager manager, long key) {
    Transaction tx = manager.begin();
    TableReader reader = tx.reader(TABLE);
    long row = reader.findByKey(0, new long[] {key});
    tx.commit();
    return row;
  }

  @Test
  void theyAreManyAndNobodyFindsThem() {
    try (CrashableDirectory directory = new CrashableDirectory()) {
      TransactionManager manager = SampleDatabase.open(directory, Protocol.REDO);
      Transaction tx = manager.begin();
      tx.createTable(
          TABLE,
          new TableShape(
              List.of(new ColumnShape("K", ElementType.I64)),
              List.of(new IndexShape(0, new int[] {0}, true))));
      insert(tx, NULL, 5, NULL, NULL);
      insert(tx, NULL);
      tx.commit();
      assertThat(row(manager, 0)).isNegative();
      assertThat(row(manager, 5)).isEqualTo(1);
      Transaction more = manager.begin();
      insert(more, NULL, 0, NULL);
      assertThatThrownBy(() -> insert(more, NULL, 0)).isInstanceOf(KeyViolation.class);
      more.rollback();
      Transaction keyless = manager.begin();
      for (long row : new long[] {0, 1}) { // the second one had a key
        keyless.writer(TABLE).updateRow(row, new int[] {0}, new long[1], new boolean[] {true});
      }
      assertThat(keyless.reader(TABLE).findByKey(0, new long[] {0})).isNegative();
      assertThat(keyless.reader(TABLE).findByKey(0, new long[] {5})).isNegative();
      keyless.rollback();
      Transaction last = manager.begin();
      insert(last, 6, NULL);
      last.commit();
      assertThat(row(manager, 0)).isNegative();
      assertThat(row(manager, 6)).isPositive();
      manager.abandon();
      try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing());
          TransactionManager again = SampleDatabase.open(left, Protocol.REDO)) {
        assertThat(row(again, 0)).isNegative();
        assertThat(row(again, 5)).isEqualTo(1);
        assertThat(again.check()).isEmpty();
      }
    }
  }

  /** One that lacks a part of a key of two columns, before one whose key is of one column. */
  @Test
  void aRowWithoutTheLongerKeyDoesNotHideAnother() {
    try (CrashableDirectory directory = new CrashableDirectory();
        TransactionManager manager = SampleDatabase.open(directory, Protocol.REDO)) {
      Transaction tx = manager.begin();
      List<ColumnShape> columns =
          List.of(
              new ColumnShape("A", ElementType.I64),
              new ColumnShape("B", ElementType.I64),
              new ColumnShape("C", ElementType.I64));
      tx.createTable(
          TABLE,
          new TableShape(
              columns,
              List.of(
                  new IndexShape(0, new int[] {0}, true),
                  new IndexShape(1, new int[] {1, 2}, true))));
      try (Arena arena = Arena.ofConfined()) {
        ColumnView[] rows = new ColumnView[3];
        for (int c = 0; c < rows.length; c++) {
          rows[c] =
              ColumnView.mapped(
                  HostMemory.INSTANCE, ElementType.I64, arena.allocateFrom(JAVA_LONG, 1, 2), null);
        }
        tx.writer(TABLE).insert(rows, 2);
      }
      tx.writer(TABLE).updateRow(0, new int[] {1, 2}, new long[2], new boolean[] {false, true});
      tx.writer(TABLE).finishStatement();
      tx.writer(TABLE).updateRow(1, new int[] {0}, new long[] {50}, new boolean[1]);
      tx.writer(TABLE).finishStatement();
      assertThat(tx.reader(TABLE).findByKey(0, new long[] {50})).isEqualTo(1);
      tx.commit();
      assertThat(row(manager, 50)).isEqualTo(1);
      assertThat(manager.check()).isEmpty();
    }
  }
}
