package io.gpdb.planner.constraint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Plans of constraints, each made when it is first needed. Thread-safe. */
final class KeptPlans<K, P> {
  private static final int PLANS_MAX = 1024;

  private final Function<K, P> planner;
  private final Map<K, P> plans = new LinkedHashMap<>(16, 0.75f, true);

  KeptPlans(Function<K, P> planner) {
    this.planner = planner;
  }

  P of(K constraint) {
    synchronized (plans) {
      P known = plans.get(constraint);
      if (known != null) {
        return known;
      }
    }
    P made = planner.apply(constraint);
    synchronized (plans) {
      plans.put(constraint, made);
      if (plans.size() > PLANS_MAX) {
        plans.remove(plans.keySet().iterator().next());
      }
    }
    return made;
  }
}
