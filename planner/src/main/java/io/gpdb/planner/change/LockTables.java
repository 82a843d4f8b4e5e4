package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.TableDef;
import java.util.List;
import java.util.stream.Collectors;

/**
 * LOCK TABLE: nobody else may write to the tables until the transaction has ended. A weaker mode,
 * which others may hold besides, is what every writer has, and takes nothing.
 */
public final class LockTables implements Change {
  private final List<TableDef> tables;
  private final boolean alone;

  public LockTables(List<TableDef> tables, boolean alone) {
    this.tables = tables;
    this.alone = alone;
  }

  @Override
  public long apply(Execution x) {
    for (TableDef table : tables) {
      if (alone) {
        x.transaction().lockTable(table.tableId());
      }
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("lock " + tables.stream().map(TableDef::name).collect(Collectors.joining(", ")));
  }
}
