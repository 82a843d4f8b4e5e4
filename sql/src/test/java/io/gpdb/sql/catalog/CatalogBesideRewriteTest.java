package io.gpdb.sql.catalog;

import static io.gpdb.sql.catalog.OpenedCatalogs.defined;
import static io.gpdb.sql.catalog.OpenedCatalogs.device;
import static io.gpdb.sql.catalog.OpenedCatalogs.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Changes of the catalog beside the automatic rewriting of a table, which changes it too. */
class CatalogBesideRewriteTest {
  private static final TableDef TABLE =
      defined("CREATE TABLE T (ID INTEGER PRIMARY KEY, NAME VARCHAR(20))");

  private static TableDef named(String name) {
    return new TableDef(-1, name, TABLE.columns(), TABLE.keys());
  }

  /** What is done beside a transaction that moves a table to a new store unless it is written. */
  private interface Rewriting {
    void beside(Catalog catalog, TransactionManager manager, Transaction rewriter);
  }

  private static void whileRewriting(Rewriting work) {
    try (Device device = device();
        StorageDirectory directory = new VolatileDirectory("catalog-rewrite");
        TransactionManager manager = open(directory, device)) {
      Catalog catalog = Catalog.open(manager);
      Transaction create = manager.begin();
      TableDef table = catalog.createTable(create, TABLE);
      create.commit();
      Transaction rewriter = manager.begin();
      catalog.rewriteTableUnlessWritten(rewriter, table);
      work.beside(catalog, manager, rewriter);
    }
  }

  private static Thread soon(Runnable end) {
    return Thread.ofPlatform()
        .start(
            () -> {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
              end.run();
            });
  }

  @Test
  void aTableIsCreatedBesideAnAutomaticRewriteThatRollsBack() {
    whileRewriting(
        (catalog, manager, rewriter) -> {
          Transaction met = manager.begin();
          Thread end = soon(rewriter::rollback);
          catalog.createTable(met, named("OTHER"));
          assertThat(rewriter.isActive()).isFalse();
          met.commit();
          assertThat(met.metRewrite()).isFalse();
          joined(end);
        });
  }

  @Test
  void whoeverCreatesATableBesideAnAutomaticRewriteThatCommitsIsToldSo() {
    whileRewriting(
        (catalog, manager, rewriter) -> {
          Transaction met = manager.begin();
          Thread end = soon(rewriter::commit);
          assertThatThrownBy(() -> catalog.createTable(met, named("OTHER")))
              .isInstanceOfSatisfying(
                  GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo("40001"));
          assertThat(met.metRewrite()).isTrue();
          met.rollback();
          joined(end);
          Transaction again = manager.begin();
          catalog.createTable(again, named("OTHER"));
          again.commit();
        });
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
