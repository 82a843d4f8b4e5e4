package io.gpdb.planner.batch;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.information.InformationSchema;
import io.gpdb.txn.Transaction;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one execution of a plan knows: its transaction, the bound parameters and the time, the
 * catalogs of which the transaction sees one. {@code changed} takes the rows that it changes, where
 * anybody asks for them; {@code held} has the rows of sources whose operator has read them already,
 * {@code once} those that several operators read.
 */
public record Execution(
    Transaction transaction,
    ParameterValues parameters,
    Catalog catalogs,
    InformationSchema.Settings settings,
    @Nullable Measures measures,
    @Nullable ChangedRows changed,
    @Nullable ChosenRows chosen,
    Map<Source, Batch> held,
    Map<Source, RowsOnce> once) {

  /** One that neither measures nor returns the rows that it changes. */
  public Execution(
      Transaction transaction,
      ParameterValues parameters,
      Catalog catalogs,
      InformationSchema.Settings settings) {
    this(transaction, parameters, catalogs, settings, null, null, null, Map.of(), Map.of());
  }

  /** The catalog that the transaction sees, its own changes included. */
  public CatalogSnapshot catalog() {
    return catalogs.snapshot(transaction);
  }

  /** The same execution with other values bound. */
  public Execution with(ParameterValues others) {
    return new Execution(
        transaction, others, catalogs, settings, measures, changed, chosen, held, once);
  }

  /** The same execution with the costs of its operators measured. */
  public Execution measuredBy(Measures costs) {
    return new Execution(
        transaction, parameters, catalogs, settings, costs, changed, chosen, held, once);
  }

  /** The same execution, for which the rows' table has no others. */
  public Execution limitedTo(ChosenRows rows) {
    return new Execution(
        transaction, parameters, catalogs, settings, measures, changed, rows, held, once);
  }

  /** The same execution with the rows that it changes reported. */
  public Execution reporting(ChangedRows rows) {
    return new Execution(
        transaction, parameters, catalogs, settings, measures, rows, chosen, held, once);
  }

  /** The same execution, in which these sources too have rows that an operator holds for them. */
  public Execution holding(Map<Source, Batch> rows) {
    Map<Source, Batch> all = new HashMap<>(held);
    all.putAll(rows);
    return new Execution(
        transaction, parameters, catalogs, settings, measures, changed, chosen, all, once);
  }

  /** The same execution, in which several operators read the rows of these sources. */
  public Execution sharing(Map<Source, RowsOnce> rows) {
    Map<Source, RowsOnce> all = new HashMap<>(once);
    all.putAll(rows);
    return new Execution(
        transaction, parameters, catalogs, settings, measures, changed, chosen, held, all);
  }
}
