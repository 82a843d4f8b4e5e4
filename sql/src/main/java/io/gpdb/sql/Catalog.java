package io.gpdb.sql;

import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;

/** The tables of a database, kept in its system table and changed by transactions. */
@SuppressWarnings("DoNotCallSuggester")
public final class Catalog {
  /** Creates the system table of a new database. */
  public static void bootstrap(TransactionManager manager) {
    throw new UnsupportedOperationException();
  }

  /** The catalog that the transaction sees, its own changes included. */
  public CatalogSnapshot snapshot(Transaction transaction) {
    throw new UnsupportedOperationException();
  }

  /** Creates the table and gives it its id. */
  public TableDef createTable(Transaction transaction, TableDef definition) {
    throw new UnsupportedOperationException();
  }

  public void dropTable(Transaction transaction, TableDef table) {
    throw new UnsupportedOperationException();
  }
}
