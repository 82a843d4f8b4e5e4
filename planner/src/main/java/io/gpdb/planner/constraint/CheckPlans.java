package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.TableDef;
import java.util.function.BiFunction;

/** The plans of CHECK constraints. */
final class CheckPlans {
  private final KeptPlans<Key, CheckPlan> plans;

  private record Key(TableDef table, CheckDef check) {}

  CheckPlans(BiFunction<TableDef, CheckDef, CheckPlan> planner) {
    plans = new KeptPlans<>(key -> planner.apply(key.table(), key.check()));
  }

  CheckPlan of(TableDef table, CheckDef check) {
    return plans.of(new Key(table, check));
  }
}
