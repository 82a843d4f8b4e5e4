package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What several threads commit, with a checkpoint and a kill between. */
final class ConcurrentSteps {
  private static final int ROUNDS = 8;
  private static final int AT_A_TIME = 3;
  private static final int ROWS = 45;

  private final ModelledDatabase db;
  private final Random random;

  ConcurrentSteps(ModelledDatabase db, Random random) {
    this.db = db;
    this.random = random;
  }

  /** Transactions that have written different rows. */
  void together() {
    int table = SampleRows.tableOf(db, ROWS, id -> id);
    for (int round = 0; round < ROUNDS; round++) {
      List<ModelledTransaction> together = new ArrayList<>();
      for (int i = 0; i < AT_A_TIME; i++) {
        int own = i;
        int add = round * 1000;
        ModelledTransaction tx = db.begin();
        SampleRows.update(tx, table, id -> id % AT_A_TIME == own && id < ROWS, id -> id * 3L + add);
        tx.insert(
            table,
            SampleRows.rows(db.newIds(3), 3, id -> id % 2 == 0 ? SampleTable.NULL : id + add));
        together.add(tx);
      }
      db.commitTogether(together, random);
      between(round);
    }
  }

  /**
   * Each transaction begins when the one before it is released: it overwrites rows that this has
   * written, and deletes one that it has inserted. Some only read.
   */
  void dependent() {
    int table = SampleRows.tableOf(db, ROWS, id -> id);
    for (int round = 0; round < ROUNDS; round++) {
      List<Consumer<ModelledTransaction>> works = new ArrayList<>();
      int first = db.newIds(AT_A_TIME * 3);
      for (int i = 0; i < AT_A_TIME; i++) {
        long add = round * 1000L + i * 100L;
        int ids = first + i * 3;
        boolean reads = i == AT_A_TIME - 1 && round % 3 == 2;
        works.add(
            tx -> {
              if (!reads) {
                SampleRows.update(tx, table, id -> id % 5 < 2 || id >= first, id -> id + add);
                tx.delete(table, SampleRows.ids(tx.rows(table), id -> id == ids - 1));
                tx.insert(
                    table,
                    SampleRows.rows(ids, 3, id -> id % 2 == 0 ? SampleTable.NULL : id + add));
              }
            });
      }
      db.commitDependent(works, random);
      between(round);
    }
  }

  private void between(int round) {
    if (round == 2) {
      db.checkpoint();
    } else if (round == 5) {
      db.abandonAndReopen();
    }
  }
}
