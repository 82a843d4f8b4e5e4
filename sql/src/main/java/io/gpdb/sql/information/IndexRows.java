package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** INDEXES and INDEX_COLUMNS of INFORMATION_SCHEMA: those of keys and those of CREATE INDEX. */
final class IndexRows {

  private IndexRows() {}

  static List<@Nullable Object[]> indexes(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keys()) {
        String kind = key.indexKind(table).name();
        rows.add(row(table, key.name(), kind, "YES", key.name()));
      }
      for (IndexDef index : table.indexes()) {
        boolean ofKey = index.key() != null;
        String unique = index.unique() || ofKey ? "YES" : "NO";
        String constraint = ofKey ? index.name() : null;
        rows.add(row(table, index.name(), index.kind().name(), unique, constraint));
      }
    }
    return rows;
  }

  private static @Nullable Object[] row(
      TableDef table, String name, String type, String unique, @Nullable String constraint) {
    return new @Nullable Object[] {table.schema(), table.name(), name, type, unique, constraint};
  }

  static List<@Nullable Object[]> columns(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keys()) {
        add(rows, table, key.name(), key.columns(), new boolean[key.columns().length]);
      }
      for (IndexDef index : table.indexes()) {
        add(rows, table, index.name(), index.columns(), index.descending());
      }
    }
    return rows;
  }

  private static void add(
      List<@Nullable Object[]> rows,
      TableDef table,
      String name,
      int[] columns,
      boolean[] descending) {
    for (int i = 0; i < columns.length; i++) {
      rows.add(
          new @Nullable Object[] {
            table.schema(),
            table.name(),
            name,
            table.column(columns[i]).name(),
            i + 1,
            descending[i] ? "DESC" : "ASC"
          });
    }
  }
}
