package io.gpdb.sql.catalog;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelProtoDataType;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.jspecify.annotations.Nullable;

/**
 * The names of one catalog snapshot as Calcite looks them up, built at first use: the schemas
 * PUBLIC and INFORMATION_SCHEMA, a hidden schema in which tables have their row id, and other
 * databases' names of types.
 */
public final class NameResolution {
  /** Schema in which the sources of UPDATE and DELETE find their target. */
  public static final String ROWS_SCHEMA = "$ROWS";

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
  private volatile @Nullable CalciteCatalogReader reader;

  NameResolution(Collection<TableDef> tables) {
    this.tables = tables;
  }

  public CalciteCatalogReader reader() {
    CalciteCatalogReader current = reader;
    return current == null ? build() : current;
  }

  private synchronized CalciteCatalogReader build() {
    CalciteCatalogReader current = reader;
    if (current != null) {
      return current;
    }
    CalciteSchema root = CalciteSchema.createRootSchema(false, false);
    SchemaPlus user = root.plus().add(InformationSchema.USER_SCHEMA, new AbstractSchema());
    SchemaPlus rows = root.plus().add(ROWS_SCHEMA, new AbstractSchema());
    for (TableDef table : tables) {
      user.add(table.name(), GpTable.stored(table, false, rowType(table.columns(), false)));
      rows.add(table.name(), GpTable.stored(table, true, rowType(table.columns(), true)));
    }
    SchemaPlus information = root.plus().add(InformationSchema.SCHEMA, new AbstractSchema());
    for (HostTable table : InformationSchema.ALL) {
      information.add(table.name(), GpTable.host(table, rowType(table.columns(), false)));
    }
    TYPE_ALIASES.forEach(
        (name, type) -> {
          RelProtoDataType proto = factory -> GpTypes.relType(factory, type, true);
          root.plus().add(name, proto);
        });
    Properties properties = new Properties();
    properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
    CalciteCatalogReader built =
        new CalciteCatalogReader(
            root,
            List.of(InformationSchema.USER_SCHEMA),
            GpTypes.FACTORY,
            new CalciteConnectionConfigImpl(properties));
    reader = built;
    return built;
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
