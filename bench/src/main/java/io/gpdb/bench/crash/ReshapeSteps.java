package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;

/** Columns and indexes added to tables, committed, undone, and under a checkpoint. */
final class ReshapeSteps {
  private final ModelledDatabase db;

  ReshapeSteps(ModelledDatabase db) {
    this.db = db;
  }

  void run() {
    int table = grow();
    afterwards(table);
  }

  /** Returns the table that has grown. */
  private int grow() {
    int table = SampleRows.tableOf(db, 70, id -> id % 9 == 0 ? SampleTable.NULL : id);
    db.commit(tx -> tx.addColumn(table));
    db.commit(tx -> SampleRows.update(tx, table, id -> id % 3 == 0, id -> id * 5L));
    db.commit(
        tx -> {
          SampleRows.update(tx, table, id -> id % 7 == 0, id -> id * 2L);
          tx.addColumn(table);
          tx.addIndex(table, true);
          tx.insert(table, SampleRows.rows(db.newIds(5), 5, id -> id));
        });
    ModelledTransaction undone = db.begin();
    undone.addColumn(table);
    undone.addIndex(table, false);
    SampleRows.update(undone, table, id -> id % 4 == 0, id -> id + 9L);
    db.checkpoint();
    db.rollback(undone);
    db.commit(
        tx -> {
          ModelledTransaction.Mark mark = tx.savepoint();
          tx.addColumn(table);
          tx.addColumn(table);
          SampleRows.update(tx, table, id -> id % 5 == 0, id -> -id);
          tx.rollbackTo(mark);
          tx.addIndex(table, false);
          tx.rekey(table, SampleRows.moved(tx.rows(table), id -> id % 10 == 3, 1000));
        });
    ModelledTransaction open = db.begin();
    open.addColumn(table);
    open.insert(table, SampleRows.rows(db.newIds(4), 4, id -> SampleTable.NULL));
    db.checkpoint();
    db.commit(open);
    db.abandonAndReopen();
    db.commit(tx -> SampleRows.update(tx, table, id -> id % 2 == 0, id -> id + 1000L));
    return table;
  }

  private void afterwards(int table) {
    int made = db.newTable();
    db.commit(
        tx -> {
          tx.create(made);
          tx.insert(made, SampleRows.rows(db.newIds(8), 8, id -> id));
          tx.addColumn(made);
          tx.addIndex(made, false);
          SampleRows.update(tx, made, id -> id % 2 == 0, id -> id);
        });
    int moved = db.newTable();
    db.commit(tx -> tx.rewrite(table, moved));
    db.checkpoint();
    db.commit(tx -> SampleRows.update(tx, moved, id -> true, id -> id + 3L));
    db.commit(tx -> tx.addColumn(made));
    db.reopen();
    db.commit(tx -> tx.delete(moved, SampleRows.ids(tx.rows(moved), id -> id % 2 == 0)));
  }
}
