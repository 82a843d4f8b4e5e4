package io.gpdb.bench.crash;

import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Transactions after a recovery: first what the crash interrupted, once more and with a row less,
 * so that writes like the lost ones reach the same places; then one that writes all rows, and some
 * into a few of the empty tables. After a kill, before these, some of definitions alone, which
 * drain nothing but the log, and a checkpoint.
 */
final class FollowUp {
  private static final int DEFINITIONS = 3;

  /** Their record takes more than half of a log file. */
  private static final int TABLES_DEFINED = 40;

  /** Tables without rows are all alike. */
  private static final int EMPTY_TABLES_WRITTEN_MAX = 3;

  private final RecoveryStart start;
  private final Protocol requested;
  private final SortedMap<Integer, SortedMap<Integer, Long>> tables;

  /**
   * @param requested of all statements
   */
  FollowUp(RecoveryStart start, Protocol requested) {
    this.start = start;
    this.requested = requested;
    this.tables = start.contents().copy();
  }

  void run(TransactionManager manager, OmissionHunt.Expected expected) {
    if (start.isAfterKill()) {
      define(manager, expected);
    }
    Contents interrupted = start.interrupted();
    if (interrupted != null && !interrupted.equals(start.contents())) {
      Transaction tx = begin(manager);
      interrupted.copy().forEach((table, rows) -> again(tx, table, rows));
      end(tx, expected);
    }
    Transaction tx = begin(manager);
    int empty = 0;
    for (Map.Entry<Integer, SortedMap<Integer, Long>> table : tables.entrySet()) {
      if (!table.getValue().isEmpty() || empty++ < EMPTY_TABLES_WRITTEN_MAX) {
        StateCheck.write(tx, table.getKey(), table.getValue());
      }
    }
    end(tx, expected);
  }

  private Transaction begin(TransactionManager manager) {
    Transaction tx = manager.begin();
    tx.protocol(requested);
    return tx;
  }

  private void define(TransactionManager manager, OmissionHunt.Expected expected) {
    int first = tables.isEmpty() ? 1 : tables.lastKey() + 1;
    for (int i = 0; i < DEFINITIONS; i++) {
      Transaction tx = begin(manager);
      for (int table = first; table < first + TABLES_DEFINED; table++) {
        if (tables.remove(table) != null) {
          tx.dropTable(table);
        } else {
          tx.createTable(table, SampleTable.SHAPE);
          tables.put(table, new TreeMap<>());
        }
      }
      end(tx, expected);
    }
    manager.checkpoint();
  }

  private void end(Transaction tx, OmissionHunt.Expected expected) {
    SortedMap<Integer, SortedMap<Integer, Long>> copy = new TreeMap<>();
    tables.forEach((table, rows) -> copy.put(table, new TreeMap<>(rows)));
    Contents after = new Contents(copy);
    expected.committing(after);
    tx.commit();
    expected.acknowledged(after);
  }

  private void again(Transaction tx, int table, SortedMap<Integer, Long> wanted) {
    SortedMap<Integer, Long> rows = tables.get(table);
    if (rows == null) {
      return;
    }
    SortedMap<Integer, Long> added = new TreeMap<>(wanted);
    added.keySet().removeAll(rows.keySet());
    SortedMap<Integer, Long> changed = new TreeMap<>(wanted);
    changed.keySet().retainAll(rows.keySet());
    changed.entrySet().removeIf(row -> Objects.equals(rows.get(row.getKey()), row.getValue()));
    write(tx, table, rows, added, changed);
    rows.keySet().stream()
        .filter(id -> !wanted.containsKey(id) || !changed.containsKey(id))
        .findFirst()
        .ifPresent(
            id -> {
              SampleTable.delete(tx, table, java.util.Set.of(id));
              rows.remove(id);
            });
  }

  private static void write(
      Transaction tx,
      int table,
      Map<Integer, Long> rows,
      SortedMap<Integer, Long> added,
      SortedMap<Integer, Long> changed) {
    if (!added.isEmpty()) {
      SampleTable.insert(tx, table, added);
      rows.putAll(added);
    }
    if (!changed.isEmpty()) {
      SampleTable.update(tx, table, changed);
      rows.putAll(changed);
    }
  }
}
