package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.OpenedCatalogs.defined;
import static io.gpdb.sql.catalog.OpenedCatalogs.device;
import static io.gpdb.sql.catalog.OpenedCatalogs.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sees which version of the catalog while the newest one is remembered. */
class NewestCatalogTest {
  private static final TableDef TABLE = defined("CREATE TABLE T (ID INTEGER PRIMARY KEY)");

  private Device device;
  private StorageDirectory directory;
  private TransactionManager manager;
  private Catalog catalog;

  @BeforeEach
  void openOne() {
    device = device();
    directory = new VolatileDirectory("newest");
    manager = open(directory, device);
    catalog = Catalog.open(manager);
  }

  @AfterEach
  void closeIt() {
    manager.close();
    directory.close();
    device.close();
  }

  private void create() {
    Transaction creating = manager.begin();
    catalog.createTable(creating, TABLE);
    creating.commit();
  }

  private boolean sees(Transaction transaction) {
    return catalog.snapshot(transaction).table("T") != null;
  }

  private boolean newcomerSees() {
    Transaction newcomer = manager.begin();
    try {
      return sees(newcomer);
    } finally {
      newcomer.rollback();
    }
  }

  @Test
  void anOlderSnapshotSeesTheOlderCatalogAlsoAfterOthersHaveSeenTheNewest() {
    Transaction older = manager.begin();
    assertThat(sees(older)).isFalse();
    create();
    assertThat(newcomerSees()).isTrue();
    assertThat(newcomerSees()).isTrue();
    assertThat(sees(older)).isFalse();
    older.rollback();
  }

  @Test
  void whatAnOlderSnapshotSeesIsNotTakenForTheNewest() {
    Transaction older = manager.begin();
    create();
    assertThat(sees(older)).isFalse();
    assertThat(newcomerSees()).isTrue();
    assertThat(sees(older)).isFalse();
    assertThat(newcomerSees()).isTrue();
    older.rollback();
  }

  @Test
  void aChangeIsSeenByItsTransactionAloneUntilItsCommit() {
    assertThat(newcomerSees()).isFalse();
    Transaction creating = manager.begin();
    catalog.createTable(creating, TABLE);
    assertThat(sees(creating)).isTrue();
    assertThat(newcomerSees()).isFalse();
    assertThat(sees(creating)).isTrue();
    creating.commit();
    assertThat(newcomerSees()).isTrue();
  }

  @Test
  void aChangeThatIsRolledBackWasNeverThere() {
    assertThat(newcomerSees()).isFalse();
    Transaction creating = manager.begin();
    catalog.createTable(creating, TABLE);
    assertThat(sees(creating)).isTrue();
    creating.rollback();
    assertThat(newcomerSees()).isFalse();
    create();
    assertThat(newcomerSees()).isTrue();
  }
}
