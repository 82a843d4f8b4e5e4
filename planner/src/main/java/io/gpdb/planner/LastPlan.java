package io.gpdb.planner;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.SchemaPath;
import org.jspecify.annotations.Nullable;

/**
 * The plan by which a statement was last executed, and the engine, version and path of the catalog
 * that it was made for: while those are the current ones, the cache of all plans is not asked. Used
 * by one thread at a time.
 */
public final class LastPlan {
  private @Nullable QueryEngine engine;
  private long catalogVersion;
  private SchemaPath path = SchemaPath.PUBLIC;
  private @Nullable Prepared plan;

  /** Null where the plan is another engine's, or for another version or path. */
  @SuppressWarnings("ReferenceEquality") // an engine is itself
  @Nullable Prepared at(QueryEngine asked, CatalogSnapshot catalog) {
    return engine == asked && catalog.version() == catalogVersion && catalog.path().equals(path)
        ? plan
        : null;
  }

  void set(QueryEngine maker, CatalogSnapshot catalog, Prepared made) {
    engine = maker;
    catalogVersion = catalog.version();
    path = catalog.path();
    plan = made;
  }
}
