package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.TableDef;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.impl.AbstractTable;
import org.jspecify.annotations.Nullable;

/**
 * A table as Calcite sees it: a stored table (with {@link #table()}) or a host table whose rows the
 * engine computes (with {@link #hostTable()}). In sources of UPDATE and DELETE it has the row id as
 * an additional last column {@link #ROW_ID}.
 */
public final class GpTable extends AbstractTable {
  /** Name of the hidden last column, a BIGINT. */
  public static final String ROW_ID = "_ROWID";

  private final String name;
  private final @Nullable TableDef table;
  private final @Nullable HostTable hostTable;
  private final boolean withRowId;
  private final RelDataType rowType;

  private GpTable(
      String name,
      @Nullable TableDef table,
      @Nullable HostTable hostTable,
      boolean withRowId,
      RelDataType rowType) {
    this.name = name;
    this.table = table;
    this.hostTable = hostTable;
    this.withRowId = withRowId;
    this.rowType = rowType;
  }

  static GpTable stored(TableDef table, boolean withRowId, RelDataType rowType) {
    return new GpTable(table.name(), table, null, withRowId, rowType);
  }

  static GpTable host(HostTable hostTable, RelDataType rowType) {
    return new GpTable(hostTable.name(), null, hostTable, false, rowType);
  }

  public String name() {
    return name;
  }

  /** The stored table; throws for a host table. */
  public TableDef table() {
    if (table == null) {
      throw new IllegalStateException(name + " is a host table");
    }
    return table;
  }

  public boolean isHostTable() {
    return hostTable != null;
  }

  /** The host table; throws for a stored table. */
  public HostTable hostTable() {
    if (hostTable == null) {
      throw new IllegalStateException(name + " is a stored table");
    }
    return hostTable;
  }

  /** Whether the last field is the row id. */
  public boolean hasRowId() {
    return withRowId;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return rowType;
  }
}
