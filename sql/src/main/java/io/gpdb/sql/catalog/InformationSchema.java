package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.HostColumns.big;
import static io.gpdb.sql.catalog.HostColumns.number;
import static io.gpdb.sql.catalog.HostColumns.optional;
import static io.gpdb.sql.catalog.HostColumns.table;
import static io.gpdb.sql.catalog.HostColumns.text;
import static io.gpdb.sql.type.SqlTypeSpec.BIGINT;
import static io.gpdb.sql.type.SqlTypeSpec.INTEGER;
import static io.gpdb.sql.type.SqlTypeSpec.VARCHAR;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of INFORMATION_SCHEMA and their rows, computed from a snapshot of the catalog. */
public final class InformationSchema {
  /** Name of the schema of the catalog's views. */
  public static final String SCHEMA = "INFORMATION_SCHEMA";

  public static final HostTable SEQUENCES =
      table(
          "SEQUENCES",
          optional("SEQUENCE_CATALOG", VARCHAR),
          text("SEQUENCE_SCHEMA"),
          text("SEQUENCE_NAME"),
          text("DATA_TYPE"),
          optional("NUMERIC_PRECISION", INTEGER),
          number("NUMERIC_PRECISION_RADIX"),
          number("NUMERIC_SCALE"),
          big("START_VALUE"),
          big("MINIMUM_VALUE"),
          big("MAXIMUM_VALUE"),
          big("INCREMENT"),
          text("CYCLE_OPTION"),
          big("CACHE"));

  /** The one catalog that there is. */
  private static final HostTable CATALOG_NAME =
      table("INFORMATION_SCHEMA_CATALOG_NAME", text("CATALOG_NAME"));

  public static final HostTable SETTINGS =
      table("GPDB_SETTINGS", text("NAME"), text("SETTING"), text("DESCRIPTION"));

  public static final HostTable STATISTICS =
      table(
          "GPDB_STATISTICS",
          text("STATISTIC_NAME"),
          new ColumnDef("STATISTIC_VALUE", BIGINT, false, null));

  /** All host tables. */
  public static final List<HostTable> ALL =
      List.of(
          CATALOG_NAME,
          TableRows.SCHEMATA,
          TableRows.TABLES,
          TableRows.COLUMNS,
          TableRows.VIEWS,
          ConstraintRows.TABLE_CONSTRAINTS,
          ConstraintRows.KEY_COLUMN_USAGE,
          ConstraintRows.REFERENTIAL_CONSTRAINTS,
          ConstraintRows.CHECK_CONSTRAINTS,
          IndexRows.INDEXES,
          IndexRows.INDEX_COLUMNS,
          SEQUENCES,
          SETTINGS,
          STATISTICS);

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
      case "SCHEMATA" -> TableRows.schemas(catalog);
      case "TABLES" -> TableRows.tables(catalog);
      case "COLUMNS" -> TableRows.columns(catalog);
      case "TABLE_CONSTRAINTS" -> ConstraintRows.constraints(catalog);
      case "KEY_COLUMN_USAGE" -> ConstraintRows.keyColumns(catalog);
      case "REFERENTIAL_CONSTRAINTS" -> ConstraintRows.references(catalog);
      case "CHECK_CONSTRAINTS" -> ConstraintRows.checks(catalog);
      case "INDEXES" -> IndexRows.indexes(catalog);
      case "INDEX_COLUMNS" -> IndexRows.columns(catalog);
      case "VIEWS" -> TableRows.views(catalog);
      case "SEQUENCES" -> SequenceRows.of(catalog);
      case "GPDB_SETTINGS" -> settingRows(settings);
      case "GPDB_STATISTICS" -> statisticRows(settings);
      default -> throw new IllegalArgumentException(table.name());
    };
  }

  private static List<@Nullable Object[]> statisticRows(Settings settings) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Statistic statistic : settings.statistics()) {
      rows.add(new @Nullable Object[] {statistic.name(), statistic.value()});
    }
    return rows;
  }

  /** Decimal digits of an exact type, binary digits of a floating one. */
  static @Nullable Integer numericPrecision(SqlTypeSpec type) {
    return switch (type.kind()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case REAL -> 24;
      case DOUBLE -> 53;
      case DECIMAL, WIDE_DECIMAL -> type.precision();
      case BOOLEAN, DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, CHAR, VARCHAR, VARBINARY, UUID -> null;
    };
  }

  private static List<@Nullable Object[]> settingRows(Settings settings) {
    Map<String, @Nullable Object[]> rows = new LinkedHashMap<>();
    for (Setting s : settings.settings()) {
      rows.put(s.name(), new @Nullable Object[] {s.name(), s.value(), s.description()});
    }
    return List.copyOf(rows.values());
  }
}
