package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** CREATE INDEX, DROP INDEX and ALTER INDEX. */
public final class ChangeIndex implements Change {
  private final Analyzed statement;
  private final InnerStatements statements;

  public ChangeIndex(Analyzed statement, InnerStatements statements) {
    this.statement = statement;
    this.statements = statements;
  }

  @Override
  public long apply(Execution x) {
    switch (statement) {
      case Analyzed.CreateIndex create -> create(x, create);
      case Analyzed.DropIndex drop -> drop(x, drop);
      case Analyzed.RenameIndex rename -> rename(x, rename);
      default -> throw new IllegalStateException("no statement on indexes: " + statement);
    }
    return 0;
  }

  private void create(Execution x, Analyzed.CreateIndex create) {
    TableDef table = table(x.catalog(), create.table());
    AlteredTable altered = new AlteredTable(x, statements, table);
    int[] columns = altered.columns(create.columns());
    String name = create.name();
    if (name == null) {
      name = newName(x.catalog(), table, columns);
    } else if (isTaken(x.catalog(), new ObjectName(table.schema(), name))) {
      if (create.ifNotExists()) {
        return;
      }
      throw new GpdbException(SqlCondition.INDEX_EXISTS, "index " + name + " already exists");
    }
    for (int c : columns) {
      requireIndexable(create.kind(), table.column(c));
    }
    if (table.indexes().size() >= SqlLimits.INDEXES_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "table %s has too many indexes: indexes=%d, limit=%d"
              .formatted(table.name(), table.indexes().size() + 1, SqlLimits.INDEXES_MAX));
    }
    int id = altered.newIndexId();
    List<IndexDef> indexes = new ArrayList<>(table.indexes());
    indexes.add(
        new IndexDef(name, create.kind(), create.unique(), columns, create.descending(), id));
    altered.addIndex(table.withIndexes(indexes), id);
  }

  /** Throws 0A000 where an index of that kind cannot have the column. */
  static void requireIndexable(IndexKind kind, ColumnDef column) {
    if (kind == IndexKind.HASH && column.type().element().isFloat()) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "an index USING HASH over the "
              + column.type()
              + " column "
              + column.name()
              + " is not supported");
    }
  }

  private static TableDef table(CatalogSnapshot catalog, ObjectName name) {
    TableDef table = catalog.table(name);
    if (table == null && catalog.view(name) != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT, name + " is a view and has no indexes");
    }
    if (table == null) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          "table " + name + " does not exist" + Suggestions.table(name.name(), catalog));
    }
    return table;
  }

  private static String newName(CatalogSnapshot catalog, TableDef table, int[] columns) {
    String first = KeyDef.nameOf(table, columns) + "_IDX";
    String name = first;
    for (int n = 2; isTaken(catalog, new ObjectName(table.schema(), name)); n++) {
      name = first + n;
    }
    return name;
  }

  /** Names of keys are names of their indexes. */
  private static boolean isTaken(CatalogSnapshot catalog, ObjectName name) {
    return catalog.tableOfIndex(name) != null || tableOfKey(catalog, name) != null;
  }

  private static @Nullable TableDef tableOfKey(CatalogSnapshot catalog, ObjectName name) {
    return catalog.tables().stream()
        .filter(t -> t.schema().equals(name.schema()) && t.key(name.name()) != null)
        .findFirst()
        .orElse(null);
  }

  private void drop(Execution x, Analyzed.DropIndex drop) {
    TableDef table = found(x.catalog(), drop.name(), drop.ifExists(), drop.table());
    if (table != null) {
      List<IndexDef> kept =
          table.indexes().stream()
              .filter(index -> index.key() != null || !index.name().equals(drop.name().name()))
              .toList();
      new AlteredTable(x, statements, table)
          .selectColumns(
              table.withIndexes(kept), IntStream.range(0, table.columns().size()).toArray());
    }
  }

  /** The table that has the index. */
  private static @Nullable TableDef found(
      CatalogSnapshot catalog, ObjectName name, boolean ifExists, @Nullable ObjectName on) {
    TableDef named = on == null ? null : table(catalog, on);
    TableDef table = catalog.tableOfIndex(name);
    if (table != null && (named == null || named.tableId() == table.tableId())) {
      return table;
    }
    TableDef ofKey = tableOfKey(catalog, name);
    if (ofKey != null && table == null) {
      throw new GpdbException(
          SqlCondition.OBJECT_IN_USE,
          "index "
              + name
              + " is that of a constraint of table "
              + ofKey.name()
              + ", which ALTER TABLE changes");
    }
    if (!ifExists) {
      throw new GpdbException(
          SqlCondition.INDEX_NOT_FOUND,
          "index " + name + " does not exist" + (on == null ? "" : " on table " + on));
    }
    return null;
  }

  private static void rename(Execution x, Analyzed.RenameIndex rename) {
    TableDef table = found(x.catalog(), rename.name(), rename.ifExists(), null);
    if (table == null || rename.to().equals(rename.name().name())) {
      return;
    }
    if (isTaken(x.catalog(), new ObjectName(table.schema(), rename.to()))) {
      throw new GpdbException(
          SqlCondition.INDEX_EXISTS, "index " + rename.to() + " already exists");
    }
    List<IndexDef> renamed =
        table.indexes().stream()
            .map(
                i ->
                    i.key() == null && i.name().equals(rename.name().name())
                        ? i.withName(rename.to())
                        : i)
            .toList();
    x.catalogs().redefineTable(x.transaction(), table.withIndexes(renamed));
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(
        switch (statement) {
          case Analyzed.CreateIndex create ->
              "create index on " + create.table() + " [catalog, rows of the table]";
          case Analyzed.DropIndex drop -> "drop index " + drop.name() + " [catalog]";
          case Analyzed.RenameIndex rename -> "rename index " + rename.name() + " [catalog]";
          default -> throw new IllegalStateException("no statement on indexes: " + statement);
        });
  }
}
