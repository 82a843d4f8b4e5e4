package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.OpenedCatalogs.device;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tables that come and go leave a bounded trace in the catalog. */
class CatalogGrowthTest {
  private static final int KEPT = 3;
  private static final int CYCLES = Integer.getInteger("gpdb.cycles", 4000);

  private static final TableDef SHAPE =
      ((Analyzed.CreateTable)
              new SqlFrontEnd()
                  .analyze(
                      "CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME VARCHAR(20))",
                      CatalogSnapshot.EMPTY,
                      null))
          .def();

  private static final ViewDef VIEW =
      new ViewDef(-1, "V", SHAPE.columns(), "SELECT * FROM kept0", List.of("KEPT0"));

  /** A definition of its own, so that it is a string of its own. */
  private static TableDef table(String name) {
    return new TableDef(-1, name, SHAPE.columns(), SHAPE.keys());
  }

  private static void change(TransactionManager manager, Consumer<Transaction> change) {
    Transaction transaction = manager.begin();
    change.accept(transaction);
    transaction.commit();
  }

  private static void cycles(TransactionManager manager, Catalog catalog, int from, int to) {
    for (int i = from; i < to; i++) {
      TableDef next = table("T" + i);
      change(manager, tx -> catalog.createTable(tx, next));
      change(
          manager,
          tx ->
              catalog.dropTable(
                  tx,
                  Objects.requireNonNull(catalog.snapshot(tx).table(next.name())),
                  DropBehavior.UNSPECIFIED));
    }
  }

  private static void createKept(TransactionManager manager, Catalog catalog) {
    for (int i = 0; i < KEPT; i++) {
      TableDef kept = table("KEPT" + i);
      change(manager, tx -> catalog.createTable(tx, kept));
    }
    change(manager, tx -> catalog.views().create(tx, VIEW, false, _ -> true));
  }

  private static void assertKept(TransactionManager manager, Catalog catalog) {
    Transaction transaction = manager.begin();
    CatalogSnapshot snapshot = catalog.snapshot(transaction);
    assertThat(snapshot.tables()).hasSize(KEPT);
    assertThat(Objects.requireNonNull(snapshot.view("V")).query()).isEqualTo(VIEW.query());
    for (int i = 0; i < KEPT; i++) {
      TableDef found = Objects.requireNonNull(snapshot.table("KEPT" + i));
      assertThat(found.columns()).isEqualTo(table("KEPT" + i).columns());
      transaction.reader(found.tableId());
    }
    transaction.rollback();
    assertThat(Catalog.check(manager)).isEmpty();
  }

  private static List<TableStore> systemStores(TransactionManager manager) {
    Transaction transaction = manager.begin();
    int store = SystemTable.store(transaction);
    transaction.rollback();
    return List.of(
        Objects.requireNonNull(manager.space().table(SystemTable.TABLE_ID)),
        Objects.requireNonNull(manager.space().table(store)));
  }

  @Test
  void tablesThatCameAndWentLeaveAThousandRows() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-growth");
        TransactionManager manager =
            TransactionManager.open(directory, device, TxnOptions.standard())) {
      Catalog catalog = Catalog.open(manager);
      createKept(manager, catalog);
      cycles(manager, catalog, 0, CYCLES - 1300);
      Transaction old = manager.begin();
      cycles(manager, catalog, CYCLES - 1300, CYCLES);
      int bound = SystemTable.SPARE_ROWS + 4 * (KEPT + 1) + 4;
      for (TableStore store : systemStores(manager)) {
        assertThat(store.rowLimit()).isLessThanOrEqualTo(bound);
        assertThat(Objects.requireNonNull(store.dictionary(SystemTable.DEFINITION)).size())
            .isLessThanOrEqualTo(bound);
      }
      assertThat(catalog.snapshot(old).tables()).as("an old snapshot").hasSize(KEPT);
      old.rollback();
      assertThat(manager.space().tables()).hasSize(KEPT + 2);
      assertKept(manager, catalog);
    }
  }

  @Test
  void aCatalogThatHasMovedIsFoundAfterACrash() {
    try (Device device = device();
        CrashableDirectory directory = new CrashableDirectory()) {
      for (int round = 0; round < 2; round++) {
        TransactionManager manager =
            TransactionManager.open(directory, device, TxnOptions.standard());
        Catalog catalog = Catalog.open(manager);
        if (round == 0) {
          createKept(manager, catalog);
        }
        assertKept(manager, catalog);
        cycles(manager, catalog, 0, SystemTable.SPARE_ROWS + 50);
        assertKept(manager, catalog);
        manager.abandon();
      }
    }
  }
}
