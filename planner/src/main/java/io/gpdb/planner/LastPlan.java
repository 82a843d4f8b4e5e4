package io.gpdb.planner;

import org.jspecify.annotations.Nullable;

/**
 * The plan by which a statement was last executed, and the version of the catalog that it was made
 * for: while that is the current one, the cache of all plans is not asked. Used by one thread at a
 * time.
 */
public final class LastPlan {
  private long catalogVersion;
  private @Nullable Prepared plan;

  /** Null where the plan is for another version. */
  @Nullable Prepared at(long version) {
    return version == catalogVersion ? plan : null;
  }

  void set(long version, Prepared made) {
    catalogVersion = version;
    plan = made;
  }
}
