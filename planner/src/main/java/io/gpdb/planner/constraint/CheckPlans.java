package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.TableDef;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** The plans of CHECK constraints, each made when it is first needed. Thread-safe. */
final class CheckPlans {
  private static final int PLANS_MAX = 1024;

  private final BiFunction<TableDef, CheckDef, CheckPlan> planner;
  private final Map<Key, CheckPlan> plans = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(TableDef table, CheckDef check) {}

  CheckPlans(BiFunction<TableDef, CheckDef, CheckPlan> planner) {
    this.planner = planner;
  }

  CheckPlan of(TableDef table, CheckDef check) {
    Key key = new Key(table, check);
    synchronized (plans) {
      CheckPlan known = plans.get(key);
      if (known != null) {
        return known;
      }
    }
    CheckPlan made = planner.apply(table, check);
    synchronized (plans) {
      plans.put(key, made);
      if (plans.size() > PLANS_MAX) {
        plans.remove(plans.keySet().iterator().next());
      }
    }
    return made;
  }
}
