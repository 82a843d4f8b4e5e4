package io.gpdb.sql;

import io.gpdb.storage.ColumnShape;
import io.gpdb.storage.Dictionary;
import io.gpdb.storage.ElementType;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.storage.IndexShape;
import io.gpdb.storage.TableShape;
import io.gpdb.storage.Tablet;
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
 *
 * <p>A table's row has, as its number, the id of the store that holds the table since it was last
 * rewritten; 0 where it never was: then the object's id is the store's.
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

  private static final int[] NUMBER_COLUMN = {NUMBER};
  private static final int[] TABLE_COLUMNS = {OBJECT_ID, KIND, NUMBER, DEFINITION};

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
    if (!transaction.reader(TABLE_ID).read(versionRow, NUMBER_COLUMN, values, nulls)) {
      throw new GpdbException(ErrorCode.CORRUPTION, "the catalog's version row cannot be seen");
    }
    return values[0];
  }

  static void setVersion(Transaction transaction, long versionRow, long version) {
    transaction
        .writer(TABLE_ID)
        .updateRow(versionRow, NUMBER_COLUMN, new long[] {version}, new boolean[1]);
  }

  static void insertTable(Transaction transaction, TableDef table) {
    insert(transaction, table.tableId(), KIND_TABLE, 0, TableDefCodec.encode(table));
  }

  static void deleteTable(Transaction transaction, TableDef table) {
    transaction.writer(TABLE_ID).deleteRow(row(transaction, table));
  }

  /** Says that the table lies in another store from now on. */
  static void moveTable(Transaction transaction, TableDef table, int newTableId) {
    transaction
        .writer(TABLE_ID)
        .updateRow(row(transaction, table), NUMBER_COLUMN, new long[] {newTableId}, new boolean[1]);
  }

  private static long row(Transaction transaction, TableDef table) {
    for (ObjectRow object : objects(transaction)) {
      if (object.storeId() == table.tableId()) {
        return object.row();
      }
    }
    throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, "table " + table.name() + " does not exist");
  }

  /** No table has a greater number, and no store. */
  static int greatestId(Transaction transaction) {
    long greatest = 0;
    for (ObjectRow object : objects(transaction)) {
      greatest = Math.max(greatest, Math.max(object.objectId(), object.storeId()));
    }
    return (int) greatest;
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
    Dictionary dictionary = dictionary(transaction.reader(TABLE_ID));
    List<TableDef> tables = new ArrayList<>();
    for (ObjectRow object : objects(transaction)) {
      byte[] definition = dictionary.bytes(object.definition());
      tables.add(TableDefCodec.decode(object.storeId(), definition));
    }
    return tables;
  }

  /** A table's row. */
  private record ObjectRow(long row, long objectId, long number, int definition) {
    int storeId() {
      return (int) (number == 0 ? objectId : number);
    }
  }

  private static List<ObjectRow> objects(Transaction transaction) {
    TableReader reader = transaction.reader(TABLE_ID);
    List<ObjectRow> objects = new ArrayList<>();
    for (int t = 0; t < reader.tabletCount(); t++) {
      try (TabletView view = reader.open(t, TABLE_COLUMNS)) {
        for (int r = 0; r < view.rowCount(); r++) {
          if (isLive(view, r)
              && view.values(KIND).getAtIndex(ValueLayout.JAVA_SHORT, r) == KIND_TABLE) {
            objects.add(
                new ObjectRow(
                    (long) t * Tablet.ROWS + r,
                    view.values(OBJECT_ID).getAtIndex(ValueLayout.JAVA_LONG, r),
                    view.values(NUMBER).getAtIndex(ValueLayout.JAVA_LONG, r),
                    view.values(DEFINITION).getAtIndex(ValueLayout.JAVA_INT, r)));
          }
        }
      }
    }
    return objects;
  }

  private static boolean isLive(TabletView view, int row) {
    return view.allLive()
        || (view.live().getAtIndex(ValueLayout.JAVA_INT, row >> 5) >>> (row & 31) & 1) != 0;
  }
}
