package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.SchemaNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of INFORMATION_SCHEMA and their rows, computed from a snapshot of the catalog. */
public final class InformationSchema {

  private InformationSchema() {}

  /** A row of GPDB_SETTINGS. */
  public record Setting(String name, String value, String description) {}

  /** A row of GPDB_STATISTICS. */
  public record Statistic(String name, long value) {}

  /** What the open database is, how it is set, and what it has counted since it was opened. */
  public interface Settings {
    List<Setting> settings();

    List<Statistic> statistics();
  }

  /**
   * The rows of a host table, each value a String, Integer, Long or null as its column's type says.
   */
  public static List<@Nullable Object[]> rows(
      HostTable table, CatalogSnapshot catalog, Settings settings) {
    return switch (table.name()) {
      case "INFORMATION_SCHEMA_CATALOG_NAME" ->
          List.<@Nullable Object[]>of(new @Nullable Object[] {SchemaNames.CATALOG});
      case "SCHEMATA" -> TableRows.schemas(table, catalog);
      case "TABLES" -> TableRows.tables(table, catalog);
      case "COLUMNS" -> TableRows.columns(table, catalog);
      case "TABLE_CONSTRAINTS" -> ConstraintRows.constraints(table, catalog);
      case "KEY_COLUMN_USAGE" -> ConstraintRows.keyColumns(table, catalog);
      case "REFERENTIAL_CONSTRAINTS" -> ConstraintRows.references(table, catalog);
      case "CHECK_CONSTRAINTS" -> ConstraintRows.checks(table, catalog);
      case "DOMAINS" -> DomainRows.domains(table, catalog);
      case "DOMAIN_CONSTRAINTS" -> DomainRows.constraints(table, catalog);
      case "USER_DEFINED_TYPES" -> DomainRows.types(table, catalog);
      case "INDEXES" -> IndexRows.indexes(catalog);
      case "INDEX_COLUMNS" -> IndexRows.columns(catalog);
      case "COLUMN_STATISTICS" -> StatisticsRows.of(catalog);
      case "VIEWS" -> TableRows.views(table, catalog);
      case "SEQUENCES" -> SequenceRows.of(catalog);
      case "GPDB_SETTINGS" -> settingRows(settings);
      case "GPDB_STATISTICS" -> statisticRows(settings);
      case "CONSTRAINT_TABLE_USAGE",
          "CONSTRAINT_COLUMN_USAGE",
          "TABLE_PRIVILEGES",
          "COLUMN_PRIVILEGES",
          "USAGE_PRIVILEGES",
          "APPLICABLE_ROLES" ->
          UsageRows.of(table, catalog);
      case "ROLE_TABLE_GRANTS" -> UsageRows.toRoles(table, "TABLE_PRIVILEGES", catalog);
      case "ROLE_COLUMN_GRANTS" -> UsageRows.toRoles(table, "COLUMN_PRIVILEGES", catalog);
      case "ROLE_USAGE_GRANTS" -> UsageRows.toRoles(table, "USAGE_PRIVILEGES", catalog);
      case "ROLE_ROUTINE_GRANTS" ->
          UsageRows.toRoles(table, RoutineRows.of(table, catalog), catalog);
      case "COLUMN_DOMAIN_USAGE" -> DomainRows.columns(table, catalog);
      case "ROUTINES",
          "PARAMETERS",
          "ROUTINE_PRIVILEGES",
          "ROUTINE_TABLE_USAGE",
          "ROUTINE_ROUTINE_USAGE",
          "VIEW_ROUTINE_USAGE" ->
          RoutineRows.of(table, catalog);
      case "SQL_FEATURES",
          "SQL_SIZING",
          "SQL_IMPLEMENTATION_INFO",
          "CHARACTER_SETS",
          "VIEW_TABLE_USAGE" ->
          StandardRows.of(table, catalog);
      default -> {
        if (!HostTables.EMPTY.contains(table)) {
          throw new IllegalArgumentException(table.name());
        }
        yield List.of();
      }
    };
  }

  private static List<@Nullable Object[]> statisticRows(Settings settings) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Statistic statistic : settings.statistics()) {
      rows.add(new @Nullable Object[] {statistic.name(), statistic.value()});
    }
    return rows;
  }

  private static List<@Nullable Object[]> settingRows(Settings settings) {
    Map<String, @Nullable Object[]> rows = new LinkedHashMap<>();
    for (Setting s : settings.settings()) {
      rows.put(s.name(), new @Nullable Object[] {s.name(), s.value(), s.description()});
    }
    return List.copyOf(rows.values());
  }
}
