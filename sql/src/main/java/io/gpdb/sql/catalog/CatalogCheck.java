package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.RoleDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds the catalog's rows against the stored tables; nobody may write meanwhile. */
final class CatalogCheck {
  private final TransactionManager manager;
  private final List<String> problems = new ArrayList<>();

  CatalogCheck(TransactionManager manager) {
    this.manager = manager;
  }

  List<String> run() {
    Map<Integer, String> names = new TreeMap<>();
    Transaction transaction = manager.begin();
    try {
      names.put(SystemTable.store(transaction), "");
      Set<ObjectName> seen = new HashSet<>();
      CatalogObjects objects = SystemTable.read(transaction);
      List<ViewDef> views = objects.views();
      for (TableDef table : objects.tables()) {
        if (!seen.add(table.fullName())) {
          problems.add("catalog: two tables of one name: " + table.fullName());
        }
        names.put(table.tableId(), table.name());
        checkSchema(table.fullName(), objects);
        checkStored(table);
        checkIdentities(table, objects);
        checkDomains(table, objects);
      }
      for (ViewDef view : views) {
        if (!seen.add(view.fullName())) {
          problems.add("catalog: two tables or views of one name: " + view.fullName());
        }
        checkSchema(view.fullName(), objects);
      }
      objects.domains().forEach(domain -> checkSchema(domain.fullName(), objects));
      checkRoutines(objects);
      checkReferences(objects.tables());
      checkGrantees(objects);
      checkViews(objects);
    } catch (GpdbException e) {
      problems.add("catalog: " + e.getMessage());
      return problems;
    } finally {
      transaction.rollback();
    }
    for (TableStore stored : manager.tables()) {
      if (stored.tableId() >= SystemTable.FIRST_USER_TABLE_ID
          && !names.containsKey(stored.tableId())) {
        problems.add("table=%d: is stored, but the catalog has no row".formatted(stored.tableId()));
      }
    }
    return problems;
  }

  /** No view reads itself. What a view reads need not exist: then it is invalid. */
  private void checkViews(CatalogObjects objects) {
    CatalogSnapshot snapshot = new CatalogSnapshot(0, objects);
    for (ViewDef view : objects.views()) {
      if (Dependents.ofRelation(view.fullName(), snapshot)
          .isAnyOf(List.of(view.fullName()), List.of())) {
        problems.add("catalog: view " + view.fullName() + " reads itself");
      }
    }
  }

  private void checkSchema(ObjectName name, CatalogObjects objects) {
    String schema = name.schema();
    if (!schema.equals(SchemaNames.PUBLIC)
        && !SchemaNames.isTemporary(schema)
        && objects.schemas().stream().noneMatch(s -> s.name().equals(schema))) {
      problems.add("catalog: schema %s of %s does not exist".formatted(schema, name.name()));
    }
  }

  private void checkIdentities(TableDef table, CatalogObjects objects) {
    for (ColumnDef column : table.columns()) {
      IdentityDef identity = column.identity();
      if (identity != null
          && objects.sequences().stream()
              .noneMatch(sequence -> sequence.sequenceId() == identity.sequenceId())) {
        problems.add(
            "catalog: the sequence of column %s of table %s does not exist"
                .formatted(column.name(), table.name()));
      }
    }
  }

  private void checkDomains(TableDef table, CatalogObjects objects) {
    for (ColumnDef column : table.columns()) {
      if (column.domain() != null
          && objects.domains().stream().noneMatch(d -> d.fullName().equals(column.domain()))) {
        problems.add(
            "catalog: the domain of column %s of table %s does not exist"
                .formatted(column.name(), table.fullName()));
      }
    }
  }

  /** Routines have different names, and the functions that routines and views call are there. */
  private void checkRoutines(CatalogObjects objects) {
    Set<ObjectName> routines = new HashSet<>();
    for (RoutineDef routine : objects.routines()) {
      if (!routines.add(routine.fullName())) {
        problems.add("catalog: two routines of one name: " + routine.fullName());
      }
      checkSchema(routine.fullName(), objects);
    }
    for (RoutineDef routine : objects.routines()) {
      checkCalls("routine " + routine.fullName(), routine.routines(), routines);
    }
    objects.views().forEach(v -> checkCalls("view " + v.fullName(), v.routines(), routines));
  }

  private void checkCalls(String caller, List<ObjectName> called, Set<ObjectName> routines) {
    for (ObjectName name : called) {
      if (!routines.contains(name)) {
        problems.add(
            "catalog: function %s, which %s calls, does not exist".formatted(name, caller));
      }
    }
  }

  /** Each foreign key refers to a key of a table. */
  private void checkReferences(List<TableDef> tables) {
    Map<ObjectName, TableDef> byName = new TreeMap<>();
    tables.forEach(table -> byName.put(table.fullName(), table));
    for (TableDef table : tables) {
      for (ForeignKeyDef key : table.foreignKeys()) {
        TableDef parent = byName.get(key.parent());
        if (parent == null || ReferencedKey.of(parent, key.parentColumns()) == null) {
          problems.add(
              "catalog: foreign key %s of table %s refers to no key of table %s"
                  .formatted(key.name(), table.fullName(), key.parent()));
        }
      }
    }
  }

  /** What is granted is granted to a role that exists, or to everybody. */
  private void checkGrantees(CatalogObjects objects) {
    Set<String> roles = new HashSet<>(Set.of(RoleDef.EVERYBODY));
    for (RoleDef role : objects.roles()) {
      if (!roles.add(role.name())) {
        problems.add("catalog: two roles of one name: " + role.name());
      }
    }
    for (RoleDef role : objects.roles()) {
      role.members()
          .forEach(member -> checkGrantee("role " + role.name(), member.grantee(), roles));
    }
    for (TableDef table : objects.tables()) {
      table
          .privileges()
          .forEach(p -> checkGrantee("table " + table.fullName(), p.grantee(), roles));
    }
    for (ViewDef view : objects.views()) {
      view.privileges().forEach(p -> checkGrantee("view " + view.fullName(), p.grantee(), roles));
    }
    for (RoutineDef routine : objects.routines()) {
      routine
          .privileges()
          .forEach(p -> checkGrantee("routine " + routine.fullName(), p.grantee(), roles));
    }
  }

  private void checkGrantee(String granted, String grantee, Set<String> roles) {
    if (!roles.contains(grantee)) {
      problems.add(
          "catalog: %s is granted to %s, which does not exist".formatted(granted, grantee));
    }
  }

  private void checkStored(TableDef table) {
    String problem = storedProblem(manager, table);
    if (problem != null) {
      problems.add(problem);
    }
  }

  /**
   * What every use of a table relies on: it is stored, by the shape that the catalog defines.
   *
   * @throws GpdbException CORRUPTION
   */
  static void requireStored(TransactionManager manager, CatalogSnapshot snapshot) {
    for (TableDef table : snapshot.tables()) {
      String problem = storedProblem(manager, table);
      if (problem != null) {
        throw new GpdbException(ErrorCode.CORRUPTION, problem);
      }
    }
  }

  private static @Nullable String storedProblem(TransactionManager manager, TableDef table) {
    TableStore stored = manager.table(table.tableId());
    if (stored != null && isStoredAs(stored.shape(), table.shape())) {
      return null;
    }
    return "catalog: table %s, table=%d: is %s"
        .formatted(
            table.name(),
            table.tableId(),
            stored == null ? "not stored" : "stored with other columns or keys");
  }

  /** Columns that were renamed keep their names in the store. */
  private static boolean isStoredAs(TableShape stored, TableShape defined) {
    List<ColumnShape> columns = stored.columns();
    List<IndexShape> indexes = stored.indexes();
    boolean same =
        columns.size() == defined.columns().size() && indexes.size() == defined.indexes().size();
    for (int i = 0; same && i < columns.size(); i++) {
      same = columns.get(i).type() == defined.columns().get(i).type();
    }
    for (int i = 0; same && i < indexes.size(); i++) {
      same = isStoredAs(indexes.get(i), defined.indexes().get(i));
    }
    return same;
  }

  /** Keys of an older version are in hash indexes, whatever they would be in now. */
  private static boolean isStoredAs(IndexShape stored, IndexShape defined) {
    return stored.equals(defined)
        || (stored.kind() == IndexKind.HASH
            && defined.unique()
            && stored.equals(new IndexShape(defined.indexId(), defined.columns(), true)));
  }

  /** The names of the tables by their numbers, as far as the catalog can be read. */
  static Map<Integer, String> names(TransactionManager manager) {
    Map<Integer, String> names = new TreeMap<>();
    Transaction transaction = manager.begin();
    try {
      SystemTable.read(transaction)
          .tables()
          .forEach(table -> names.put(table.tableId(), table.name()));
    } catch (GpdbException e) {
      names.clear(); // check says why
    } finally {
      transaction.rollback();
    }
    return names;
  }
}
