package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.OpenedCatalogs.defined;
import static io.gpdb.sql.catalog.OpenedCatalogs.device;
import static io.gpdb.sql.catalog.OpenedCatalogs.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.HostTables;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.RoutineTraits;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.information.InformationSchema;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogTest {
  private static final TableDef TABLE =
      defined("CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME VARCHAR(20) DEFAULT 'x')");

  private static final InformationSchema.Settings NOTHING =
      new InformationSchema.Settings() {
        @Override
        public List<InformationSchema.Setting> settings() {
          return List.of();
        }

        @Override
        public List<InformationSchema.Statistic> statistics() {
          return List.of();
        }
      };

  private static TableDef named(String name) {
    return new TableDef(-1, name, TABLE.columns(), TABLE.keys());
  }

  @Test
  void tablesSurviveReopening(@TempDir Path path) {
    try (Device device = device()) {
      try (StorageDirectory directory = FileDirectory.open(path, true);
          TransactionManager manager = open(directory, device)) {
        Catalog catalog = Catalog.open(manager);
        Transaction transaction = manager.begin();
        TableDef created = catalog.createTable(transaction, TABLE);
        assertThat(created.tableId()).isEqualTo(SystemTable.FIRST_USER_TABLE_ID);
        catalog.createTable(transaction, named("U"));
        transaction.commit();
        Transaction drop = manager.begin();
        catalog.dropTable(drop, catalog.snapshot(drop).table("U"), DropBehavior.UNSPECIFIED);
        drop.commit();
      }
      try (StorageDirectory directory = FileDirectory.open(path, false);
          TransactionManager manager = open(directory, device)) {
        Catalog catalog = Catalog.open(manager);
        Transaction transaction = manager.begin();
        assertThat(catalog.snapshot(transaction).tables())
            .containsExactly(TABLE.withTableId(SystemTable.FIRST_USER_TABLE_ID));
        transaction.rollback();
      }
    }
  }

  private static ViewDef view(String name, String... uses) {
    return new ViewDef(-1, name, TABLE.columns(), "SELECT * FROM " + uses[0], List.of(uses));
  }

  @Test
  void viewsSurviveReopening(@TempDir Path path) {
    try (Device device = device()) {
      try (StorageDirectory directory = FileDirectory.open(path, true);
          TransactionManager manager = open(directory, device)) {
        Catalog catalog = Catalog.open(manager);
        Transaction transaction = manager.begin();
        catalog.createTable(transaction, TABLE);
        catalog.views().create(transaction, view("V", "T"), false, _ -> true);
        catalog.views().create(transaction, view("W", "V", "T"), false, _ -> true);
        transaction.commit();
        Transaction undone = manager.begin();
        catalog.views().drop(undone, catalog.snapshot(undone).view("V"), DropBehavior.CASCADE);
        assertThat(catalog.snapshot(undone).views()).isEmpty();
        undone.rollback();
      }
      try (StorageDirectory directory = FileDirectory.open(path, false);
          TransactionManager manager = open(directory, device)) {
        assertThat(Catalog.check(manager)).isEmpty();
        Catalog catalog = Catalog.open(manager);
        Transaction transaction = manager.begin();
        CatalogSnapshot snapshot = catalog.snapshot(transaction);
        assertThat(snapshot.view("V")).isEqualTo(view("V", "T").withViewId(17));
        assertThat(snapshot.view("W").uses())
            .containsExactly(ObjectName.ofPublic("V"), ObjectName.ofPublic("T"));
        assertThatThrownBy(
                () -> catalog.dropTable(transaction, snapshot.table("T"), DropBehavior.RESTRICT))
            .isInstanceOfSatisfying(
                GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("2BP01"));
        TableDef next = catalog.createTable(transaction, named("U"));
        assertThat(next.tableId()).as("after those of views").isEqualTo(19);
        catalog.dropTable(transaction, snapshot.table("T"), DropBehavior.CASCADE);
        assertThat(catalog.snapshot(transaction).views()).isEmpty();
        transaction.commit();
        assertThat(Catalog.check(manager)).isEmpty();
      }
    }
  }

  @Test
  void theCheckFindsAViewThatReadsItself() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-views");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      Transaction transaction = manager.begin();
      catalog.views().create(transaction, view("V", "W", "GONE"), false, _ -> true);
      transaction.commit();
      assertThat(Catalog.check(manager)).as("an invalid view").isEmpty();
      assertThatThrownBy(
              () -> catalog.views().create(manager.begin(), view("W", "V"), false, _ -> true))
          .isInstanceOf(GpdbException.class);
      Transaction cycle = manager.begin();
      SystemTable.insertView(cycle, view("W", "V").withViewId(99));
      cycle.commit();
      assertThat(Catalog.check(manager))
          .containsExactly("catalog: view V reads itself", "catalog: view W reads itself");
    }
  }

  @Test
  void aDamagedViewIsFoundWhenItIsRead() {
    byte[] encoded = TableDefCodec.encode(view("V", "T"));
    assertThat(TableDefCodec.decodeView(7, encoded)).isEqualTo(view("V", "T").withViewId(7));
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(encoded, length);
      assertThatThrownBy(() -> TableDefCodec.decodeView(7, cut))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("XX001"));
    }
  }

  @Test
  void changesAreSeenByOthersOnlyAfterCommitAndGoneAfterRollback() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-test");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      Transaction writer = manager.begin();
      Transaction reader = manager.begin();
      catalog.createTable(writer, TABLE);
      long inside = catalog.snapshot(writer).version();
      assertThat(catalog.snapshot(writer).table("T")).isNotNull();
      assertThat(catalog.snapshot(reader).table("T")).isNull();
      writer.rollback();
      Transaction after = manager.begin();
      assertThat(catalog.snapshot(after).table("T")).isNull();
      catalog.createTable(after, named("OTHER"));
      assertThat(catalog.snapshot(after).version()).isNotEqualTo(inside);
      after.commit();
      assertThat(catalog.snapshot(reader).tables()).isEmpty();
      reader.rollback();
      Transaction last = manager.begin();
      assertThat(catalog.snapshot(last).table("OTHER")).isNotNull();
      last.rollback();
    }
  }

  @Test
  void savepointsUndoDefinitions() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-savepoint");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      Transaction transaction = manager.begin();
      catalog.createTable(transaction, named("A"));
      Savepoint savepoint = transaction.savepoint();
      catalog.createTable(transaction, named("B"));
      transaction.rollbackTo(savepoint);
      assertThat(catalog.snapshot(transaction).table("A")).isNotNull();
      assertThat(catalog.snapshot(transaction).table("B")).isNull();
      transaction.commit();
    }
  }

  @Test
  void twoTransactionsCannotBothChangeTheCatalog() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-conflict");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      Transaction first = manager.begin();
      Transaction second = manager.begin();
      catalog.createTable(first, named("A"));
      assertThatThrownBy(() -> catalog.createTable(second, named("A")))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
      second.rollback();
      first.commit();
      Transaction third = manager.begin();
      assertThatThrownBy(() -> catalog.createTable(third, named("A")))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("42S01"));
      third.rollback();
    }
  }

  @Test
  void informationSchemaDescribesTheTables() {
    CatalogSnapshot catalog = new CatalogSnapshot(1, List.of(TABLE.withTableId(16)));
    assertThat(InformationSchema.rows(hostTable("TABLES"), catalog, NOTHING))
        .anySatisfy(row -> assertThat(row).startsWith("GPDB", "PUBLIC", "T", "BASE TABLE"));
    assertThat(InformationSchema.rows(hostTable("COLUMNS"), catalog, NOTHING))
        .anySatisfy(
            row ->
                assertThat(row)
                    .startsWith(
                        "GPDB", "PUBLIC", "T", "NAME", 2, "'x'", "YES", "VARCHAR", 20L, 80L));
    assertThat(InformationSchema.rows(hostTable("KEY_COLUMN_USAGE"), catalog, NOTHING))
        .containsExactly(
            new Object[] {"GPDB", "PUBLIC", "T_PKEY", "GPDB", "PUBLIC", "T", "ID", 1, null});
    assertThat(InformationSchema.rows(hostTable("TABLE_CONSTRAINTS"), catalog, NOTHING))
        .containsExactly(
            new Object[] {
              "GPDB", "PUBLIC", "T_PKEY", "GPDB", "PUBLIC", "T", "PRIMARY KEY", "NO", "NO", "YES"
            });
  }

  @Test
  void aDefinitionWithAllAdditionsIsReadAsItWasWritten() {
    TableDef table = full();
    byte[] encoded = TableDefCodec.encode(table);
    assertThat(TableDefCodec.decode(16, encoded)).isEqualTo(table);
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertThatThrownBy(() -> TableDefCodec.decode(16, cut))
          .isInstanceOf(GpdbException.class)
          .hasMessageContaining("table 16");
    }
    ViewDef view =
        new ViewDef(
            7,
            "S",
            "V",
            TABLE.columns(),
            "SELECT 1",
            List.of(ObjectName.ofPublic("T"), new ObjectName("S", "T")),
            "S",
            ViewDef.CheckOption.LOCAL,
            "a view",
            new ObjectName("S", "T"),
            List.of(new PrivilegeDef("R", PrivilegeDef.Action.UPDATE, "A", true)),
            List.of(new ObjectName("S", "F")));
    assertThat(TableDefCodec.decodeView(7, TableDefCodec.encode(view))).isEqualTo(view);
  }

  @Test
  void definitionsOfRoutinesSurviveEncoding() {
    RoutineDef routine =
        new RoutineDef(
            9,
            new ObjectName("S", "P"),
            "SPECIFIC",
            List.of(
                new RoutineParameter("A", RoutineParameter.Mode.INOUT, SqlTypeSpec.decimal(5, 2)),
                new RoutineParameter("B", RoutineParameter.Mode.OUT, SqlTypeSpec.VARCHAR)),
            null,
            new RoutineTraits(true, RoutineTraits.Access.MODIFIES_SQL_DATA, true, true),
            List.of("DELETE FROM t", "SET a = 1"),
            List.of(ObjectName.ofPublic("T")),
            List.of(new ObjectName("S", "F")),
            "S",
            List.of(new PrivilegeDef("R", PrivilegeDef.Action.EXECUTE, null, true)));
    byte[] encoded = RoutineDefWriter.encode(routine);
    assertThat(RoutineDefCodec.decode(9, encoded)).isEqualTo(routine);
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertThatThrownBy(() -> RoutineDefCodec.decode(9, cut))
          .isInstanceOf(GpdbException.class)
          .hasMessageContaining("routine 9");
    }
  }

  private static TableDef full() {
    List<ColumnDef> columns =
        List.of(
            TABLE
                .column(0)
                .withIdentity(new IdentityDef(true, 77))
                .withComment("the number")
                .withStatistics(
                    new ColumnStatistics(
                        9, 2, 5, new long[] {Long.MIN_VALUE, -3, -3, 0, 12, Long.MAX_VALUE})),
            TABLE.column(1).withGenerated("UPPER('x')").withNotNullName("NAMED"));
    return TABLE
        .withTableId(16)
        .withName("S", "T")
        .withColumns(columns)
        .withKeys(List.of(TABLE.keys().getFirst().withIndexId(1)))
        .withIndexes(
            List.of(
                new IndexDef(
                    "I", IndexKind.HASH, true, new int[] {1, 0}, new boolean[] {true, false}, 0)))
        .withChecks(List.of(new CheckDef("C", "ID > 0")))
        .withForeignKeys(
            List.of(
                new ForeignKeyDef(
                    "F",
                    new int[] {0},
                    "PUBLIC",
                    "PARENT",
                    List.of("P"),
                    ForeignKeyDef.Action.CASCADE,
                    ForeignKeyDef.Action.SET_NULL,
                    true,
                    false,
                    true)))
        .withComment("a table");
  }

  @Test
  void aTableIsRedefinedByATransactionAndNotByOneThatIsRolledBack() {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-redefined");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      Transaction create = manager.begin();
      TableDef table = catalog.createTable(create, TABLE);
      create.commit();
      for (boolean committed : new boolean[] {false, true}) {
        Transaction change = manager.begin();
        catalog.redefineTable(change, table.withComment("other"));
        assertThat(catalog.snapshot(change).table("T").comment()).isEqualTo("other");
        if (committed) {
          change.commit();
        } else {
          change.rollback();
        }
        Transaction reader = manager.begin();
        assertThat(catalog.snapshot(reader).table("T").comment())
            .isEqualTo(committed ? "other" : null);
        reader.rollback();
      }
    }
  }

  private static HostTable hostTable(String name) {
    return HostTables.ALL.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }
}
