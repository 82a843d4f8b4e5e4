package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.TableDef;
import java.util.List;

/** VACUUM: rewrites tables without what deleted rows, unused strings and old keys left. */
public record Vacuum(Catalog catalog, List<TableDef> tables) implements Change {
  @Override
  public long apply(Execution x) {
    for (TableDef table : tables) {
      catalog.rewriteTable(x.transaction(), table);
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return tables.stream()
        .map(table -> "rewrite the live rows of " + table.name() + " [host, tablet by tablet]")
        .toList();
  }
}
