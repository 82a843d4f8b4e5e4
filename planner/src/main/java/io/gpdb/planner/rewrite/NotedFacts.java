package io.gpdb.planner.rewrite;

import io.gpdb.sql.definition.TableDef;
import java.util.HashMap;
import java.util.Map;

/** Facts of which is remembered how many rows they said that tables have. For one plan. */
public final class NotedFacts implements TableFacts {
  private final TableFacts facts;
  private final Map<TableDef, Double> rows = new HashMap<>();

  public NotedFacts(TableFacts facts) {
    this.facts = facts;
  }

  @Override
  public double rows(TableDef table) {
    return rows.computeIfAbsent(table, facts::rows);
  }

  @Override
  public double distinct(TableDef table, int column) {
    return facts.distinct(table, column);
  }

  @Override
  public ColumnFacts column(TableDef table, int column) {
    return facts.column(table, column);
  }

  /** The rows of each table that was asked about. */
  public Map<TableDef, Double> rowsAskedFor() {
    return Map.copyOf(rows);
  }
}
