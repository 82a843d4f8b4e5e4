package io.gpdb.session;

import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The statements that a database takes whose medium or device has failed: ROLLBACK, and SET device,
 * which opens it anew. They need no transaction, of which there is none any more, and no catalog.
 * So does the ROLLBACK of a transaction that refuses all else, because a statement of it could not
 * be undone.
 */
final class FailedStatements {
  private FailedStatements() {}

  /**
   * What the work returns; where it fails for want of the database, the outcome of the statement.
   *
   * @param control carries it out if it is one of those, and says whether it is
   */
  static Outcome orElse(String sql, Supplier<Outcome> work, Predicate<Analyzed> control) {
    try {
      return work.get();
    } catch (GpdbException e) {
      boolean refused = e.code() == ErrorCode.POISONED || e.code() == ErrorCode.TRANSACTION_STATE;
      Analyzed statement = refused ? analyzed(sql) : null;
      if (statement == null || !control.test(statement)) {
        throw e;
      }
      return new Outcome.Count(0);
    }
  }

  private static @Nullable Analyzed analyzed(String sql) {
    try {
      return new SqlFrontEnd().analyze(sql, CatalogSnapshot.EMPTY, null);
    } catch (GpdbException e) {
      return null; // it asks for what is in the catalog, and failed for a reason already
    }
  }
}
