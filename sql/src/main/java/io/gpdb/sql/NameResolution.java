package io.gpdb.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractSchema;

/** The schemas PUBLIC and INFORMATION_SCHEMA of one catalog snapshot, built at first use. */
final class NameResolution {
  private final Collection<TableDef> tables;
  private final boolean withRowId;
  private volatile CalciteCatalogReader reader;

  @SuppressWarnings("NullAway.Init") // built by reader()
  NameResolution(Collection<TableDef> tables, boolean withRowId) {
    this.tables = tables;
    this.withRowId = withRowId;
  }

  @SuppressWarnings("DoubleCheckedLocking")
  CalciteCatalogReader reader() {
    CalciteCatalogReader current = reader;
    if (current == null) {
      synchronized (this) {
        current = reader;
        if (current == null) {
          current = build();
          reader = current;
        }
      }
    }
    return current;
  }

  private CalciteCatalogReader build() {
    CalciteSchema root = CalciteSchema.createRootSchema(false, false);
    SchemaPlus user = root.plus().add(InformationSchema.USER_SCHEMA, new AbstractSchema());
    for (TableDef table : tables) {
      RelDataType type = rowType(table.columns(), withRowId);
      user.add(table.name(), GpTable.stored(table, withRowId, type));
    }
    SchemaPlus information = root.plus().add(InformationSchema.SCHEMA, new AbstractSchema());
    for (HostTable table : InformationSchema.ALL) {
      information.add(table.name(), GpTable.host(table, rowType(table.columns(), false)));
    }
    Properties properties = new Properties();
    properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
    return new CalciteCatalogReader(
        root,
        List.of(InformationSchema.USER_SCHEMA),
        GpTypes.FACTORY,
        new CalciteConnectionConfigImpl(properties));
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
    RelDataTypeFactory factory = GpTypes.FACTORY;
    return factory.createStructType(types, names);
  }
}
