package io.gpdb.planner.run;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.InformationSchema;
import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of a plan knows: its transaction, the bound parameters and the time, the
 * catalogs of which the transaction sees one.
 */
public record Execution(
    Transaction transaction,
    ParameterValues parameters,
    Catalog catalogs,
    InformationSchema.Settings settings,
    @Nullable Measures measures) {

  /** The catalog that the transaction sees, its own changes included. */
  public CatalogSnapshot catalog() {
    return catalogs.snapshot(transaction);
  }

  /** The same execution with other values bound. */
  public Execution with(ParameterValues others) {
    return new Execution(transaction, others, catalogs, settings, measures);
  }

  /** The same execution with the costs of its operators measured. */
  public Execution measuredBy(Measures costs) {
    return new Execution(transaction, parameters, catalogs, settings, costs);
  }
}
