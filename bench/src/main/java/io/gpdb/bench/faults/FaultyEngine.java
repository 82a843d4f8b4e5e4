package io.gpdb.bench.faults;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.planner.Prepared;
import io.gpdb.planner.QueryEngine;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A whole engine over a directory that may fail, driven by SQL. */
final class FaultyEngine implements AutoCloseable {
  private static final Device DEVICE =
      new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.INTERPRETED, 1, false));

  private final TransactionManager manager;
  private final QueryEngine engine;
  private final boolean mixes;
  private int statements;

  FaultyEngine(StorageDirectory directory, FaultSetting setting) {
    mixes = setting.protocol() == Protocol.AUTO;
    manager = TransactionManager.open(directory, DEVICE, setting.options());
    boolean done = false;
    try {
      Catalog catalog = Catalog.open(manager);
      EngineOptions planning = EngineOptions.standard().withAutoVacuum(false);
      engine = new QueryEngine(manager, catalog, DEVICE, planning);
      done = true;
    } finally {
      if (!done) {
        manager.abandon();
      }
    }
  }

  TransactionManager manager() {
    return manager;
  }

  /** Runs the statements as one transaction; after a failure it is rolled back. */
  void run(List<String> statements) {
    Transaction tx = manager.begin();
    boolean done = false;
    try {
      for (String sql : statements) {
        execute(tx, sql);
      }
      tx.commit();
      done = true;
    } finally {
      if (!done && tx.isActive()) {
        tx.rollback();
      }
    }
  }

  /** With {@code auto} each statement goes another way: by cost so small ones would all be redo. */
  private void execute(Transaction tx, String sql) {
    if (mixes) {
      List<Protocol> protocols = FaultSetting.protocols();
      tx.protocol(protocols.get(statements++ % protocols.size()));
    }
    Prepared prepared = engine.prepare(sql, tx);
    if (prepared.execute(tx, NoParameters.INSTANCE) instanceof Result.Rows rows) {
      rows.rows().close();
    }
  }

  /** The table's rows by id, each value as text; empty without the table. */
  Map<Long, String> rows() {
    Map<Long, String> found = new TreeMap<>();
    Transaction tx = manager.begin();
    try {
      if (manager.space().tables().size() > 1) {
        read(tx, FaultWorkload.QUERY, found);
        for (long id : FaultWorkload.SOME_IDS) {
          Map<Long, String> one = new TreeMap<>();
          read(tx, FaultWorkload.QUERY + " WHERE id = " + id, one);
          if (!one.equals(found.containsKey(id) ? Map.of(id, found.get(id)) : Map.of())) {
            throw new IllegalStateException("by key, id=" + id + " returns " + one);
          }
        }
      }
      return found;
    } finally {
      tx.rollback();
    }
  }

  private void read(Transaction tx, String sql, Map<Long, String> found) {
    Prepared prepared = engine.prepare(sql, tx);
    if (prepared.execute(tx, NoParameters.INSTANCE) instanceof Result.Rows rows) {
      try (RowSet set = rows.rows()) {
        while (set.next()) {
          String value = set.isNull(1) ? "NULL" : Long.toString(set.raw(1));
          byte[] name = set.bytes(2);
          found.put(
              set.raw(0), value + " " + new String(name, java.nio.charset.StandardCharsets.UTF_8));
        }
      }
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
