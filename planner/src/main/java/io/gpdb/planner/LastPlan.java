package io.gpdb.planner;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.SchemaPath;
import org.jspecify.annotations.Nullable;

/**
 * The plan by which a statement was last executed, and the version and path of the catalog that it
 * was made for: while those are the current ones, the cache of all plans is not asked. Used by one
 * thread at a time.
 */
public final class LastPlan {
  private long catalogVersion;
  private SchemaPath path = SchemaPath.PUBLIC;
  private @Nullable Prepared plan;

  /** Null where the plan is for another version or path. */
  @Nullable Prepared at(CatalogSnapshot catalog) {
    return catalog.version() == catalogVersion && catalog.path().equals(path) ? plan : null;
  }

  void set(CatalogSnapshot catalog, Prepared made) {
    catalogVersion = catalog.version();
    path = catalog.path();
    plan = made;
  }
}
