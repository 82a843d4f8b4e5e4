package io.gpdb.planner.definition;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Actions of ALTER TABLE on constraints: keys added, any constraint dropped or renamed. */
final class AlterKeys {
  private final AlteredTable altered;

  AlterKeys(AlteredTable altered) {
    this.altered = altered;
  }

  void add(AlterAction.AddKey add) {
    TableDef table = altered.table();
    int[] columns = altered.columns(add.columns());
    if (add.primary() && table.keyConstraints().stream().anyMatch(KeyDef::primary)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "table " + table.name() + " has a primary key already");
    }
    int count = table.keyConstraints().size();
    if (count >= SqlLimits.KEYS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "table %s has too many keys: keys=%d, limit=%d"
              .formatted(table.name(), count + 1, SqlLimits.KEYS_MAX));
    }
    int id = altered.newIndexId();
    KeyDef key = new KeyDef(name(add, columns), add.primary(), columns, id);
    List<ColumnDef> defined = new ArrayList<>(table.columns());
    if (add.primary()) {
      for (int c : columns) {
        new AlterColumns(altered).requireNotNull(c);
        defined.set(c, defined.get(c).withNullable(false));
      }
    }
    if (add.deferrability().isDeferrable()) {
      addDeferrable(table.withColumns(defined), IndexDef.ofKey(key, add.deferrability()));
      return;
    }
    List<KeyDef> keys = new ArrayList<>(table.keys());
    keys.add(key.primary() ? 0 : keys.size(), key);
    altered.addIndex(table.withColumns(defined).withKeys(keys), id);
  }

  private void addDeferrable(TableDef table, IndexDef key) {
    for (int column : key.columns()) {
      ChangeIndex.requireIndexable(key.kind(), table.column(column));
    }
    List<IndexDef> indexes = new ArrayList<>(table.indexes());
    indexes.add(key);
    altered.fence();
    altered.addIndex(table.withIndexes(indexes), key.indexId());
    altered.statements().validate(altered.execution(), altered.table(), key);
  }

  private String name(AlterAction.AddKey add, int[] columns) {
    String given = add.name();
    if (given != null) {
      requireFree(given);
      return given;
    }
    String first = KeyDef.nameOf(altered.table(), add.primary(), columns);
    String name = first;
    for (int n = 2; altered.table().hasConstraint(name); n++) {
      name = first + n;
    }
    return name;
  }

  private void requireFree(String name) {
    if (altered.table().hasConstraint(name)) {
      throw new GpdbException(
          SqlCondition.CONSTRAINT_EXISTS,
          "table " + altered.table().name() + " has a constraint named " + name + " already");
    }
  }

  void dropPrimary(boolean cascade) {
    for (KeyDef key : altered.table().keyConstraints()) {
      if (key.primary()) {
        drop(key, cascade);
        return;
      }
    }
    throw new GpdbException(
        SqlCondition.OBJECT_NOT_FOUND, "table " + altered.table().name() + " has no primary key");
  }

  void drop(AlterAction.DropConstraint drop) {
    TableDef table = altered.table();
    KeyDef key = table.key(drop.name());
    if (key != null) {
      drop(key, drop.cascade());
    } else if (table.hasConstraint(drop.name())) {
      altered.redefine(without(table, drop.name()));
    } else if (!drop.ifExists()) {
      throw missing(drop.name());
    }
  }

  private GpdbException missing(String name) {
    return new GpdbException(
        SqlCondition.OBJECT_NOT_FOUND,
        "table " + altered.table().name() + " has no constraint named " + name);
  }

  private void drop(KeyDef key, boolean cascade) {
    dropChildren(key, cascade);
    TableDef table = altered.table();
    altered.selectColumns(
        table
            .withKeys(table.keys().stream().filter(k -> k.indexId() != key.indexId()).toList())
            .withIndexes(
                table.indexes().stream().filter(i -> i.indexId() != key.indexId()).toList()),
        IntStream.range(0, table.columns().size()).toArray());
  }

  /** Foreign keys whose parent's key it is go with it, or keep it. */
  private void dropChildren(KeyDef key, boolean cascade) {
    for (TableDef other : List.copyOf(altered.catalog().tables())) {
      List<ForeignKeyDef> kept =
          other.foreignKeys().stream().filter(foreign -> !isParent(key, foreign)).toList();
      if (kept.size() == other.foreignKeys().size()) {
        continue;
      }
      if (!cascade) {
        throw new GpdbException(
            SqlCondition.OBJECT_IN_USE,
            "a foreign key of table "
                + other.name()
                + " refers to "
                + key.name()
                + "; CASCADE drops it too");
      }
      if (other.tableId() == altered.table().tableId()) {
        altered.redefine(altered.table().withForeignKeys(kept));
      } else {
        altered
            .execution()
            .catalogs()
            .redefineTable(altered.execution().transaction(), other.withForeignKeys(kept));
      }
    }
  }

  private boolean isParent(KeyDef key, ForeignKeyDef foreign) {
    Set<String> columns = new HashSet<>();
    Arrays.stream(key.columns()).forEach(c -> columns.add(altered.table().column(c).name()));
    return new TableReaders(altered).refersTo(foreign)
        && columns.equals(Set.copyOf(foreign.parentColumns()));
  }

  private static TableDef without(TableDef table, String name) {
    return table
        .withChecks(table.checks().stream().filter(c -> !c.name().equals(name)).toList())
        .withForeignKeys(table.foreignKeys().stream().filter(f -> !f.name().equals(name)).toList())
        .withColumns(
            table.columns().stream()
                .map(
                    column ->
                        name.equals(column.notNullName())
                            ? column.withNullable(true).withNotNullName(null)
                            : column)
                .toList());
  }

  void rename(AlterAction.RenameConstraint rename) {
    TableDef table = altered.table();
    String from = rename.name();
    String to = rename.to();
    if (!table.hasConstraint(from)) {
      throw missing(from);
    }
    if (from.equals(to)) {
      return;
    }
    requireFree(to);
    altered.redefine(
        table
            .withKeys(
                table.keys().stream()
                    .map(key -> key.name().equals(from) ? key.withName(to) : key)
                    .toList())
            .withIndexes(
                table.indexes().stream()
                    .map(
                        index ->
                            index.key() != null && index.name().equals(from)
                                ? index.withName(to)
                                : index)
                    .toList())
            .withChecks(
                table.checks().stream()
                    .map(check -> check.name().equals(from) ? check.withName(to) : check)
                    .toList())
            .withForeignKeys(
                table.foreignKeys().stream()
                    .map(foreign -> foreign.name().equals(from) ? foreign.withName(to) : foreign)
                    .toList())
            .withColumns(
                table.columns().stream()
                    .map(
                        column ->
                            Objects.equals(column.notNullName(), from)
                                ? column.withNotNullName(to)
                                : column)
                    .toList()));
  }
}
