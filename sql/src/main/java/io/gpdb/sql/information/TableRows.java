package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.SchemaDef;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of INFORMATION_SCHEMA about schemas, tables, columns and views. */
final class TableRows {

  private static final String CHARACTER_SET = "UTF8";
  private static final int UTF8_BYTES_MAX = 4;
  private static final int DECIMAL_RADIX = 10;
  private static final int BINARY_RADIX = 2;

  private TableRows() {}

  static List<@Nullable Object[]> schemas(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    schema(row, SchemaNames.INFORMATION_SCHEMA, null);
    for (String name : catalog.schemas()) {
      SchemaDef schema = catalog.schema(name);
      schema(row, name, schema == null ? null : schema.comment());
    }
    String temporary = catalog.path().temporary();
    if (temporary != null) {
      schema(row, temporary, null);
    }
    return rows;
  }

  private static void schema(HostRow row, String name, @Nullable String comment) {
    row.begin()
        .put("CATALOG_NAME", SchemaNames.CATALOG)
        .put("SCHEMA_NAME", name)
        .put("SCHEMA_OWNER", SchemaNames.USER)
        .put("DEFAULT_CHARACTER_SET_NAME", CHARACTER_SET)
        .put("REMARKS", comment);
  }

  static List<@Nullable Object[]> tables(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (HostTable table : HostTables.ALL) {
      described(row, table.schema(), table.name(), "SYSTEM VIEW", null);
    }
    for (TableDef table : catalog.visibleTables()) {
      OnCommit onCommit = table.onCommit();
      String type = onCommit == null ? "BASE TABLE" : "LOCAL TEMPORARY";
      described(row, table.schema(), table.name(), type, table.comment())
          .yes("IS_INSERTABLE_INTO", true)
          .put("COMMIT_ACTION", onCommit == null ? null : onCommit.words());
    }
    for (ViewDef view : catalog.views()) {
      described(row, view.schema(), view.name(), "VIEW", view.comment())
          .yes("IS_INSERTABLE_INTO", catalog.isUpdatable(view));
    }
    return rows;
  }

  private static HostRow described(
      HostRow row, String schema, String name, String type, @Nullable String comment) {
    return row.begin()
        .name("TABLE", schema, name)
        .put("TABLE_TYPE", type)
        .yes("IS_INSERTABLE_INTO", false)
        .yes("IS_TYPED", false)
        .put("REMARKS", comment);
  }

  static List<@Nullable Object[]> views(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (ViewDef view : catalog.views()) {
      row.begin()
          .name("TABLE", view.schema(), view.name())
          .put("VIEW_DEFINITION", view.query())
          .put("CHECK_OPTION", view.checkOption().name())
          .yes("IS_UPDATABLE", catalog.isUpdatable(view))
          .yes("INSERTABLE_INTO", catalog.isUpdatable(view))
          .yes("IS_TRIGGER_UPDATABLE", false)
          .yes("IS_TRIGGER_DELETABLE", false)
          .yes("IS_TRIGGER_INSERTABLE_INTO", false)
          .put("REMARKS", view.comment());
    }
    return rows;
  }

  static List<@Nullable Object[]> columns(HostTable of, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(of, rows);
    for (HostTable table : HostTables.ALL) {
      columns(row, catalog, table.schema(), table.name(), table.columns(), false);
    }
    for (TableDef table : catalog.visibleTables()) {
      columns(row, catalog, table.schema(), table.name(), table.columns(), true);
    }
    for (ViewDef view : catalog.views()) {
      columns(row, catalog, view.schema(), view.name(), view.columns(), catalog.isUpdatable(view));
    }
    return rows;
  }

  private static void columns(
      HostRow row,
      CatalogSnapshot catalog,
      String schema,
      String table,
      List<ColumnDef> columns,
      boolean updatable) {
    int position = 0;
    for (ColumnDef column : columns) {
      row.begin()
          .name("TABLE", schema, table)
          .put("COLUMN_NAME", column.name())
          .put("ORDINAL_POSITION", ++position)
          .put("COLUMN_DEFAULT", column.defaultSql())
          .yes("IS_NULLABLE", column.nullable())
          .put("DTD_IDENTIFIER", Integer.toString(position))
          .yes("IS_SELF_REFERENCING", false)
          .put("IS_GENERATED", column.generatedSql() == null ? "NEVER" : "ALWAYS")
          .put("GENERATION_EXPRESSION", column.generatedSql())
          .yes("IS_UPDATABLE", updatable && column.generatedSql() == null)
          .put("REMARKS", column.comment());
      type(row, column.type());
      ObjectName domain = column.domain();
      if (domain != null) {
        row.name(catalog.isDistinct(domain) ? "UDT" : "DOMAIN", domain.schema(), domain.name());
      }
      identity(row, catalog, column.identity());
    }
  }

  static void type(HostRow row, SqlTypeSpec type) {
    SqlTypeSpec.Kind kind = type.kind();
    row.put("DATA_TYPE", type.name())
        .put("NUMERIC_PRECISION", numericPrecision(type))
        .put("NUMERIC_PRECISION_RADIX", radix(type))
        .put("NUMERIC_SCALE", kind.isDecimal() ? (Integer) type.scale() : exactScale(kind));
    boolean sized = kind.isCharacter() || kind == SqlTypeSpec.Kind.VARBINARY;
    if (sized && type.precision() != SqlTypeSpec.UNBOUNDED) {
      long length = type.precision();
      row.put("CHARACTER_MAXIMUM_LENGTH", length)
          .put("CHARACTER_OCTET_LENGTH", kind.isCharacter() ? length * UTF8_BYTES_MAX : length);
    }
    if (kind.isCharacter()) {
      row.put("CHARACTER_SET_NAME", CHARACTER_SET);
    }
    if (kind.isClock()) {
      row.put("DATETIME_PRECISION", type.precision());
    } else if (kind.isInterval()) {
      IntervalType interval = IntervalType.of(type);
      row.put("DATA_TYPE", "INTERVAL")
          .put("INTERVAL_TYPE", interval.qualifierText())
          .put("INTERVAL_PRECISION", interval.leading())
          .put("DATETIME_PRECISION", interval.fraction());
    } else if (kind == SqlTypeSpec.Kind.DATE) {
      row.put("DATETIME_PRECISION", 0);
    }
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
      case BOOLEAN,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          CHAR,
          VARCHAR,
          VARBINARY,
          UUID ->
          null;
    };
  }

  private static @Nullable Integer radix(SqlTypeSpec type) {
    if (numericPrecision(type) == null) {
      return null;
    }
    boolean floating =
        type.kind() == SqlTypeSpec.Kind.REAL || type.kind() == SqlTypeSpec.Kind.DOUBLE;
    return floating ? BINARY_RADIX : DECIMAL_RADIX;
  }

  private static @Nullable Integer exactScale(SqlTypeSpec.Kind kind) {
    return kind.isExact() ? Integer.valueOf(0) : null;
  }

  private static void identity(
      HostRow row, CatalogSnapshot catalog, @Nullable IdentityDef identity) {
    row.yes("IS_IDENTITY", identity != null);
    if (identity == null) {
      return;
    }
    SequenceDef sequence = catalog.sequence(identity);
    row.put("IDENTITY_GENERATION", identity.always() ? "ALWAYS" : "BY DEFAULT")
        .put("IDENTITY_START", sequence.start())
        .put("IDENTITY_INCREMENT", sequence.increment())
        .put("IDENTITY_MAXIMUM", sequence.maximum())
        .put("IDENTITY_MINIMUM", sequence.minimum())
        .yes("IDENTITY_CYCLE", sequence.cycles())
        .put("IDENTITY_CACHE", (long) sequence.cache());
  }
}
