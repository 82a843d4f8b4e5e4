package io.gpdb.planner.change;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.constraint.Recomputation;
import io.gpdb.sql.definition.TableDef;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The UPDATEs that compute generated columns again, where a foreign key's action has changed what
 * they are computed of. Each is planned when it is first needed. Thread-safe.
 */
public final class RecomputedColumns implements Recomputation {
  private static final int PLANS_MAX = 1024;

  /** Plans the UPDATE; without one where no generated column uses the columns. */
  @FunctionalInterface
  public interface Planner {
    @Nullable Change plan(TableDef table, int[] columns);
  }

  private record Key(TableDef table, List<Integer> columns) {}

  private final Planner planner;
  private final Map<Key, Optional<Change>> plans = new LinkedHashMap<>(16, 0.75f, true);

  public RecomputedColumns(Planner planner) {
    this.planner = planner;
  }

  @Override
  public void recompute(Execution x, TableDef table, int[] columns, ChosenRows rows) {
    if (table.columns().stream().anyMatch(column -> column.generatedSql() != null)) {
      plan(table, columns).ifPresent(update -> update.apply(x.limitedTo(rows)));
    }
  }

  private Optional<Change> plan(TableDef table, int[] columns) {
    Key key = new Key(table, Arrays.stream(columns).boxed().toList());
    synchronized (plans) {
      Optional<Change> known = plans.get(key);
      if (known != null) {
        return known;
      }
    }
    Optional<Change> made = Optional.ofNullable(planner.plan(table, columns));
    synchronized (plans) {
      plans.put(key, made);
      if (plans.size() > PLANS_MAX) {
        plans.remove(plans.keySet().iterator().next());
      }
    }
    return made;
  }
}
