package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import java.util.Random;
import java.util.function.IntToLongFunction;

/**
 * What transactions commit while a checkpoint is under way, between any of its acts. In each round
 * one of them fills a table that the checkpoint finds empty: all that its tablet holds is in the
 * image then, before the commit is.
 */
final class CheckpointSteps {
  private static final int ROWS = 30;

  private final ModelledDatabase db;
  private final Random random;
  private int busy;
  private int empty;

  CheckpointSteps(ModelledDatabase db, Random random) {
    this.db = db;
    this.random = random;
  }

  void run() {
    busy = SampleRows.tableOf(db, ROWS, id -> id % 6 == 0 ? SampleTable.NULL : id);
    beside(this::filled);
    beside(this::changed);
    beside(this::emptied);
    db.abandonAndReopen();
    beside(this::dropped);
    beside(this::reshaped);
    beside(this::rewritten);
    db.abandonAndReopen();
    beside(this::otherStrings);
    beside(this::undone);
    beside(this::checkpointed);
    db.abandonAndReopen();
    db.commit(tx -> SampleRows.update(tx, busy, id -> id % 2 == 0, id -> id + 2000L));
  }

  /** A checkpoint that knows of a table without rows, and the work beside it. */
  private void beside(Runnable work) {
    empty = db.newTable();
    db.commit(tx -> tx.create(empty));
    db.commit(tx -> SampleRows.update(tx, busy, id -> id % 3 == 0, id -> id + empty));
    db.checkpointBeside(
        () -> {
          work.run();
          db.commit(tx -> SampleRows.update(tx, busy, id -> id % 5 == 0, id -> id - empty));
        },
        random);
  }

  private void filled() {
    db.commit(tx -> insert(tx, empty, ROWS, id -> id));
  }

  private void insert(ModelledTransaction tx, int table, int n, IntToLongFunction amount) {
    tx.insert(table, SampleRows.rows(db.newIds(n), n, amount));
  }

  private void changed() {
    filled();
    db.commit(tx -> SampleRows.update(tx, empty, id -> true, id -> id * 2L));
  }

  private void emptied() {
    filled();
    db.commit(
        tx -> {
          tx.delete(empty, SampleRows.ids(tx.rows(empty), id -> true));
          insert(tx, empty, ROWS, id -> -id);
        });
  }

  private void dropped() {
    filled();
    int made = db.newTable();
    db.commit(
        tx -> {
          tx.drop(empty);
          tx.create(made);
          insert(tx, made, 8, id -> id);
        });
  }

  private void reshaped() {
    filled();
    db.commit(
        tx -> {
          tx.addColumn(empty);
          tx.addIndex(empty, true);
          SampleRows.update(tx, empty, id -> id % 4 == 0, id -> id * 3L);
        });
    db.commit(tx -> tx.addColumn(busy));
  }

  private void rewritten() {
    int moved = db.newTable();
    db.commit(tx -> tx.delete(busy, SampleRows.ids(tx.rows(busy), id -> id % 3 == 1)));
    db.commit(tx -> tx.rewrite(busy, moved));
    busy = moved;
  }

  /** Strings of more than a page among them. */
  private void otherStrings() {
    db.commit(tx -> tx.delete(busy, SampleRows.ids(tx.rows(busy), id -> id % 2 == 1)));
    db.releaseStrings();
    db.commit(tx -> insert(tx, busy, 12, id -> id % 6 == 0 ? SampleTable.LONG_NOTE + id : id));
    db.releaseStrings();
  }

  private void undone() {
    filled();
    ModelledTransaction tx = db.begin();
    SampleRows.update(tx, empty, id -> id % 2 == 0, id -> SampleTable.NULL);
    insert(tx, empty, 5, id -> id);
    db.rollback(tx);
    ModelledTransaction left = db.begin();
    insert(left, empty, 4, id -> SampleTable.NULL);
  }

  /** Behind the one that is under way. */
  private void checkpointed() {
    db.checkpoint();
    db.commit(tx -> tx.rekey(busy, SampleRows.moved(tx.rows(busy), id -> id % 7 == 3, 1000)));
  }
}
