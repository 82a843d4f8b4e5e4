package io.gpdb.bench.crash;

import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Transactions after a recovery: first what the crash interrupted, once more and with a row less,
 * so that the like of what was lost comes to the same places; then one that writes all rows.
 */
final class FollowUp {
  private final RecoveryStart start;
  private final SortedMap<Integer, SortedMap<Integer, Long>> tables;

  FollowUp(RecoveryStart start) {
    this.start = start;
    this.tables = start.contents().copy();
  }

  void run(TransactionManager manager, OmissionHunt.Expected expected) {
    Contents interrupted = start.interrupted();
    if (interrupted != null && !interrupted.equals(start.contents())) {
      Transaction tx = manager.begin();
      interrupted.copy().forEach((table, rows) -> again(tx, table, rows));
      end(tx, expected);
    }
    Transaction tx = manager.begin();
    tables.forEach((table, rows) -> StateCheck.write(tx, table, rows));
    end(tx, expected);
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
