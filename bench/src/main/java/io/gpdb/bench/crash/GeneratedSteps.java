package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Random steps of up to three transactions at once on up to three tables; where they are said to be
 * beside checkpoints, some of them between the acts of one.
 */
final class GeneratedSteps {
  private static final int TRANSACTIONS_MAX = 3;
  private static final int TABLES_MAX = 3;
  private static final int ROWS_MAX = 150;
  private static final int STEPS_BESIDE_MAX = 6;

  private final ModelledDatabase db;
  private final Random random;
  private final boolean beside;
  private final IdentityHashMap<ModelledTransaction, ModelledTransaction.Mark> marks =
      new IdentityHashMap<>();

  GeneratedSteps(ModelledDatabase db, Random random, boolean beside) {
    this.db = db;
    this.random = random;
    this.beside = beside;
  }

  void run(int steps) {
    int first = db.newTable();
    db.commit(tx -> tx.create(first));
    db.commit(tx -> tx.insert(first, SampleRows.rows(db.newIds(50), 50, this::amount)));
    for (int i = 0; i < steps; i++) {
      step();
    }
    for (ModelledTransaction tx : List.copyOf(db.open())) {
      db.commit(tx);
    }
  }

  private long amount(int id) {
    return random.nextInt(5) == 0 ? SampleTable.NULL : random.nextInt(100_000);
  }

  private void step() {
    int choice = random.nextInt(20);
    if (choice == 0) {
      db.checkpoint();
    } else if (choice == 1) {
      reopen();
    } else if (beside && choice < 5) {
      db.checkpointBeside(this::stepsBeside, random);
    } else {
      stepOfAny(choice < 5);
    }
  }

  private void stepsBeside() {
    int steps = 1 + random.nextInt(STEPS_BESIDE_MAX);
    for (int i = 0; i < steps; i++) {
      stepOfAny(random.nextInt(4) == 0);
    }
  }

  private void stepOfAny(boolean begins) {
    if (db.open().isEmpty() || (begins && db.open().size() < TRANSACTIONS_MAX)) {
      db.begin();
    } else {
      stepOf(db.open().get(random.nextInt(db.open().size())));
    }
  }

  private void reopen() {
    marks.clear();
    if (random.nextBoolean()) {
      db.reopen();
    } else {
      db.abandonAndReopen();
    }
  }

  private void stepOf(ModelledTransaction tx) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> end(tx);
      case 3 -> marks.put(tx, tx.savepoint());
      case 4 -> {
        ModelledTransaction.Mark mark = marks.get(tx);
        if (mark != null) {
          tx.rollbackTo(mark);
        }
      }
      case 5 -> db.attempt(tx, () -> tables(tx));
      default -> db.attempt(tx, () -> rows(tx));
    }
  }

  private void end(ModelledTransaction tx) {
    marks.remove(tx);
    if (random.nextInt(4) == 0) {
      db.rollback(tx);
    } else {
      db.commit(tx);
    }
  }

  private void tables(ModelledTransaction tx) {
    if (tx.tables().size() < TABLES_MAX) {
      int table = db.newTable();
      tx.create(table);
      if (!beside || random.nextBoolean()) { // another transaction fills the others
        tx.insert(table, SampleRows.rows(db.newIds(7), 7, this::amount));
      }
    } else {
      tx.drop(anyOf(tx.tables()));
    }
  }

  private int anyOf(Iterable<Integer> numbers) {
    List<Integer> all = new ArrayList<>();
    numbers.forEach(all::add);
    return all.get(random.nextInt(all.size()));
  }

  private void rows(ModelledTransaction tx) {
    if (tx.tables().isEmpty()) {
      return;
    }
    int table = anyOf(tx.tables());
    SortedMap<Integer, Long> rows = tx.rows(table);
    if (rows.isEmpty() || (rows.size() < ROWS_MAX && random.nextInt(3) == 0)) {
      int n = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
      tx.insert(table, SampleRows.rows(db.newIds(n), n, this::amount));
      return;
    }
    Set<Integer> chosen = some(rows);
    switch (random.nextInt(6)) {
      case 0 -> tx.delete(table, chosen);
      case 1 -> {
        int to = db.newIds(chosen.size());
        SortedMap<Integer, Integer> moved = new TreeMap<>();
        for (int id : chosen) {
          moved.put(id, to++);
        }
        tx.rekey(table, moved);
      }
      default -> {
        SortedMap<Integer, Long> amounts = new TreeMap<>();
        chosen.forEach(id -> amounts.put(id, amount(id)));
        tx.update(table, amounts);
      }
    }
  }

  /** One row, a few, or most. */
  private Set<Integer> some(SortedMap<Integer, Long> rows) {
    int keep = 1 + random.nextInt(4);
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int id : rows.keySet()) {
      if (keep > 2 ? random.nextInt(40) < keep : random.nextInt(keep) == 0) {
        chosen.add(id);
      }
    }
    if (chosen.isEmpty()) {
      chosen.add(rows.firstKey());
    }
    return chosen;
  }
}
