package io.gpdb.sql.information;

import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.SchemaNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of one host table, filled by the names of its columns; what is not put in is NULL. */
final class HostRow {
  private final HostTable table;
  private final Map<String, Integer> positions = new HashMap<>();
  private final List<@Nullable Object[]> rows;
  private @Nullable Object[] row = {};

  HostRow(HostTable table, List<@Nullable Object[]> rows) {
    this.table = table;
    this.rows = rows;
    for (int i = 0; i < table.columns().size(); i++) {
      positions.put(table.columns().get(i).name(), i);
    }
  }

  /** Begins another row. */
  HostRow begin() {
    row = new @Nullable Object[table.columns().size()];
    rows.add(row);
    return this;
  }

  HostRow put(String column, @Nullable Object value) {
    Integer position = positions.get(column);
    if (position == null) {
      throw new IllegalArgumentException(table.name() + " has no column " + column);
    }
    row[position] = value;
    return this;
  }

  /** The three columns that name an object, by what their names begin with. */
  HostRow name(String prefix, String schema, String name) {
    return put(prefix + "_CATALOG", SchemaNames.CATALOG)
        .put(prefix + "_SCHEMA", schema)
        .put(prefix + "_NAME", name);
  }

  HostRow yes(String column, boolean claim) {
    return put(column, claim ? "YES" : "NO");
  }
}
