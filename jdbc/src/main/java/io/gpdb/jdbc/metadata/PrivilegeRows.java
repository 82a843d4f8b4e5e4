package io.gpdb.jdbc.metadata;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.information.InformationSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Rows of the privileges on tables and columns, which are those of INFORMATION_SCHEMA. */
public final class PrivilegeRows {
  /** These tables tell nothing of the settings. */
  private static final InformationSchema.Settings NO_SETTINGS =
      new InformationSchema.Settings() {
        @Override
        public List<InformationSchema.Setting> settings() {
          return List.of();
        }

        @Override
        public List<InformationSchema.Statistic> statistics() {
          return List.of();
        }
      };

  private PrivilegeRows() {}

  /** Rows of tables whose schema and name match, in the order of table and privilege. */
  public static List<@Nullable Object[]> ofTables(
      CatalogSnapshot catalog,
      @Nullable String catalogName,
      @Nullable String schemaPattern,
      @Nullable String tablePattern) {
    NamePattern schema = new NamePattern(schemaPattern);
    NamePattern table = new NamePattern(tablePattern);
    return rows(
        catalog,
        catalogName,
        "TABLE_PRIVILEGES",
        List.of("GRANTOR", "GRANTEE", "PRIVILEGE_TYPE", "IS_GRANTABLE"),
        row -> schema.matches(text(row, 1)) && table.matches(text(row, 2)),
        Comparator.comparing(row -> text(row, 5)));
  }

  /** Rows of columns of that table whose name matches, in the order of column and privilege. */
  public static List<@Nullable Object[]> ofColumns(
      CatalogSnapshot catalog,
      @Nullable String catalogName,
      @Nullable String schema,
      @Nullable String table,
      @Nullable String columnPattern) {
    NamePattern column = new NamePattern(columnPattern);
    return rows(
        catalog,
        catalogName,
        "COLUMN_PRIVILEGES",
        List.of("COLUMN_NAME", "GRANTOR", "GRANTEE", "PRIVILEGE_TYPE", "IS_GRANTABLE"),
        row ->
            (schema == null || text(row, 1).equals(schema))
                && text(row, 2).equals(table)
                && column.matches(text(row, 3)),
        Comparator.<@Nullable Object[], String>comparing(row -> text(row, 3))
            .thenComparing(row -> text(row, 6)));
  }

  private static String text(@Nullable Object[] row, int column) {
    return String.valueOf(row[column]);
  }

  /** Rows of no catalog, the table's schema and name, and those columns behind them. */
  private static List<@Nullable Object[]> rows(
      CatalogSnapshot catalog,
      @Nullable String catalogName,
      String name,
      List<String> columns,
      Predicate<@Nullable Object[]> wanted,
      Comparator<@Nullable Object[]> order) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    if (catalogName != null && !catalogName.isEmpty()) {
      return rows;
    }
    HostTable table =
        HostTables.ALL.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    List<String> all = table.columns().stream().map(column -> column.name()).toList();
    for (@Nullable Object[] found : InformationSchema.rows(table, catalog, NO_SETTINGS)) {
      @Nullable Object[] row = new @Nullable Object[columns.size() + 3];
      row[1] = found[all.indexOf("TABLE_SCHEMA")];
      row[2] = found[all.indexOf("TABLE_NAME")];
      for (int i = 0; i < columns.size(); i++) {
        row[i + 3] = found[all.indexOf(columns.get(i))];
      }
      if (wanted.test(row)) {
        rows.add(row);
      }
    }
    rows.sort(
        Comparator.<@Nullable Object[], String>comparing(row -> text(row, 1))
            .thenComparing(row -> text(row, 2))
            .thenComparing(order));
    return rows;
  }
}
