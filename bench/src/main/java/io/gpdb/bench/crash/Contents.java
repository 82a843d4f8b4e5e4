package io.gpdb.bench.crash;

import io.gpdb.storage.column.KeyHash;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows of all tables, as the model has them or as a database shows them; unchanging.
 *
 * @param tables by number: id to amount
 */
record Contents(SortedMap<Integer, SortedMap<Integer, Long>> tables) {
  static final Contents EMPTY = new Contents(new TreeMap<>());

  Contents {
    tables = Collections.unmodifiableSortedMap(tables);
  }

  /** What the newest snapshot shows. */
  static Contents of(TransactionManager manager) {
    Transaction tx = manager.begin();
    try {
      return of(tx, manager.tables().stream().map(TableStore::tableId).toList());
    } finally {
      tx.rollback();
    }
  }

  static Contents of(Transaction tx, Iterable<Integer> tableIds) {
    SortedMap<Integer, SortedMap<Integer, Long>> found = new TreeMap<>();
    for (int table : tableIds) {
      found.put(table, SampleTable.contents(tx, table));
    }
    return new Contents(found);
  }

  /** Equal for equal contents; for others different, except with a probability of 2^-64. */
  long digest() {
    long digest = tables.size();
    for (Map.Entry<Integer, SortedMap<Integer, Long>> table : tables.entrySet()) {
      digest = KeyHash.combine(digest, table.getKey());
      digest = KeyHash.combine(digest, table.getValue().size());
      for (Map.Entry<Integer, Long> row : table.getValue().entrySet()) {
        digest = KeyHash.combine(KeyHash.combine(digest, row.getKey()), row.getValue());
      }
    }
    return digest;
  }

  /** A copy that may be changed. */
  SortedMap<Integer, SortedMap<Integer, Long>> copy() {
    SortedMap<Integer, SortedMap<Integer, Long>> copy = new TreeMap<>();
    tables.forEach((table, rows) -> copy.put(table, new TreeMap<>(rows)));
    return copy;
  }

  /** The first few differences, for people. */
  String differenceFrom(Contents other) {
    StringBuilder text = new StringBuilder();
    if (!tables.keySet().equals(other.tables.keySet())) {
      return "tables " + tables.keySet() + " instead of " + other.tables.keySet();
    }
    int shown = 0;
    for (int table : tables.keySet()) {
      SortedMap<Integer, Long> mine = Objects.requireNonNull(tables.get(table));
      SortedMap<Integer, Long> theirs = Objects.requireNonNull(other.tables.get(table));
      TreeMap<Integer, Long> all = new TreeMap<>(mine);
      all.putAll(theirs);
      for (int id : all.keySet()) {
        Long here = mine.get(id);
        Long there = theirs.get(id);
        if (!Objects.equals(here, there) && shown++ < 4) {
          text.append(shown == 1 ? "" : "; ");
          text.append("table %d id %d: %s instead of %s".formatted(table, id, here, there));
        }
      }
    }
    return shown > 4 ? text + "; and " + (shown - 4) + " more" : text.toString();
  }
}
