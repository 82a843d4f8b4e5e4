package io.gpdb.sql.catalog;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;

/** What tests of catalogs open them with, and tables for them. */
final class OpenedCatalogs {
  private OpenedCatalogs() {}

  static Device device() {
    return new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false));
  }

  static TransactionManager open(StorageDirectory directory, Device device) {
    return TransactionManager.open(directory, device, TxnOptions.standard());
  }

  /** The table that a CREATE TABLE defines where there is no other. */
  static TableDef defined(String sql) {
    return ((Analyzed.CreateTable) new SqlFrontEnd().analyze(sql, CatalogSnapshot.EMPTY, null))
        .def();
  }
}
