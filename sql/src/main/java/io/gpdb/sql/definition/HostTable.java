package io.gpdb.sql.definition;

import java.util.List;

/** A table of INFORMATION_SCHEMA: its columns are fixed, its rows are computed when it is read. */
public record HostTable(String schema, String name, List<ColumnDef> columns) {
  public HostTable {
    columns = List.copyOf(columns);
  }
}
