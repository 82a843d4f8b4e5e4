package io.gpdb.sql.definition;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as the catalog knows it. Keys are listed primary first; each key and each index names its
 * index in the store.
 *
 * @param onCommit what becomes of a temporary table; null where the table is not temporary
 */
public record TableDef(
    int tableId,
    String schema,
    String name,
    List<ColumnDef> columns,
    List<KeyDef> keys,
    List<IndexDef> indexes,
    List<CheckDef> checks,
    List<ForeignKeyDef> foreignKeys,
    @Nullable String comment,
    @Nullable OnCommit onCommit,
    List<PrivilegeDef> privileges) {
  public TableDef {
    columns = List.copyOf(columns);
    keys = List.copyOf(keys);
    indexes = List.copyOf(indexes);
    checks = List.copyOf(checks);
    foreignKeys = List.copyOf(foreignKeys);
    privileges = List.copyOf(privileges);
  }

  /** A table of the schema PUBLIC with columns and keys alone. */
  public TableDef(int tableId, String name, List<ColumnDef> columns, List<KeyDef> keys) {
    this(
        tableId,
        SchemaNames.PUBLIC,
        name,
        columns,
        keys,
        List.of(),
        List.of(),
        List.of(),
        null,
        null,
        List.of());
  }

  /** Position of a column, or -1. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  public ColumnDef column(int index) {
    return columns.get(index);
  }

  /** Whether an identity column is numbered by that sequence. */
  public boolean hasSequence(int sequenceId) {
    return columns.stream()
        .map(ColumnDef::identity)
        .anyMatch(identity -> identity != null && identity.sequenceId() == sequenceId);
  }

  /** The key that a stored index holds, which is a constraint's or that of an index. */
  public KeyDef keyOf(int indexId) {
    for (KeyDef key : keys) {
      if (key.indexId() == indexId) {
        return key;
      }
    }
    for (IndexDef index : indexes) {
      if (index.indexId() == indexId) {
        return index.asKey();
      }
    }
    throw new IllegalStateException("table " + name + " has no index " + indexId);
  }

  /**
   * Whether a key or a unique index has the column, so that rows with new values of it may have
   * those of other rows.
   */
  public boolean isUnique(int column) {
    return keys.stream().anyMatch(key -> contains(key.columns(), column))
        || indexes.stream().anyMatch(index -> index.unique() && contains(index.columns(), column));
  }

  /** The index of CREATE INDEX that has that name; null where there is none. */
  public @Nullable IndexDef index(String index) {
    return indexes.stream()
        .filter(i -> i.key() == null && i.name().equals(index))
        .findFirst()
        .orElse(null);
  }

  /** The indexes of DEFERRABLE keys. */
  public List<IndexDef> deferrableKeys() {
    return indexes.stream().filter(index -> index.key() != null).toList();
  }

  /** All PRIMARY KEY and UNIQUE constraints, DEFERRABLE ones too; the primary key is the first. */
  public List<KeyDef> keyConstraints() {
    List<KeyDef> all = new ArrayList<>(keys);
    for (IndexDef index : deferrableKeys()) {
      KeyDef key = index.asKey();
      all.add(key.primary() ? 0 : all.size(), key);
    }
    return all;
  }

  /** The PRIMARY KEY or UNIQUE constraint of that name; null where there is none. */
  public @Nullable KeyDef key(String key) {
    return keyConstraints().stream().filter(k -> k.name().equals(key)).findFirst().orElse(null);
  }

  /** Whether a constraint of any kind has that name. */
  public boolean hasConstraint(String constraint) {
    return key(constraint) != null
        || checks.stream().anyMatch(check -> check.name().equals(constraint))
        || foreignKeys.stream().anyMatch(foreign -> foreign.name().equals(constraint))
        || columns.stream().anyMatch(column -> constraint.equals(column.notNullName()));
  }

  /** The same table with the indexes of keys and the others numbered from 0 on. */
  public TableDef withNumberedIndexes() {
    List<KeyDef> numberedKeys = new ArrayList<>();
    for (KeyDef key : keys) {
      numberedKeys.add(key.withIndexId(numberedKeys.size()));
    }
    List<IndexDef> numbered = new ArrayList<>();
    for (IndexDef index : indexes) {
      numbered.add(index.withIndexId(keys.size() + numbered.size()));
    }
    return withKeys(numberedKeys).withIndexes(numbered);
  }

  private static boolean contains(int[] columns, int column) {
    return Arrays.stream(columns).anyMatch(c -> c == column);
  }

  public TableDef withTableId(int id) {
    return new TableDef(
        id,
        schema,
        name,
        columns,
        keys,
        indexes,
        checks,
        foreignKeys,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withName(String otherSchema, String otherName) {
    return new TableDef(
        tableId,
        otherSchema,
        otherName,
        columns,
        keys,
        indexes,
        checks,
        foreignKeys,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withColumns(List<ColumnDef> others) {
    return new TableDef(
        tableId,
        schema,
        name,
        others,
        keys,
        indexes,
        checks,
        foreignKeys,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withKeys(List<KeyDef> others) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        others,
        indexes,
        checks,
        foreignKeys,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withIndexes(List<IndexDef> others) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        keys,
        others,
        checks,
        foreignKeys,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withChecks(List<CheckDef> others) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        keys,
        indexes,
        others,
        foreignKeys,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withForeignKeys(List<ForeignKeyDef> others) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        keys,
        indexes,
        checks,
        others,
        comment,
        onCommit,
        privileges);
  }

  public TableDef withComment(@Nullable String other) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        keys,
        indexes,
        checks,
        foreignKeys,
        other,
        onCommit,
        privileges);
  }

  public TableDef withOnCommit(@Nullable OnCommit other) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        keys,
        indexes,
        checks,
        foreignKeys,
        comment,
        other,
        privileges);
  }

  public TableDef withPrivileges(List<PrivilegeDef> others) {
    return new TableDef(
        tableId,
        schema,
        name,
        columns,
        keys,
        indexes,
        checks,
        foreignKeys,
        comment,
        onCommit,
        others);
  }

  public ObjectName fullName() {
    return new ObjectName(schema, name);
  }

  public boolean isTemporary() {
    return onCommit != null;
  }

  /** The table as the store keeps it, its indexes in the order of their ids. */
  public TableShape shape() {
    List<ColumnShape> stored = new ArrayList<>();
    for (ColumnDef column : columns) {
      stored.add(new ColumnShape(column.name(), column.type().element()));
    }
    List<IndexShape> shapes = new ArrayList<>();
    for (KeyDef key : keys) {
      shapes.add(new IndexShape(key.indexId(), key.indexKind(this), key.columns(), true));
    }
    for (IndexDef index : indexes) {
      shapes.add(
          new IndexShape(
              index.indexId(), index.kind(), index.columns(), index.descending(), index.unique()));
    }
    shapes.sort(Comparator.comparingInt(IndexShape::indexId));
    return new TableShape(stored, shapes);
  }
}
