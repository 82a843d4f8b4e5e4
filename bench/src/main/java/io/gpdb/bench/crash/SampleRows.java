package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/** Rows that workloads make, choose and change. */
final class SampleRows {
  private SampleRows() {}

  /** A new table with that number of rows, in two transactions. */
  static int tableOf(ModelledDatabase db, int n, IntToLongFunction amount) {
    int table = db.newTable();
    db.commit(tx -> tx.create(table));
    db.commit(tx -> tx.insert(table, rows(db.newIds(n), n, amount)));
    return table;
  }

  static SortedMap<Integer, Long> rows(int from, int n, IntToLongFunction amount) {
    SortedMap<Integer, Long> rows = new TreeMap<>();
    for (int id = from; id < from + n; id++) {
      rows.put(id, amount.applyAsLong(id));
    }
    return rows;
  }

  static Set<Integer> ids(SortedMap<Integer, Long> rows, IntPredicate chosen) {
    Set<Integer> ids = new TreeSet<>();
    for (int id : rows.keySet()) {
      if (chosen.test(id)) {
        ids.add(id);
      }
    }
    return ids;
  }

  static SortedMap<Integer, Integer> moved(
      SortedMap<Integer, Long> rows, IntPredicate chosen, int by) {
    SortedMap<Integer, Integer> moved = new TreeMap<>();
    ids(rows, chosen).forEach(id -> moved.put(id, id + by));
    return moved;
  }

  static void update(
      ModelledTransaction tx, int table, IntPredicate chosen, IntToLongFunction amount) {
    SortedMap<Integer, Long> amounts = new TreeMap<>();
    List<Integer> ids = new ArrayList<>(ids(tx.rows(table), chosen));
    ids.forEach(id -> amounts.put(id, amount.applyAsLong(id)));
    if (!amounts.isEmpty()) {
      tx.update(table, amounts);
    }
  }
}
