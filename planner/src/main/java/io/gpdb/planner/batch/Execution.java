package io.gpdb.planner.batch;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.InformationSchema;
import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of a plan knows: its transaction, the bound parameters and the time, the
 * catalogs of which the transaction sees one. {@code changed} takes the rows that it changes, where
 * anybody asks for them.
 */
public record Execution(
    Transaction transaction,
    ParameterValues parameters,
    Catalog catalogs,
    InformationSchema.Settings settings,
    @Nullable Measures measures,
    @Nullable ChangedRows changed,
    @Nullable ChosenRows chosen) {

  /** One that neither measures nor returns the rows that it changes. */
  public Execution(
      Transaction transaction,
      ParameterValues parameters,
      Catalog catalogs,
      InformationSchema.Settings settings) {
    this(transaction, parameters, catalogs, settings, null, null, null);
  }

  /** The catalog that the transaction sees, its own changes included. */
  public CatalogSnapshot catalog() {
    return catalogs.snapshot(transaction);
  }

  /** The same execution with other values bound. */
  public Execution with(ParameterValues others) {
    return new Execution(transaction, others, catalogs, settings, measures, changed, chosen);
  }

  /** The same execution with the costs of its operators measured. */
  public Execution measuredBy(Measures costs) {
    return new Execution(transaction, parameters, catalogs, settings, costs, changed, chosen);
  }

  /** The same execution, for which the rows' table has no others. */
  public Execution limitedTo(ChosenRows rows) {
    return new Execution(transaction, parameters, catalogs, settings, measures, changed, rows);
  }

  /** The same execution with the rows that it changes reported. */
  public Execution reporting(ChangedRows rows) {
    return new Execution(transaction, parameters, catalogs, settings, measures, rows, chosen);
  }
}
