package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelProtoDataType;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.jspecify.annotations.Nullable;

/**
 * The names of one catalog snapshot as Calcite looks them up, built at first use: the schemas of
 * users and INFORMATION_SCHEMA, hidden schemas in which tables have their row id, and other
 * databases' names of types.
 */
public final class NameResolution {
  /** Schema in which the sources of UPDATE and DELETE find their target, if that is in PUBLIC. */
  private static final String ROWS_SCHEMA = "$ROWS";

  /** Names of types that Calcite lacks, with the types they mean. */
  public static final Map<String, SqlTypeSpec> TYPE_ALIASES =
      Map.ofEntries(
          Map.entry("TEXT", SqlTypeSpec.VARCHAR),
          Map.entry("TINYTEXT", SqlTypeSpec.VARCHAR),
          Map.entry("MEDIUMTEXT", SqlTypeSpec.VARCHAR),
          Map.entry("LONGTEXT", SqlTypeSpec.VARCHAR),
          Map.entry("NTEXT", SqlTypeSpec.VARCHAR),
          Map.entry("NVARCHAR", SqlTypeSpec.VARCHAR),
          Map.entry("LONGVARCHAR", SqlTypeSpec.VARCHAR),
          Map.entry("LONGNVARCHAR", SqlTypeSpec.VARCHAR),
          Map.entry("LONGVARBINARY", SqlTypeSpec.VARBINARY),
          Map.entry("TINYBLOB", SqlTypeSpec.BLOB),
          Map.entry("MEDIUMBLOB", SqlTypeSpec.BLOB),
          Map.entry("LONGBLOB", SqlTypeSpec.BLOB),
          Map.entry("IMAGE", SqlTypeSpec.BLOB),
          Map.entry("BIT", SqlTypeSpec.BOOLEAN),
          Map.entry("MEDIUMINT", SqlTypeSpec.INTEGER),
          Map.entry("NUMBER", SqlTypeSpec.decimal(SqlTypeSpec.NARROW_DIGITS_MAX, 0)),
          Map.entry("TIMESTAMPTZ", SqlTypeSpec.TIMESTAMP_TZ),
          Map.entry("DATETIMEOFFSET", SqlTypeSpec.TIMESTAMP_TZ),
          Map.entry("UNIQUEIDENTIFIER", SqlTypeSpec.UUID),
          Map.entry("DATETIME2", SqlTypeSpec.TIMESTAMP),
          Map.entry("SMALLDATETIME", SqlTypeSpec.TIMESTAMP),
          Map.entry("STRING", SqlTypeSpec.VARCHAR),
          Map.entry("DATETIME", SqlTypeSpec.TIMESTAMP),
          Map.entry("INT2", SqlTypeSpec.SMALLINT),
          Map.entry("INT4", SqlTypeSpec.INTEGER),
          Map.entry("INT8", SqlTypeSpec.BIGINT),
          Map.entry("FLOAT4", SqlTypeSpec.REAL),
          Map.entry("FLOAT8", SqlTypeSpec.DOUBLE),
          Map.entry("BOOL", SqlTypeSpec.BOOLEAN),
          Map.entry("BYTEA", SqlTypeSpec.VARBINARY),
          Map.entry("LONG", SqlTypeSpec.BIGINT));

  private final Collection<TableDef> tables;
  private final Collection<String> schemas;
  private final Map<SchemaPath, CalciteCatalogReader> readers = new ConcurrentHashMap<>();
  private volatile @Nullable CalciteSchema root;

  NameResolution(Collection<TableDef> tables, Collection<String> schemas) {
    this.tables = tables;
    this.schemas = schemas;
  }

  /** Looks names without a schema up by the path. */
  CalciteCatalogReader reader(SchemaPath path) {
    CalciteCatalogReader known = readers.get(path);
    return known != null ? known : readers.computeIfAbsent(path, p -> new Reader(root(p), p));
  }

  /** The name of the schema in which a schema's tables have their row ids. */
  public static String rowsSchema(String schema) {
    return schema.equals(SchemaNames.PUBLIC) ? ROWS_SCHEMA : ROWS_SCHEMA + "." + schema;
  }

  /** Whether tables have their row ids in a schema of that name. */
  public static boolean isRowsSchema(String name) {
    return name.startsWith(ROWS_SCHEMA);
  }

  /** The schema of a table, by the name of one in which it may have its row ids. */
  public static String schemaOfRows(String name) {
    if (name.equals(ROWS_SCHEMA)) {
      return SchemaNames.PUBLIC;
    }
    return isRowsSchema(name) ? name.substring(ROWS_SCHEMA.length() + 1) : name;
  }

  /** The path of a reader that was made here. */
  public static SchemaPath path(SqlValidatorCatalogReader reader) {
    Reader own = reader.unwrap(Reader.class);
    return own == null ? SchemaPath.PUBLIC : own.path;
  }

  private CalciteSchema root(SchemaPath path) {
    if (path.temporary() != null) {
      return build(path);
    }
    CalciteSchema known = root;
    if (known == null) {
      known = build(path);
      root = known;
    }
    return known;
  }

  private CalciteSchema build(SchemaPath path) {
    CalciteSchema built = CalciteSchema.createRootSchema(false, false);
    addSchema(built, SchemaNames.PUBLIC);
    schemas.forEach(schema -> addSchema(built, schema));
    for (TableDef table : tables) {
      if (table.isTemporary() && !table.schema().equals(path.temporary())) {
        continue;
      }
      SchemaPlus user = addSchema(built, table.schema());
      SchemaPlus rows = addSchema(built, rowsSchema(table.schema()));
      user.add(table.name(), GpTable.stored(table, false, rowType(table.columns(), false)));
      rows.add(table.name(), GpTable.stored(table, true, rowType(table.columns(), true)));
    }
    SchemaPlus information = addSchema(built, HostTables.SCHEMA);
    for (HostTable table : HostTables.ALL) {
      information.add(table.name(), GpTable.host(table, rowType(table.columns(), false)));
    }
    TYPE_ALIASES.forEach(
        (name, type) -> {
          RelProtoDataType proto = factory -> GpTypes.relType(factory, type, true);
          built.plus().add(name, proto);
        });
    return built;
  }

  /** The schema of that name, added where it is not there. */
  private static SchemaPlus addSchema(CalciteSchema root, String name) {
    CalciteSchema known = root.getSubSchema(name, true);
    return known != null ? known.plus() : root.plus().add(name, new AbstractSchema());
  }

  /** A reader of two schemas and the root, one after the other. */
  private static final class Reader extends CalciteCatalogReader {
    private final SchemaPath path;

    Reader(CalciteSchema root, SchemaPath path) {
      super(
          root,
          SqlNameMatchers.withCaseSensitive(true),
          paths(path),
          GpTypes.FACTORY,
          new CalciteConnectionConfigImpl(caseSensitive()));
      this.path = path;
    }

    private static List<List<String>> paths(SchemaPath path) {
      List<List<String>> paths = new ArrayList<>();
      String temporary = path.temporary();
      if (temporary != null) {
        paths.add(List.of(temporary));
      }
      paths.add(List.of(path.current()));
      paths.add(List.of());
      return paths;
    }

    private static Properties caseSensitive() {
      Properties properties = new Properties();
      properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
      return properties;
    }
  }

  private static RelDataType rowType(List<ColumnDef> columns, boolean withRowId) {
    List<RelDataType> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (ColumnDef column : columns) {
      names.add(column.name());
      types.add(GpTypes.relType(column.type(), column.nullable()));
    }
    if (withRowId) {
      names.add(GpTable.ROW_ID);
      types.add(GpTypes.relType(SqlTypeSpec.BIGINT, false));
    }
    return GpTypes.FACTORY.createStructType(types, names);
  }
}
