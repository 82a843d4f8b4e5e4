package io.gpdb.jdbc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a table with columns, unique keys and indexes should be: values are texts, so that a column
 * of numbers that becomes one of strings stays as it is. Its first column is ID, the primary key.
 */
final class AlterationModel {
  /** A column; {@code type} is the name of its type. */
  record Column(String name, String type, boolean nullable, @Nullable String defaultValue) {
    boolean isText() {
      return type.startsWith("VARCHAR");
    }

    /** A value as SQL writes it. */
    String literal(@Nullable String value) {
      return value == null ? "NULL" : isText() ? "'" + value + "'" : value;
    }
  }

  /** A UNIQUE constraint or an index. */
  record Key(boolean constraint, boolean unique, List<String> columns) {}

  final List<Column> columns = new ArrayList<>();
  final Map<String, Key> keys = new LinkedHashMap<>();
  final TreeMap<Integer, Map<String, @Nullable String>> rows = new TreeMap<>();

  AlterationModel() {
    columns.add(new Column("ID", "INTEGER", false, null));
  }

  AlterationModel copy() {
    AlterationModel copy = new AlterationModel();
    copy.columns.clear();
    copy.columns.addAll(columns);
    copy.keys.putAll(keys);
    rows.forEach((id, row) -> copy.rows.put(id, new LinkedHashMap<>(row)));
    return copy;
  }

  List<Column> others() {
    return columns.subList(1, columns.size());
  }

  void replace(Column before, Column after) {
    columns.set(columns.indexOf(before), after);
  }

  /** Rows as text, by ID. */
  List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (Map<String, @Nullable String> row : rows.values()) {
      List<String> values = new ArrayList<>();
      columns.forEach(column -> values.add(String.valueOf(row.get(column.name))));
      texts.add(String.join("|", values));
    }
    return texts;
  }

  /** Whether two rows have one key; a key with a NULL is like no other. */
  boolean hasTwice(List<String> key) {
    Set<List<String>> seen = new HashSet<>();
    for (Map<String, @Nullable String> row : rows.values()) {
      List<String> values = new ArrayList<>();
      for (String column : key) {
        String value = row.get(column);
        if (value != null) {
          values.add(value);
        }
      }
      if (values.size() == key.size() && !seen.add(values)) {
        return true;
      }
    }
    return false;
  }

  /** The SQLSTATE of what the rows break; null where they break nothing. */
  @Nullable String broken() {
    for (Column column : columns) {
      if (!column.nullable && hasNull(column.name)) {
        return "23502";
      }
    }
    boolean twice = keys.values().stream().anyMatch(key -> key.unique && hasTwice(key.columns));
    return twice ? "23505" : null;
  }

  boolean hasNull(String column) {
    return rows.values().stream().anyMatch(row -> row.get(column) == null);
  }

  void add(Column column) {
    columns.add(column);
    rows.values().forEach(row -> row.put(column.name, column.defaultValue));
  }

  /** Takes a column away, and the keys that have it. */
  void drop(Column column) {
    columns.remove(column);
    keys.values().removeIf(key -> key.columns.contains(column.name));
    rows.values().forEach(row -> row.remove(column.name));
  }

  boolean isShared(String column) {
    return keys.values().stream()
        .anyMatch(key -> key.columns.size() > 1 && key.columns.contains(column));
  }

  void rename(Column column, String to) {
    replace(column, new Column(to, column.type, column.nullable, column.defaultValue));
    rows.values().forEach(row -> row.put(to, row.remove(column.name)));
    keys.replaceAll(
        (name, key) ->
            new Key(
                key.constraint,
                key.unique,
                key.columns.stream().map(c -> c.equals(column.name) ? to : c).toList()));
  }

  /** IDs of the rows with a value in a column. */
  List<String> idsWhere(String column, String value) {
    List<String> ids = new ArrayList<>();
    rows.forEach(
        (id, row) -> {
          if (Objects.equals(row.get(column), value)) {
            ids.add(String.valueOf(id));
          }
        });
    return ids;
  }
}
