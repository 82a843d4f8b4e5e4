package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.run.table.ChosenSource;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.tree.HiddenQueries;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/** A plan that leaves its kernels to the host in executions where its tables have few rows. */
final class PlacedSource extends ChosenSource {
  private final Source source;
  private final Set<TableDef> tables;
  private final long hostRows;

  /**
   * @param tables all that the plan reads
   * @param hostRows how many rows they may have together
   */
  private PlacedSource(Source source, Set<TableDef> tables, long hostRows) {
    super(source.columns());
    this.source = source;
    this.tables = tables;
    this.hostRows = hostRows;
  }

  /** The source with its kernels placed; the source itself where the device leaves none. */
  static Source of(Source source, RelNode tree, long hostRows) {
    return hostRows == 0 ? source : new PlacedSource(source, tables(tree), hostRows);
  }

  private static Set<TableDef> tables(RelNode tree) {
    Set<TableDef> tables = new LinkedHashSet<>();
    HiddenQueries.scans(tree)
        .forEach(
            scan -> {
              GpTable table = scan.getTable().unwrap(GpTable.class);
              if (table != null && !table.isHostTable()) {
                tables.add(table.table());
              }
            });
    return tables;
  }

  @Override
  protected Source chosen(Execution x) {
    long rows = 0;
    for (TableDef table : tables) {
      rows += x.transaction().reader(table.tableId()).estimatedRows();
    }
    MemoryAccount.current().readsFewRows(rows <= hostRows);
    return source;
  }

  @Override
  public boolean hasDeadRows() {
    return source.hasDeadRows();
  }

  @Override
  public boolean hasSettledStrings() {
    return source.hasSettledStrings();
  }

  @Override
  public boolean isOneRow() {
    return source.isOneRow();
  }

  @Override
  public @Nullable TableDef storedTable() {
    return source.storedTable();
  }

  @Override
  public int rowIdField() {
    return source.rowIdField();
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    source.kernels(kernels);
  }
}
