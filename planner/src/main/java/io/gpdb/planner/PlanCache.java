package io.gpdb.planner;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans that were made lately. Thread-safe. */
final class PlanCache {
  private final Cache<Key, Prepared> plans;
  private final Cache<Key, Boolean> unshared;

  /** What a plan was made for. */
  record Key(
      String sql,
      long catalogVersion,
      SchemaPath path,
      @Nullable List<SqlTypeSpec> parameterTypes,
      List<ParameterFit> fits) {}

  PlanCache(long plansMax) {
    plans = cache(plansMax);
    unshared = cache(plansMax);
  }

  /** The cache tidies up on the thread that adds: less than what handing it to another costs. */
  private static <V> Cache<Key, V> cache(long plansMax) {
    return Caffeine.newBuilder().maximumSize(plansMax).executor(Runnable::run).build();
  }

  @Nullable Prepared plan(Key key) {
    return plans.getIfPresent(key);
  }

  void add(Key key, Prepared plan) {
    plans.put(key, plan);
  }

  /** Whether the text, with parameters for literals, cannot be planned. */
  boolean isUnshared(Key key) {
    return unshared.getIfPresent(key) != null;
  }

  void addUnshared(Key key) {
    unshared.put(key, true);
  }
}
