package io.gpdb.session;

import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.function.Predicate;
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
   * The outcome of a statement that failed; throws the failure where that is not for want of the
   * database, or the statement is none of those.
   *
   * @param control carries it out if it is one of those, and says whether it is
   */
  static Outcome outcome(String sql, GpdbException failure, Predicate<Analyzed> control) {
    boolean refused =
        failure.code() == ErrorCode.POISONED || failure.code() == ErrorCode.TRANSACTION_STATE;
    Analyzed statement = refused ? analyzed(sql) : null;
    if (statement == null || !control.test(statement)) {
      throw failure;
    }
    return new Outcome.Count(0);
  }

  private static @Nullable Analyzed analyzed(String sql) {
    try {
      return new SqlFrontEnd().analyze(sql, CatalogSnapshot.EMPTY, null);
    } catch (GpdbException e) {
      return null; // it asks for what is in the catalog, and failed for a reason already
    }
  }
}
