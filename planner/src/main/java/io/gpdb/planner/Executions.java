package io.gpdb.planner;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.SequenceNumbers;
import io.gpdb.planner.statement.StatementValues;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.information.InformationSchema.Settings;
import io.gpdb.txn.Transaction;

/** Makes the {@link Execution} of a statement. */
final class Executions {
  private final Catalog catalog;
  private final Settings settings;

  Executions(Catalog catalog, Settings settings) {
    this.catalog = catalog;
    this.settings = settings;
  }

  CatalogSnapshot catalog(Transaction tx) {
    return catalog.snapshot(tx);
  }

  Execution begin(Transaction tx, ParameterColumns batch) {
    batch.begin(SequenceNumbers.of(catalog.sequences()));
    return new Execution(tx, batch.row(0), catalog, settings);
  }

  Execution begin(Transaction tx, ParameterValues parameters) {
    return new Execution(tx, values(parameters), catalog, settings);
  }

  /** The values of an execution that needs no more. */
  StatementValues values(ParameterValues parameters) {
    return new StatementValues(parameters, SequenceNumbers.of(catalog.sequences()));
  }

  /** Of what has no parameters. */
  Execution begin(Transaction tx) {
    return begin(tx, NoParameters.INSTANCE);
  }

  /** No values. */
  private enum NoParameters implements ParameterValues {
    INSTANCE;

    @Override
    public int count() {
      return 0;
    }

    @Override
    public boolean isNull(int parameter) {
      throw none(parameter);
    }

    @Override
    public long raw(int parameter) {
      throw none(parameter);
    }

    @Override
    public byte[] bytes(int parameter) {
      throw none(parameter);
    }

    @Override
    public long nowMicros() {
      return 0;
    }

    private static IllegalStateException none(int parameter) {
      return new IllegalStateException("no parameter " + parameter);
    }
  }
}
