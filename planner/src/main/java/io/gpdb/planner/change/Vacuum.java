package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;

/** VACUUM: rewrites tables without what deleted rows, unused strings and old keys left. */
public final class Vacuum implements Change {
  private final Catalog catalog;
  private final List<TableDef> tables;

  public Vacuum(Catalog catalog, List<TableDef> tables) {
    this.catalog = catalog;
    this.tables = tables;
  }

  @Override
  public long apply(Execution x) {
    for (TableDef table : tables) {
      catalog.rewriteTable(x.transaction(), table);
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    List<String> lines = new ArrayList<>();
    for (TableDef table : tables) {
      lines.add("rewrite the live rows of " + table.name() + " [host, tablet by tablet]");
    }
    return lines;
  }
}
