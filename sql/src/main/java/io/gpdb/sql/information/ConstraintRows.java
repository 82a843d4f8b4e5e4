package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tables of INFORMATION_SCHEMA about constraints. */
final class ConstraintRows {

  private ConstraintRows() {}

  static List<@Nullable Object[]> constraints(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keyConstraints()) {
        constraint(row, table, key.name(), key.primary() ? "PRIMARY KEY" : "UNIQUE");
        for (IndexDef index : table.deferrableKeys()) {
          if (index.indexId() == key.indexId()) {
            deferrability(row, Objects.requireNonNull(index.key()).deferrability());
          }
        }
      }
      for (ForeignKeyDef key : table.foreignKeys()) {
        constraint(row, table, key.name(), "FOREIGN KEY");
        deferrability(row, Deferrability.of(key.deferrable(), key.deferred()));
      }
      for (CheckDef check : table.checks()) {
        constraint(row, table, check.name(), "CHECK");
        deferrability(row, check.deferrability());
      }
    }
    return rows;
  }

  private static void deferrability(HostRow row, Deferrability deferrability) {
    row.yes("IS_DEFERRABLE", deferrability.isDeferrable())
        .yes("INITIALLY_DEFERRED", deferrability.isDeferred());
  }

  private static void constraint(HostRow row, TableDef table, String name, String type) {
    row.begin()
        .name("CONSTRAINT", table.schema(), name)
        .name("TABLE", table.schema(), table.name())
        .put("CONSTRAINT_TYPE", type)
        .yes("IS_DEFERRABLE", false)
        .yes("INITIALLY_DEFERRED", false)
        .yes("ENFORCED", true);
  }

  static List<@Nullable Object[]> keyColumns(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keyConstraints()) {
        int[] columns = key.columns();
        for (int i = 0; i < columns.length; i++) {
          keyColumn(row, table, key.name(), columns[i], i);
        }
      }
      for (ForeignKeyDef key : table.foreignKeys()) {
        int[] columns = key.columns();
        int[] parent = parentPositions(key, catalog);
        for (int i = 0; i < columns.length; i++) {
          keyColumn(row, table, key.name(), columns[i], i)
              .put("POSITION_IN_UNIQUE_CONSTRAINT", parent[i] == 0 ? null : (Integer) parent[i]);
        }
      }
    }
    return rows;
  }

  private static HostRow keyColumn(
      HostRow row, TableDef table, String name, int column, int position) {
    return row.begin()
        .name("CONSTRAINT", table.schema(), name)
        .name("TABLE", table.schema(), table.name())
        .put("COLUMN_NAME", table.column(column).name())
        .put("ORDINAL_POSITION", position + 1);
  }

  /** Where the columns of a foreign key are in the key of its parent, from 1 on; 0: nowhere. */
  private static int[] parentPositions(ForeignKeyDef key, CatalogSnapshot catalog) {
    TableDef parent = catalog.table(new ObjectName(key.parentSchema(), key.parentTable()));
    KeyDef unique = parent == null ? null : parentKey(key, parent);
    int[] positions = new int[key.parentColumns().size()];
    if (parent != null && unique != null) {
      int[] columns = unique.columns();
      for (int i = 0; i < positions.length; i++) {
        int column = parent.indexOf(key.parentColumns().get(i));
        for (int k = 0; k < columns.length; k++) {
          positions[i] = columns[k] == column ? k + 1 : positions[i];
        }
      }
    }
    return positions;
  }

  /** The key of the parent that has the columns of the foreign key, in whatever order. */
  private static @Nullable KeyDef parentKey(ForeignKeyDef key, TableDef parent) {
    int[] wanted = key.parentColumns().stream().mapToInt(parent::indexOf).sorted().toArray();
    return parent.keys().stream()
        .filter(unique -> Arrays.equals(Arrays.stream(unique.columns()).sorted().toArray(), wanted))
        .findFirst()
        .orElse(null);
  }

  static List<@Nullable Object[]> references(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (TableDef table : catalog.visibleTables()) {
      for (ForeignKeyDef key : table.foreignKeys()) {
        TableDef parent = catalog.table(new ObjectName(key.parentSchema(), key.parentTable()));
        KeyDef unique = parent == null ? null : parentKey(key, parent);
        row.begin()
            .name("CONSTRAINT", table.schema(), key.name())
            .put("MATCH_OPTION", key.matchesFull() ? "FULL" : "NONE")
            .put("TABLE_NAME", table.name())
            .put("UPDATE_RULE", rule(key.onUpdate()))
            .put("DELETE_RULE", rule(key.onDelete()));
        if (unique != null) {
          row.name("UNIQUE_CONSTRAINT", Objects.requireNonNull(parent).schema(), unique.name());
        }
      }
    }
    return rows;
  }

  private static String rule(ForeignKeyDef.Action action) {
    return action.name().replace('_', ' ');
  }

  static List<@Nullable Object[]> checks(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (TableDef table : catalog.visibleTables()) {
      for (CheckDef check : table.checks()) {
        row.begin()
            .name("CONSTRAINT", table.schema(), check.name())
            .put("TABLE_NAME", table.name())
            .put("CHECK_CLAUSE", check.condition());
      }
    }
    for (DomainDef domain : catalog.domains()) {
      for (CheckDef check : DomainRows.checks(domain)) {
        row.begin()
            .name("CONSTRAINT", domain.fullName().schema(), check.name())
            .put("CHECK_CLAUSE", check.condition());
      }
    }
    return rows;
  }
}
