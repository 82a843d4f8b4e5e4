package io.gpdb.planner.mapping;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.run.table.ChosenSource;
import io.gpdb.sql.definition.TableDef;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Joins in an order that was chosen for the sizes of their tables: chosen again when a table has
 * grown or shrunk far beyond what it was then, as tables are filled after a statement is prepared.
 */
final class ResizedSource extends ChosenSource {
  /** Tables of fewer rows are joined fast in any order that was good for an empty one. */
  private static final double ROWS_THAT_MATTER = 1000;

  private static final double FACTOR = 8;

  private final Supplier<Made> planning;
  private volatile Made made;

  /** The joins, and the rows that their tables had. */
  record Made(Source source, Map<TableDef, Double> rows) {
    boolean isStale(Execution x) {
      for (Map.Entry<TableDef, Double> each : rows.entrySet()) {
        double now = x.transaction().reader(each.getKey().tableId()).estimatedRows();
        double more = Math.max(now, each.getValue());
        if (more > ROWS_THAT_MATTER && more > FACTOR * Math.min(now, each.getValue())) {
          return true;
        }
      }
      return false;
    }
  }

  ResizedSource(Made made, Supplier<Made> planning) {
    super(made.source.columns());
    this.made = made;
    this.planning = planning;
  }

  @Override
  protected Source chosen(Execution x) {
    Made known = made;
    return known.isStale(x) ? planned(x) : known.source;
  }

  private synchronized Source planned(Execution x) {
    Made known = made;
    if (known.isStale(x)) {
      known = planning.get();
      made = known;
    }
    return known.source;
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    made.source.kernels(kernels);
  }
}
