package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.OpenedCatalogs.defined;
import static io.gpdb.sql.catalog.OpenedCatalogs.device;
import static io.gpdb.sql.catalog.OpenedCatalogs.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables are stored as the catalog defines them, or the database is refused. */
class StoredAsDefinedTest {
  private static final TableDef TABLE =
      defined("CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME VARCHAR(20))");

  @Test
  void aTableThatIsStoredInAnotherShapeOrNotAtAllIsRefusedAtOpening() {
    for (String stored :
        List.of(
            "CREATE TABLE T (ID SMALLINT PRIMARY KEY, NAME VARCHAR(20))",
            "CREATE TABLE T (ID INTEGER PRIMARY KEY)",
            "CREATE TABLE T (ID INTEGER, NAME VARCHAR(20))",
            "")) {
      try (Device device = device();
          StorageDirectory directory = new VolatileDirectory("catalog-shapes");
          TransactionManager manager = open(directory, device)) {
        Catalog.open(manager);
        Transaction transaction = manager.begin();
        TableDef table = TABLE.withTableId(SystemTable.FIRST_USER_TABLE_ID);
        SystemTable.insertTable(transaction, table);
        if (!stored.isEmpty()) {
          transaction.createTable(table.tableId(), defined(stored).shape());
        }
        transaction.commit();
        assertThat(Catalog.check(manager)).hasSize(1);
        assertThatThrownBy(() -> Catalog.open(manager))
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION))
            .hasMessage(Catalog.check(manager).getFirst());
      }
    }
  }

  @Test
  void aKeyOfAnOlderVersionInAHashIndexIsAsGood() {
    TableDef two = defined("CREATE TABLE T (A INTEGER, B INTEGER, PRIMARY KEY (A, B))");
    IndexShape now = two.shape().indexes().getFirst();
    IndexShape before = new IndexShape(now.indexId(), now.columns(), now.unique());
    assertThat(before).isNotEqualTo(now);
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-older");
        TransactionManager manager = open(directory, device)) {
      Catalog.open(manager);
      Transaction transaction = manager.begin();
      TableDef table = two.withTableId(SystemTable.FIRST_USER_TABLE_ID);
      SystemTable.insertTable(transaction, table);
      transaction.createTable(
          table.tableId(), new TableShape(table.shape().columns(), List.of(before)));
      transaction.commit();
      assertThat(Catalog.check(manager)).isEmpty();
      Catalog.open(manager);
    }
  }

  @Test
  void aDefinitionWithKeysOverColumnsThatItHasNotIsDamaged() {
    IndexDef index = new IndexDef("I", IndexKind.ORDERED, false, new int[] {2}, new boolean[1], 1);
    KeyDef none = new KeyDef("T_PKEY", true, new int[0], 0);
    for (TableDef damaged :
        List.of(
            TABLE.withKeys(List.of(new KeyDef("T_PKEY", true, new int[] {2}, 0))),
            TABLE.withKeys(List.of(new KeyDef("T_PKEY", true, new int[] {-1}, 0))),
            TABLE.withKeys(List.of(none)),
            TABLE.withIndexes(List.of(index)),
            TABLE.withForeignKeys(List.of(foreignKey(new int[] {2}, "P"))),
            TABLE.withForeignKeys(List.of(foreignKey(new int[] {0}, "P", "Q"))))) {
      byte[] encoded = TableDefCodec.encode(damaged);
      assertThatThrownBy(() -> TableDefCodec.decode(7, encoded))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
  }

  private static ForeignKeyDef foreignKey(int[] columns, String... parents) {
    return new ForeignKeyDef(
        "F",
        columns,
        "PUBLIC",
        "PARENT",
        List.of(parents),
        ForeignKeyDef.Action.NO_ACTION,
        ForeignKeyDef.Action.NO_ACTION,
        false,
        false,
        false);
  }
}
