package io.gpdb.planner;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Plans that were made lately. Thread-safe. */
final class PlanCache {
  private final Kept<Prepared> plans;
  private final Kept<Boolean> unshared;

  /** What a plan was made for. */
  record Key(
      String sql,
      long catalogVersion,
      SchemaPath path,
      @Nullable List<SqlTypeSpec> parameterTypes,
      List<ParameterFit> fits) {}

  PlanCache(long plansMax) {
    plans = new Kept<>(plansMax);
    unshared = new Kept<>(plansMax);
  }

  @Nullable Prepared plan(Key key) {
    return plans.value(key);
  }

  void add(Key key, Prepared plan) {
    plans.add(key, plan);
  }

  /** Whether the text, with parameters for literals, cannot be planned. */
  boolean isUnshared(Key key) {
    return unshared.value(key) != null;
  }

  void addUnshared(Key key) {
    unshared.add(key, true);
  }

  /**
   * Values by key, of which those not asked for lately are dropped. The first few are kept in a
   * plain map, then all go to a cache: many a process has no more, and should not wait for the
   * cache's hundred classes.
   */
  private static final class Kept<V> {
    private static final int FEW = 64;

    private final long valuesMax;
    private final Map<Key, V> few = new ConcurrentHashMap<>();
    private volatile @Nullable Cache<Key, V> all;

    Kept(long valuesMax) {
      this.valuesMax = valuesMax;
    }

    @Nullable V value(Key key) {
      Cache<Key, V> cache = all;
      return cache == null ? few.get(key) : cache.getIfPresent(key);
    }

    void add(Key key, V value) {
      Cache<Key, V> cache = all;
      if (cache == null) {
        addToFew(key, value);
      } else {
        cache.put(key, value);
      }
    }

    private synchronized void addToFew(Key key, V value) {
      Cache<Key, V> cache = all;
      if (cache == null && few.size() < Math.min(FEW, valuesMax)) {
        few.put(key, value);
        return;
      }
      if (cache == null) {
        // It tidies up on the thread that adds: less than what handing it to another costs.
        cache = Caffeine.newBuilder().maximumSize(valuesMax).executor(Runnable::run).build();
        cache.putAll(few);
        all = cache;
        few.clear();
      }
      cache.put(key, value);
    }
  }
}
