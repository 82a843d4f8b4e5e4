package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.change.Truncate;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.session.database.Database;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The temporary tables of a session. They are tables of a hidden schema, which the session has from
 * the first one on, so they are logged and rolled back as all are; they are dropped when the
 * session ends, and at the next opening where the process ended before.
 */
final class TemporaryTables {
  private static final AtomicLong SESSIONS = new AtomicLong();
  private static final int DROP_ATTEMPTS_MAX = 10;

  private final Database database;
  private final CurrentTransaction current;

  TemporaryTables(Database database, CurrentTransaction current) {
    this.database = database;
    this.current = current;
  }

  /**
   * Gives the session its hidden schema where the plan is the first that needs it, and is to be
   * made again for it.
   */
  boolean begin(Prepared plan, Transaction transaction) {
    SchemaPath path = current.path();
    boolean first =
        path.temporary() == null
            && plan.kind() == StatementKind.DEFINITION
            && plan.analyzed() instanceof Analyzed.CreateTable create
            && create.def().isTemporary();
    if (first) {
      SchemaPath wider = path.withTemporary(SchemaNames.temporary(SESSIONS.incrementAndGet()));
      current.path(wider);
      transaction.attach(wider);
    }
    return first;
  }

  /** Empties or drops those tables that do not keep their rows longer than a transaction. */
  void beforeCommit(Transaction transaction) {
    if (current.path().temporary() == null) {
      return;
    }
    Catalog catalog = database.catalog();
    CatalogSnapshot snapshot = catalog.snapshot(transaction);
    for (TableDef table : own(snapshot)) {
      if (table.onCommit() == OnCommit.DELETE_ROWS) {
        Truncate.empty(transaction, table);
      } else if (table.onCommit() == OnCommit.DROP) {
        catalog.dropTable(transaction, table, DropBehavior.CASCADE);
      }
    }
  }

  private static List<TableDef> own(CatalogSnapshot snapshot) {
    String schema = snapshot.path().temporary();
    return snapshot.tables().stream().filter(table -> table.schema().equals(schema)).toList();
  }

  /** Drops all of them, waiting a little for others that change the catalog. */
  void drop() {
    String schema = current.path().temporary();
    if (schema == null) {
      return;
    }
    for (int attempt = 0; attempt < DROP_ATTEMPTS_MAX; attempt++) {
      Transaction transaction = database.transactions().begin();
      try {
        database.catalog().schemas().dropTemporary(transaction, schema);
        transaction.commit();
        return;
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.SERIALIZATION_CONFLICT) {
          return; // the next opening drops them
        }
      } finally {
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1L << attempt));
    }
  }
}
