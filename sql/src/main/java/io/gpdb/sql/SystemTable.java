package io.gpdb.sql;

import io.gpdb.storage.ColumnShape;
import io.gpdb.storage.Dictionary;
import io.gpdb.storage.ElementType;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.storage.IndexShape;
import io.gpdb.storage.TableShape;
import io.gpdb.txn.ColumnData;
import io.gpdb.txn.TableReader;
import io.gpdb.txn.TabletView;
import io.gpdb.txn.Transaction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Table 0, SYS_OBJECTS: one row for each user table, and one row that counts the versions of the
 * catalog. Each change of the catalog updates that row, so that two transactions cannot both change
 * the catalog.
 */
final class SystemTable {
  static final int TABLE_ID = 0;

  /** Object id of the row whose number is the catalog's version. */
  static final long VERSION_OBJECT = 1;

  static final short KIND_VERSION = 0;
  static final short KIND_TABLE = 1;

  static final int OBJECT_ID = 0;
  static final int KIND = 1;
  static final int NUMBER = 2;
  static final int DEFINITION = 3;

  static final TableShape SHAPE =
      new TableShape(
          List.of(
              new ColumnShape("OBJECT_ID", ElementType.I64),
              new ColumnShape("KIND", ElementType.I16),
              new ColumnShape("NUMBER", ElementType.I64),
              new ColumnShape("DEFINITION", ElementType.CODE)),
          List.of(new IndexShape(0, new int[] {OBJECT_ID}, true)));

  private static final int[] VERSION_COLUMNS = {NUMBER};
  private static final int[] TABLE_COLUMNS = {OBJECT_ID, KIND, DEFINITION};

  private SystemTable() {}

  static void create(Transaction transaction) {
    transaction.createTable(TABLE_ID, SHAPE);
    insert(transaction, VERSION_OBJECT, KIND_VERSION, 1, new byte[0]);
  }

  static long versionRow(Transaction transaction) {
    long row = transaction.reader(TABLE_ID).findByKey(0, new long[] {VERSION_OBJECT});
    if (row < 0) {
      throw new GpdbException(ErrorCode.CORRUPTION, "the catalog has no version row");
    }
    return row;
  }

  static long version(Transaction transaction, long versionRow) {
    long[] values = new long[1];
    boolean[] nulls = new boolean[1];
    if (!transaction.reader(TABLE_ID).read(versionRow, VERSION_COLUMNS, values, nulls)) {
      throw new GpdbException(ErrorCode.CORRUPTION, "the catalog's version row cannot be seen");
    }
    return values[0];
  }

  static void setVersion(Transaction transaction, long versionRow, long version) {
    transaction
        .writer(TABLE_ID)
        .updateRow(versionRow, VERSION_COLUMNS, new long[] {version}, new boolean[1]);
  }

  static void insertTable(Transaction transaction, TableDef table) {
    insert(transaction, table.tableId(), KIND_TABLE, 0, TableDefCodec.encode(table));
  }

  static void deleteTable(Transaction transaction, TableDef table) {
    long row = transaction.reader(TABLE_ID).findByKey(0, new long[] {table.tableId()});
    if (row < 0) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND, "table " + table.name() + " does not exist");
    }
    transaction.writer(TABLE_ID).deleteRow(row);
  }

  private static void insert(
      Transaction transaction, long id, short kind, long number, byte[] definition) {
    Dictionary dictionary = dictionary(transaction.reader(TABLE_ID));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ids = arena.allocateFrom(ValueLayout.JAVA_LONG, id);
      MemorySegment kinds = arena.allocateFrom(ValueLayout.JAVA_SHORT, kind);
      MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_LONG, number);
      int code = dictionary.intern(definition, 0, definition.length);
      MemorySegment codes = arena.allocateFrom(ValueLayout.JAVA_INT, code);
      ColumnData[] row = {
        new ColumnData(ElementType.I64, ids, null),
        new ColumnData(ElementType.I16, kinds, null),
        new ColumnData(ElementType.I64, numbers, null),
        new ColumnData(ElementType.CODE, codes, null)
      };
      transaction.writer(TABLE_ID).insert(row, 1);
    }
  }

  private static Dictionary dictionary(TableReader reader) {
    Dictionary dictionary = reader.store().dictionary(DEFINITION);
    if (dictionary == null) {
      throw new GpdbException(ErrorCode.CORRUPTION, "the catalog's table has no definitions");
    }
    return dictionary;
  }

  static List<TableDef> tables(Transaction transaction) {
    TableReader reader = transaction.reader(TABLE_ID);
    Dictionary dictionary = dictionary(reader);
    List<TableDef> tables = new ArrayList<>();
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, TABLE_COLUMNS)) {
        for (int r = 0; r < view.rowCount(); r++) {
          if (isLive(view, r)
              && view.values(1).getAtIndex(ValueLayout.JAVA_SHORT, r) == KIND_TABLE) {
            int id = (int) view.values(0).getAtIndex(ValueLayout.JAVA_LONG, r);
            int code = view.values(2).getAtIndex(ValueLayout.JAVA_INT, r);
            tables.add(TableDefCodec.decode(id, dictionary.bytes(code)));
          }
        }
      }
    }
    return tables;
  }

  private static boolean isLive(TabletView view, int row) {
    return view.allLive()
        || (view.live().getAtIndex(ValueLayout.JAVA_INT, row >> 5) >>> (row & 31) & 1) != 0;
  }
}
