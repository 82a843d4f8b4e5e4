package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.statistics.TableSummary;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.TableDef;
import java.util.ArrayList;
import java.util.List;

/**
 * ANALYZE: stores with each table's definition what its columns hold. All tables are read before
 * the catalog is changed, so that other changes of it do not wait for the reading.
 */
public record Analyze(Catalog catalog, List<TableDef> tables) implements Change {
  @Override
  public long apply(Execution x) {
    List<TableDef> described = new ArrayList<>();
    for (TableDef table : tables) {
      described.add(TableSummary.of(table, x));
    }
    described.forEach(table -> catalog.redefineTable(x.transaction(), table));
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return tables.stream()
        .map(table -> "read the columns of " + table.name() + " [host, tablet by tablet]")
        .toList();
  }
}
