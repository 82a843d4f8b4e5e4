package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.table.TableGarbage;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableSight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Table 0, SYS_OBJECTS: one row for each user table, view, sequence, schema, role, domain and
 * routine, and one row that counts the versions of the catalog. Each change of the catalog updates
 * that row, so that two transactions cannot both change the catalog.
 *
 * <p>Rows of what was dropped, and their definitions, stay behind in a store. When they are many
 * the rows of tables and views move to a new store of the same shape, whose number is in the row
 * {@link #STORE_OBJECT} of table 0 from then on; the store before it, if it is not table 0, is
 * dropped.
 *
 * <p>A table's row has, as its number, the id of the store that holds the table since it was last
 * rewritten; 0 where it never was: then the object's id is the store's.
 */
final class SystemTable {
  /** Ids below are the system's. */
  static final int FIRST_USER_TABLE_ID = 16;

  static final int TABLE_ID = 0;

  /** Object id of the row whose number is the catalog's version. */
  static final long VERSION_OBJECT = 1;

  /** Object id of the row whose number is the store of the tables' rows; 0 where there is none. */
  static final long STORE_OBJECT = 2;

  static final short KIND_VERSION = 0;
  static final short KIND_TABLE = 1;
  static final short KIND_STORE = 2;
  static final short KIND_VIEW = 3;
  static final short KIND_SEQUENCE = 4;
  static final short KIND_SCHEMA = 5;
  static final short KIND_ROLE = 6;
  static final short KIND_DOMAIN = 7;
  static final short KIND_ROUTINE = 8;
  static final short KIND_TYPE = 9;

  /** Rows that a store may have in addition to {@link TableGarbage#OVERGROWN} for each table. */
  static final int SPARE_ROWS = 1024;

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
  private static final int[] DEFINITION_COLUMN = {DEFINITION};
  private static final int[] TABLE_COLUMNS = {OBJECT_ID, KIND, NUMBER, DEFINITION};

  private SystemTable() {}

  static void create(Transaction transaction) {
    transaction.createTable(TABLE_ID, SHAPE);
    insert(transaction, TABLE_ID, VERSION_OBJECT, KIND_VERSION, 1, new byte[0]);
  }

  /** The store of the tables' rows. */
  static int store(Transaction transaction) {
    TableReader reader = transaction.reader(TABLE_ID);
    long row = reader.findByKey(0, new long[] {STORE_OBJECT});
    long[] number = new long[1];
    boolean there = row >= 0 && reader.read(row, NUMBER_COLUMN, number, new boolean[1]);
    return there ? (int) number[0] : TABLE_ID;
  }

  /** Whether most of the store is of tables and views that are gone. */
  static boolean isOvergrown(Transaction transaction, int objects) {
    TableReader reader = transaction.reader(store(transaction));
    return reader.rowLimit() > SPARE_ROWS + (long) TableGarbage.OVERGROWN * objects
        || reader.garbage().overgrown();
  }

  /**
   * Moves the rows of tables and views to a new store; the transaction has changed the catalog's
   * version.
   */
  static void move(Transaction transaction, int newStore) {
    int oldStore = store(transaction);
    CodedStrings definitions = dictionary(transaction.reader(oldStore));
    List<ObjectRow> objects = objects(transaction);
    transaction.createTable(newStore, SHAPE);
    for (ObjectRow object : objects) {
      byte[] definition = definitions.bytes(object.definition());
      insert(transaction, newStore, object.objectId(), object.kind(), object.number(), definition);
    }
    long pointer = transaction.reader(TABLE_ID).findByKey(0, new long[] {STORE_OBJECT});
    if (pointer >= 0) {
      setNumber(transaction, TABLE_ID, pointer, newStore);
      transaction.dropTable(oldStore);
    } else {
      objects.forEach(object -> transaction.writer(TABLE_ID).deleteRow(object.row()));
      insert(transaction, TABLE_ID, STORE_OBJECT, KIND_STORE, newStore, new byte[0]);
    }
  }

  private static void setNumber(Transaction transaction, int store, long row, long number) {
    transaction.writer(store).updateRow(row, NUMBER_COLUMN, new long[] {number}, new boolean[1]);
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

  /**
   * What the transaction sees of the table, asked before {@link #version}; null where it has
   * changed it.
   */
  static @Nullable TableSight sight(Transaction transaction) {
    return transaction.reader(TABLE_ID).sight();
  }

  /** Whether that transaction sees the newest version of all. */
  static boolean seesNewest(Transaction transaction) {
    return transaction.reader(TABLE_ID).seesNewest(NUMBER_COLUMN);
  }

  static void setVersion(Transaction transaction, long versionRow, long version) {
    setNumber(transaction, TABLE_ID, versionRow, version);
  }

  static void insertTable(Transaction transaction, TableDef table) {
    byte[] definition = TableDefCodec.encode(table);
    insert(transaction, store(transaction), table.tableId(), KIND_TABLE, 0, definition);
  }

  static void insertView(Transaction transaction, ViewDef view) {
    byte[] definition = TableDefCodec.encode(view);
    insert(transaction, store(transaction), view.viewId(), KIND_VIEW, 0, definition);
  }

  static void deleteView(Transaction transaction, ViewDef view) {
    delete(transaction, KIND_VIEW, view.viewId(), "view " + view.fullName());
  }

  static void insertSequence(Transaction transaction, SequenceDef sequence) {
    byte[] definition = TableDefWriter.encode(sequence);
    insert(transaction, store(transaction), sequence.sequenceId(), KIND_SEQUENCE, 0, definition);
  }

  static void deleteSequence(Transaction transaction, SequenceDef sequence) {
    transaction.writer(store(transaction)).deleteRow(row(transaction, sequence));
  }

  static void redefineSequence(Transaction transaction, SequenceDef sequence) {
    redefine(transaction, row(transaction, sequence), TableDefWriter.encode(sequence));
  }

  static void insertSchema(Transaction transaction, SchemaDef schema) {
    byte[] definition = TableDefWriter.encode(schema);
    insert(transaction, store(transaction), schema.schemaId(), KIND_SCHEMA, 0, definition);
  }

  static void deleteSchema(Transaction transaction, SchemaDef schema) {
    delete(transaction, KIND_SCHEMA, schema.schemaId(), "schema " + schema.name());
  }

  static void insertRole(Transaction transaction, RoleDef role) {
    byte[] definition = TableDefWriter.encode(role);
    insert(transaction, store(transaction), role.roleId(), KIND_ROLE, 0, definition);
  }

  static void deleteRole(Transaction transaction, RoleDef role) {
    delete(transaction, KIND_ROLE, role.roleId(), "role " + role.name());
  }

  static void insertDomain(Transaction transaction, DomainDef domain) {
    byte[] definition =
        domain.isDistinct()
            ? DistinctTypeCodec.encode(domain)
            : TableDefCodec.encode(domain.value());
    insert(transaction, store(transaction), domain.domainId(), kind(domain), 0, definition);
  }

  private static short kind(DomainDef domain) {
    return domain.isDistinct() ? KIND_TYPE : KIND_DOMAIN;
  }

  static void deleteDomain(Transaction transaction, DomainDef domain) {
    delete(transaction, kind(domain), domain.domainId(), domain.kind() + " " + domain.fullName());
  }

  static void insertRoutine(Transaction transaction, RoutineDef routine) {
    byte[] definition = RoutineDefWriter.encode(routine);
    insert(transaction, store(transaction), routine.routineId(), KIND_ROUTINE, 0, definition);
  }

  static void deleteRoutine(Transaction transaction, RoutineDef routine) {
    delete(transaction, KIND_ROUTINE, routine.routineId(), "routine " + routine.fullName());
  }

  /** Deletes views and routines, all of those. */
  static void deleteAll(Transaction transaction, Dependents dependents) {
    dependents.views().forEach(view -> deleteView(transaction, view));
    dependents.routines().forEach(routine -> deleteRoutine(transaction, routine));
  }

  private static long row(Transaction transaction, SequenceDef sequence) {
    String name = "sequence " + sequence.name();
    return row(transaction, KIND_SEQUENCE, sequence.sequenceId(), name);
  }

  private static void delete(Transaction transaction, short kind, int id, String name) {
    transaction.writer(store(transaction)).deleteRow(row(transaction, kind, id, name));
  }

  private static long row(Transaction transaction, short kind, int id, String name) {
    for (ObjectRow object : objects(transaction)) {
      if (object.kind() == kind && object.objectId() == id) {
        return object.row();
      }
    }
    throw new GpdbException(ErrorCode.TABLE_NOT_FOUND, name + " does not exist");
  }

  static void deleteTable(Transaction transaction, TableDef table) {
    transaction.writer(store(transaction)).deleteRow(row(transaction, table));
  }

  /** Gives the table, which keeps its store, another definition. */
  static void redefineTable(Transaction transaction, TableDef table) {
    redefine(transaction, row(transaction, table), TableDefCodec.encode(table));
  }

  private static void redefine(Transaction transaction, long row, byte[] definition) {
    int store = store(transaction);
    transaction.usesCodes();
    int code = dictionary(transaction.reader(store)).intern(definition, 0, definition.length);
    transaction.writer(store).updateRow(row, DEFINITION_COLUMN, new long[] {code}, new boolean[1]);
  }

  /** Gives the table another definition and another store, which the definition names. */
  static void replaceTable(Transaction transaction, TableDef before, TableDef table) {
    redefineTable(transaction, table.withTableId(before.tableId()));
    moveTable(transaction, before, table.tableId());
  }

  /** Says that the table is in another store from now on. */
  static void moveTable(Transaction transaction, TableDef table, int newTableId) {
    setNumber(transaction, store(transaction), row(transaction, table), newTableId);
  }

  private static long row(Transaction transaction, TableDef table) {
    for (ObjectRow object : objects(transaction)) {
      if (object.kind() == KIND_TABLE && object.storeId() == table.tableId()) {
        return object.row();
      }
    }
    throw new GpdbException(
        ErrorCode.TABLE_NOT_FOUND, "table " + table.fullName() + " does not exist");
  }

  /** No object of the catalog has a greater number, and no store. */
  static int greatestId(Transaction transaction) {
    long greatest = store(transaction);
    for (ObjectRow object : objects(transaction)) {
      greatest = Math.max(greatest, Math.max(object.objectId(), object.storeId()));
    }
    return (int) greatest;
  }

  private static void insert(
      Transaction transaction, int store, long id, short kind, long number, byte[] definition) {
    transaction.usesCodes();
    CodedStrings dictionary = dictionary(transaction.reader(store));
    Arena arena = Arena.ofAuto();
    MemorySegment ids = arena.allocateFrom(ValueLayout.JAVA_LONG, id);
    MemorySegment kinds = arena.allocateFrom(ValueLayout.JAVA_SHORT, kind);
    MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_LONG, number);
    int code = dictionary.intern(definition, 0, definition.length);
    MemorySegment codes = arena.allocateFrom(ValueLayout.JAVA_INT, code);
    ColumnView[] row = {
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, ids, null),
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.I16, kinds, null),
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.I64, numbers, null),
      ColumnView.mapped(HostMemory.INSTANCE, ElementType.CODE, codes, null)
    };
    transaction.writer(store).insert(row, 1);
  }

  private static CodedStrings dictionary(TableReader reader) {
    CodedStrings dictionary = reader.strings(DEFINITION);
    if (dictionary == null) {
      throw new GpdbException(ErrorCode.CORRUPTION, "the catalog's table has no definitions");
    }
    return dictionary;
  }

  /** The tables and views as they are at that version. */
  static CatalogSnapshot snapshot(Transaction transaction, long version) {
    return new CatalogSnapshot(version, read(transaction));
  }

  /** All objects of the catalog, also several of one name. */
  static CatalogObjects read(Transaction transaction) {
    CatalogObjects found = new CatalogObjects();
    CodedStrings dictionary = dictionary(transaction.reader(store(transaction)));
    for (ObjectRow object : objects(transaction)) {
      byte[] definition = dictionary.bytes(object.definition());
      int id = (int) object.objectId();
      switch (object.kind()) {
        case KIND_TABLE -> found.tables().add(TableDefCodec.decode(object.storeId(), definition));
        case KIND_VIEW -> found.views().add(TableDefCodec.decodeView(id, definition));
        case KIND_ROLE -> found.roles().add(TableDefCodec.decodeRole(id, definition));
        case KIND_DOMAIN ->
            found.domains().add(new DomainDef(TableDefCodec.decode(id, definition)));
        case KIND_TYPE -> found.domains().add(DistinctTypeCodec.decode(id, definition));
        case KIND_ROUTINE -> found.routines().add(RoutineDefCodec.decode(id, definition));
        case KIND_SCHEMA -> found.schemas().add(TableDefCodec.decodeSchema(id, definition));
        default -> found.sequences().add(SequenceDefCodec.decode(id, definition));
      }
    }
    return found;
  }

  /** The row of a table, a view, a sequence, a schema, a role, a domain, a type or a routine. */
  private record ObjectRow(long row, long objectId, short kind, long number, int definition) {
    int storeId() {
      return (int) (number == 0 ? objectId : number);
    }
  }

  private static List<ObjectRow> objects(Transaction transaction) {
    List<ObjectRow> objects = new ArrayList<>();
    for (long[] row : SystemRows.of(transaction, store(transaction), TABLE_COLUMNS)) {
      short kind = (short) row[1 + KIND];
      if (isObject(kind)) {
        objects.add(
            new ObjectRow(
                row[0], row[1 + OBJECT_ID], kind, row[1 + NUMBER], (int) row[1 + DEFINITION]));
      }
    }
    return objects;
  }

  private static boolean isObject(short kind) {
    return switch (kind) {
      case KIND_TABLE,
          KIND_VIEW,
          KIND_SEQUENCE,
          KIND_SCHEMA,
          KIND_ROLE,
          KIND_DOMAIN,
          KIND_ROUTINE,
          KIND_TYPE ->
          true;
      default -> false;
    };
  }
}
