package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.sql.Analyzed;
import io.gpdb.sql.Catalog;
import io.gpdb.sql.SqlTypeSpec;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans statements and carries them out. Thread-safe. */
@SuppressWarnings({"DoNotCallSuggester", "UnusedVariable"})
public final class QueryEngine {
  public QueryEngine(
      TransactionManager transactions, Catalog catalog, Device device, EngineOptions options) {}

  /** The plan of a statement, cheap when the cache has it. */
  public Prepared prepare(String sql, Transaction tx) {
    return prepare(sql, tx, null);
  }

  /** As {@link #prepare(String, Transaction)}, with the types of the bound values. */
  public Prepared prepare(String sql, Transaction tx, @Nullable List<SqlTypeSpec> parameterTypes) {
    throw new UnsupportedOperationException();
  }

  /** The plan of a query that another statement holds (COPY … TO); not cached. */
  public Prepared prepare(Analyzed.Query query, Transaction tx) {
    throw new UnsupportedOperationException();
  }
}
