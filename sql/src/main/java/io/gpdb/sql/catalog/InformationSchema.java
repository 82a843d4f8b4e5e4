package io.gpdb.sql.catalog;

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

  /** Name of the schema of user tables. */
  public static final String USER_SCHEMA = SchemaNames.PUBLIC;

  public static final HostTable TABLES =
      table("TABLES", text("TABLE_SCHEMA"), text("TABLE_NAME"), text("TABLE_TYPE"));

  public static final HostTable COLUMNS =
      table(
          "COLUMNS",
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          number("ORDINAL_POSITION"),
          optional("COLUMN_DEFAULT", VARCHAR),
          text("IS_NULLABLE"),
          text("DATA_TYPE"),
          optional("CHARACTER_MAXIMUM_LENGTH", BIGINT),
          optional("NUMERIC_PRECISION", INTEGER),
          optional("NUMERIC_SCALE", INTEGER),
          optional("DATETIME_PRECISION", INTEGER),
          text("IS_IDENTITY"),
          optional("IDENTITY_GENERATION", VARCHAR),
          optional("IDENTITY_START", BIGINT),
          optional("IDENTITY_INCREMENT", BIGINT),
          optional("IDENTITY_MAXIMUM", BIGINT),
          optional("IDENTITY_MINIMUM", BIGINT),
          optional("IDENTITY_CYCLE", VARCHAR),
          optional("IDENTITY_CACHE", BIGINT),
          text("IS_GENERATED"),
          optional("GENERATION_EXPRESSION", VARCHAR));

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

  public static final HostTable TABLE_CONSTRAINTS =
      table(
          "TABLE_CONSTRAINTS",
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("CONSTRAINT_TYPE"));

  public static final HostTable KEY_COLUMN_USAGE =
      table(
          "KEY_COLUMN_USAGE",
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          number("ORDINAL_POSITION"));

  public static final HostTable VIEWS =
      table(
          "VIEWS",
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("VIEW_DEFINITION"),
          text("CHECK_OPTION"),
          text("IS_UPDATABLE"));

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
          TABLES,
          COLUMNS,
          TABLE_CONSTRAINTS,
          KEY_COLUMN_USAGE,
          IndexRows.INDEXES,
          IndexRows.INDEX_COLUMNS,
          VIEWS,
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
      case "TABLES" -> tables(catalog);
      case "COLUMNS" -> columns(catalog);
      case "TABLE_CONSTRAINTS" -> constraints(catalog);
      case "KEY_COLUMN_USAGE" -> keyColumns(catalog);
      case "INDEXES" -> IndexRows.indexes(catalog);
      case "INDEX_COLUMNS" -> IndexRows.columns(catalog);
      case "VIEWS" -> views(catalog);
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

  private static List<@Nullable Object[]> tables(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (HostTable table : ALL) {
      rows.add(new @Nullable Object[] {SCHEMA, table.name(), "SYSTEM VIEW"});
    }
    for (TableDef table : catalog.visibleTables()) {
      rows.add(
          new @Nullable Object[] {
            table.schema(), table.name(), table.isTemporary() ? "LOCAL TEMPORARY" : "BASE TABLE"
          });
    }
    for (ViewDef view : catalog.views()) {
      rows.add(new @Nullable Object[] {view.schema(), view.name(), "VIEW"});
    }
    return rows;
  }

  private static List<@Nullable Object[]> views(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (ViewDef view : catalog.views()) {
      rows.add(new @Nullable Object[] {view.schema(), view.name(), view.query(), "NONE", "NO"});
    }
    return rows;
  }

  private static List<@Nullable Object[]> columns(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (HostTable table : ALL) {
      addColumns(rows, catalog, SCHEMA, table.name(), table.columns());
    }
    for (TableDef table : catalog.visibleTables()) {
      addColumns(rows, catalog, table.schema(), table.name(), table.columns());
    }
    for (ViewDef view : catalog.views()) {
      addColumns(rows, catalog, view.schema(), view.name(), view.columns());
    }
    return rows;
  }

  private static void addColumns(
      List<@Nullable Object[]> rows,
      CatalogSnapshot catalog,
      String schema,
      String table,
      List<ColumnDef> columns) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnDef column = columns.get(i);
      SqlTypeSpec type = column.type();
      SqlTypeSpec.Kind kind = type.kind();
      IdentityDef identity = column.identity();
      SequenceDef sequence = identity == null ? null : catalog.sequence(identity);
      boolean bounded =
          (kind.isCharacter() || kind == SqlTypeSpec.Kind.VARBINARY)
              && type.precision() != SqlTypeSpec.UNBOUNDED;
      rows.add(
          new @Nullable Object[] {
            schema,
            table,
            column.name(),
            i + 1,
            column.defaultSql(),
            column.nullable() ? "YES" : "NO",
            type.name(),
            bounded ? (Long) (long) type.precision() : null,
            numericPrecision(type),
            kind.isDecimal() ? (Integer) type.scale() : exactScale(kind),
            kind == SqlTypeSpec.Kind.TIME || kind == SqlTypeSpec.Kind.TIMESTAMP
                ? (Integer) type.precision()
                : null,
            identity == null ? "NO" : "YES",
            identity == null ? null : identity.always() ? "ALWAYS" : "BY DEFAULT",
            sequence == null ? null : (Long) sequence.start(),
            sequence == null ? null : (Long) sequence.increment(),
            sequence == null ? null : (Long) sequence.maximum(),
            sequence == null ? null : (Long) sequence.minimum(),
            sequence == null ? null : sequence.cycles() ? "YES" : "NO",
            sequence == null ? null : (Long) (long) sequence.cache(),
            column.generatedSql() == null ? "NEVER" : "ALWAYS",
            column.generatedSql()
          });
    }
  }

  private static @Nullable Integer exactScale(SqlTypeSpec.Kind kind) {
    return kind.isExact() ? Integer.valueOf(0) : null;
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
      case BOOLEAN, DATE, TIME, TIMESTAMP, CHAR, VARCHAR, VARBINARY, UUID -> null;
    };
  }

  private static List<@Nullable Object[]> constraints(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keys()) {
        rows.add(
            new @Nullable Object[] {
              table.schema(),
              key.name(),
              table.schema(),
              table.name(),
              key.primary() ? "PRIMARY KEY" : "UNIQUE"
            });
      }
    }
    return rows;
  }

  private static List<@Nullable Object[]> keyColumns(CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      for (KeyDef key : table.keys()) {
        int[] columns = key.columns();
        for (int i = 0; i < columns.length; i++) {
          rows.add(
              new @Nullable Object[] {
                table.schema(),
                key.name(),
                table.schema(),
                table.name(),
                table.column(columns[i]).name(),
                i + 1
              });
        }
      }
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

  private static HostTable table(String name, ColumnDef... columns) {
    return new HostTable(SCHEMA, name, List.of(columns));
  }

  private static ColumnDef text(String name) {
    return new ColumnDef(name, VARCHAR, false, null);
  }

  private static ColumnDef number(String name) {
    return new ColumnDef(name, INTEGER, false, null);
  }

  private static ColumnDef big(String name) {
    return new ColumnDef(name, BIGINT, false, null);
  }

  private static ColumnDef optional(String name, SqlTypeSpec type) {
    return new ColumnDef(name, type, true, null);
  }
}
