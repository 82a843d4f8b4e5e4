package io.gpdb.planner;

import io.gpdb.planner.constraint.Constraints;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.txn.Transaction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a statement is held to constraints.
 *
 * @param definition whether it may give tables other definitions
 */
record Constraining(@Nullable Constraints constraints, boolean definition) {
  /** Of statements that change no rows. */
  static final Constraining NOTHING = new Constraining(null, false);

  <T> T keeping(Transaction tx, Supplier<CatalogSnapshot> catalog, Supplier<T> change) {
    Constraints all = constraints;
    if (all == null) {
      return change.get();
    }
    if (definition) {
      all.beforeDefinition(tx);
    }
    return all.keeping(tx, catalog.get(), change);
  }
}
