package io.gpdb.bench.crash;

import static io.gpdb.bench.crash.SampleRows.ids;
import static io.gpdb.bench.crash.SampleRows.moved;
import static io.gpdb.bench.crash.SampleRows.rows;
import static io.gpdb.bench.crash.SampleRows.tableOf;
import static io.gpdb.bench.crash.SampleRows.update;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import io.gpdb.simulation.medium.PersistListener;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What is done to a database while it is crashed; the same seed does the same. */
enum Workload {
  /** Each sort of change in a transaction of its own, a checkpoint, a clean reopening. */
  STATEMENTS {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = tableOf(db, 40, id -> id % 4 == 0 ? NULL : id);
      db.commit(tx -> update(tx, table, id -> id < 36, id -> id % 3 == 0 ? NULL : id * 7L));
      db.commit(tx -> update(tx, table, id -> id == 39, id -> 11));
      db.commit(tx -> tx.rekey(table, moved(tx.rows(table), id -> id < 5, 1000)));
      db.commit(tx -> tx.delete(table, ids(tx.rows(table), id -> id % 8 == 1)));
      db.checkpoint();
      db.commit(
          tx -> {
            tx.insert(table, rows(db.newIds(5), 5, id -> id));
            update(tx, table, id -> id >= 40, id -> -id);
            tx.delete(table, ids(tx.rows(table), id -> id == 12));
          });
      db.reopen();
      db.commit(tx -> update(tx, table, id -> true, id -> id + 1000L));
      db.commit(tx -> tx.drop(table));
    }
  },

  /** Savepoints and roll-backs, of rows that others then write. */
  ROLLBACKS {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = tableOf(db, 64, id -> id % 5 == 0 ? NULL : id);
      ModelledTransaction first = db.begin();
      update(first, table, id -> id < 40, id -> NULL);
      first.insert(table, rows(db.newIds(20), 20, id -> id));
      db.rollback(first);
      db.commit(
          tx -> {
            update(tx, table, id -> id < 33, id -> id + 1L);
            ModelledTransaction.Mark mark = tx.savepoint();
            update(tx, table, id -> true, id -> 1234);
            tx.insert(table, rows(db.newIds(4), 4, id -> id));
            tx.rollbackTo(mark);
            update(tx, table, id -> id == 5, id -> 55);
          });
      int empty = db.newTable();
      db.commit(
          tx -> {
            tx.create(empty);
            ModelledTransaction.Mark bare = tx.savepoint();
            tx.insert(empty, rows(db.newIds(2), 2, id -> id)); // its first tablet is taken back
            tx.rollbackTo(bare);
          });
      ModelledTransaction waiting = db.begin();
      update(waiting, table, id -> id >= 40, id -> -2);
      ModelledTransaction.Mark mark = waiting.savepoint();
      update(waiting, table, id -> id < 38, id -> -3);
      waiting.rollbackTo(mark);
      db.commit(tx -> update(tx, table, id -> id < 36, id -> id * 100L));
      db.checkpoint();
      db.commit(waiting);
      ModelledTransaction unborn = db.begin(); // its NULLs stay behind the last row
      unborn.insert(table, rows(db.newIds(3), 3, id -> NULL));
      db.rollback(unborn);
      db.abandonAndReopen();
      db.commit(tx -> update(tx, table, id -> id % 2 == 0, id -> id % 4 == 0 ? NULL : 9));
    }
  },

  /** Statements of a few rows each, which the host does without a kernel; roll-backs of them. */
  FEW_ROWS {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = db.newTable();
      db.commit(tx -> tx.create(table));
      for (int round = 0; round < 3; round++) {
        int add = round;
        db.commit(tx -> tx.insert(table, rows(db.newIds(6), 6, id -> id % 2 == 0 ? NULL : id)));
        db.commit(tx -> update(tx, table, id -> id % 6 < 2, id -> id % 6 == 0 ? id : NULL));
        ModelledTransaction undone = db.begin();
        undone.rekey(table, moved(undone.rows(table), id -> id % 6 == 1, 1000));
        update(undone, table, id -> id % 6 == 4, id -> id * 3L + add);
        undone.insert(table, rows(db.newIds(2), 2, id -> NULL));
        db.rollback(undone);
        db.commit(tx -> tx.rekey(table, moved(tx.rows(table), id -> id % 6 == 5, 2000)));
        if (round == 1) {
          db.abandonAndReopen();
        }
      }
      db.checkpoint();
      db.commit(tx -> tx.delete(table, ids(tx.rows(table), id -> id % 6 == 3)));
    }
  },

  /** Processes killed in commits, checkpoints and openings: the power fails after that. */
  KILLS {
    @Override
    void run(ModelledDatabase db, Random random) {
      new KillSteps(db).anywhere(random);
    }
  },

  /**
   * Processes killed right before each sort of place makes durable what an opening then reads (W7),
   * and the power failing after that.
   */
  KILLS_AT_PLACES {
    @Override
    void run(ModelledDatabase db, Random random) {
      new KillSteps(db).atPlaces();
    }
  },

  /** Checkpoints between, under and right after commits, so that extents are used again. */
  CHECKPOINTS {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = db.newTable();
      db.commit(tx -> tx.create(table));
      db.checkpoint();
      for (int round = 0; round < 5; round++) {
        int add = round;
        db.commit(tx -> tx.insert(table, rows(db.newIds(12), 12, id -> id + add)));
        ModelledTransaction open = db.begin();
        update(open, table, id -> id % 3 == 0, id -> id * 11L + add);
        db.commit(tx -> update(tx, table, id -> id % 3 == 1, id -> id * 5L + add));
        db.checkpoint();
        if (round % 2 == 0) {
          db.commit(open);
        } else {
          db.rollback(open);
        }
      }
      db.checkpoint();
    }
  },

  /** Records that fill one log file after the other, and checkpoints that let go of them. */
  LOG_FILES {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = db.newTable();
      db.commit(tx -> tx.create(table));
      for (int round = 0; round < 12; round++) {
        int add = round * 1000;
        db.commit(tx -> tx.insert(table, rows(db.newIds(30), 30, id -> id + add)));
        db.commit(tx -> update(tx, table, id -> id % 2 == 0, id -> id + add));
        if (round % 4 == 3) {
          db.checkpoint();
        }
      }
      db.abandonAndReopen();
      db.commit(tx -> update(tx, table, id -> id % 5 == 0, id -> 77));
    }
  },

  /**
   * Records of definitions alone, which drain nothing but the log under any protocol: log files
   * that a checkpoint let go of are used again while only it has made the superblock durable.
   */
  DEFINITIONS {
    @Override
    void run(ModelledDatabase db, Random random) {
      for (int round = 0; round < 3; round++) {
        List<Integer> before = tables(db);
        List<Integer> more = tables(db);
        List<Integer> after = tables(db);
        db.commit(tx -> before.forEach(tx::create));
        db.commit(tx -> more.forEach(tx::create));
        db.checkpoint();
        db.commit(tx -> before.forEach(tx::drop));
        db.commit(tx -> after.forEach(tx::create));
        db.commit(tx -> more.forEach(tx::drop));
        db.commit(tx -> after.forEach(tx::drop));
      }
    }

    // Their record takes more than half of a log file.
    private static List<Integer> tables(ModelledDatabase db) {
      return IntStream.range(0, 40).mapToObj(i -> db.newTable()).toList();
    }
  },

  /** Tables made, filled, dropped and rolled back, several in one transaction. */
  TABLES {
    @Override
    void run(ModelledDatabase db, Random random) {
      int kept = db.newTable();
      int gone = db.newTable();
      int never = db.newTable();
      db.commit(
          tx -> {
            tx.create(kept);
            tx.create(gone);
            tx.insert(kept, rows(db.newIds(10), 10, id -> id));
            tx.insert(gone, rows(db.newIds(35), 35, id -> NULL));
          });
      db.checkpoint();
      ModelledTransaction tx = db.begin();
      tx.create(never);
      tx.insert(never, rows(db.newIds(3), 3, id -> id));
      tx.drop(kept);
      db.rollback(tx);
      int late = db.newTable();
      db.commit(
          t -> {
            t.drop(gone);
            t.create(late);
            t.insert(late, rows(db.newIds(33), 33, id -> id));
            update(t, kept, id -> true, id -> id + 3L);
          });
      db.checkpoint();
      db.checkpoint();
      db.commit(t -> update(t, late, id -> true, id -> 4));
    }
  },

  /**
   * Tables compacted by rewriting them, with rows and strings gone, while other transactions are
   * open.
   */
  REWRITES {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = tableOf(db, 70, id -> id % 9 == 0 ? NULL : id);
      db.commit(tx -> tx.delete(table, ids(tx.rows(table), id -> id % 3 != 0)));
      int first = db.newTable();
      db.commit(tx -> tx.rewrite(table, first));
      db.commit(tx -> update(tx, first, id -> id < 40, id -> id * 13L));
      int never = db.newTable();
      ModelledTransaction undone = db.begin();
      undone.rewrite(first, never);
      undone.insert(never, rows(db.newIds(5), 5, id -> id));
      db.rollback(undone);
      db.checkpoint();
      int second = db.newTable();
      db.commit(
          tx -> {
            tx.delete(first, ids(tx.rows(first), id -> id < 12));
            tx.rewrite(first, second);
            tx.insert(second, rows(db.newIds(6), 6, id -> -id));
          });
      db.checkpoint();
      db.checkpoint();
      db.abandonAndReopen();
      int third = db.newTable();
      db.commit(tx -> tx.rewrite(second, third));
      db.commit(tx -> update(tx, third, id -> true, id -> id + 2L));
      cutHome(db, third);
    }

    // Tables whose extents end the home file are dropped; the file is cut and grows again.
    private static void cutHome(ModelledDatabase db, int kept) {
      List<Integer> many = IntStream.range(0, 6).mapToObj(i -> db.newTable()).toList();
      db.commit(tx -> many.forEach(tx::create));
      db.commit(tx -> many.forEach(table -> tx.insert(table, rows(db.newIds(3), 3, id -> id))));
      db.checkpoint();
      db.commit(tx -> many.forEach(tx::drop));
      for (int i = 0; i < 6; i++) {
        int add = i;
        db.checkpoint();
        db.commit(tx -> update(tx, kept, id -> id % 6 == add, id -> id + 20L));
      }
      db.commit(tx -> tx.insert(kept, rows(db.newIds(9), 9, id -> NULL)));
      db.checkpoint();
    }
  },

  /** Columns and indexes that are added to tables with rows, and taken back. */
  RESHAPES {
    @Override
    void run(ModelledDatabase db, Random random) {
      new ReshapeSteps(db).run();
    }
  },

  /**
   * Strings that go, and their codes for others, while there are snapshots, roll-backs and
   * checkpoints.
   */
  REUSED_CODES {
    @Override
    void run(ModelledDatabase db, Random random) {
      int table = tableOf(db, 24, id -> id);
      for (int round = 0; round < 6; round++) {
        int add = 100 * round;
        db.commit(tx -> update(tx, table, id -> id % 4 > 0, id -> id + add + 40L));
        ModelledTransaction open = db.begin();
        update(open, table, id -> id % 4 == 0, id -> id + add + 70L);
        db.releaseStrings();
        db.commit(tx -> update(tx, table, id -> id % 4 == 1, id -> id * 3L + add + 300));
        if (round % 3 < 2) {
          db.checkpoint();
        }
        if (round % 2 == 0) {
          db.commit(open);
        } else {
          db.rollback(open);
        }
        db.releaseStrings();
        if (round == 3) {
          db.abandonAndReopen();
        } else if (round == 4) {
          db.killedBefore(PersistListener.Act.DRAIN.name(), random.nextInt(4), db::checkpoint);
        }
        db.commit(tx -> tx.insert(table, rows(db.newIds(3), 3, id -> id + add + 600L)));
        db.commit(tx -> tx.delete(table, ids(tx.rows(table), id -> id % 11 == add / 100)));
        db.releaseStrings();
      }
      db.checkpoint();
      db.commit(tx -> update(tx, table, id -> id % 2 == 0, id -> id - 2000L));
    }
  },

  /** Strings longer than a page, over 1 MiB of them, and keys that split the index. */
  GROWTH {
    @Override
    int cost() {
      return 8;
    }

    @Override
    void run(ModelledDatabase db, Random random) {
      int table = tableOf(db, 1200, id -> id);
      db.checkpointBeside(
          () -> {
            for (int i = 0; i < 5; i++) {
              db.commit(tx -> tx.insert(table, rows(db.newIds(220), 220, id -> id)));
            }
          },
          random);
      db.commit(tx -> update(tx, table, id -> id % 12 == 0, id -> SampleTable.LONG_NOTE + id * 5L));
      db.checkpoint();
      db.commit(
          tx -> {
            tx.insert(table, rows(db.newIds(120), 120, id -> SampleTable.LONG_NOTE + id));
            tx.delete(table, ids(tx.rows(table), id -> id % 50 == 1));
          });
      db.abandonAndReopen();
      db.commit(tx -> tx.rekey(table, moved(tx.rows(table), id -> id < 40, 10_000)));
    }
  },

  /** Three transactions at a time commit side by side, so that their batches are in flight. */
  COMMITS_TOGETHER {
    @Override
    void run(ModelledDatabase db, Random random) {
      new ConcurrentSteps(db, random).together();
    }
  },

  /** Each transaction overwrites rows of the one before it, whose commit is under way. */
  DEPENDENT_COMMITS {
    @Override
    void run(ModelledDatabase db, Random random) {
      new ConcurrentSteps(db, random).dependent();
    }
  },

  /** Transactions commit between the acts of a checkpoint. */
  CHECKPOINTS_BESIDE {
    @Override
    void run(ModelledDatabase db, Random random) {
      new CheckpointSteps(db, random).run();
    }
  },

  /** A random sequence of all of these over up to three transactions at once. */
  GENERATED {
    @Override
    void run(ModelledDatabase db, Random random) {
      new GeneratedSteps(db, random, false).run(40);
    }
  },

  /** The same, with steps between the acts of checkpoints. */
  GENERATED_BESIDE {
    @Override
    void run(ModelledDatabase db, Random random) {
      new GeneratedSteps(db, random, true).run(30);
    }
  };

  static final long NULL = SampleTable.NULL;

  abstract void run(ModelledDatabase db, Random random);

  /** What a state of it costs, in states of the others; it gets as much less of them. */
  int cost() {
    return 1;
  }

  /** Whether processes are killed in it. */
  boolean kills() {
    return this == KILLS || this == KILLS_AT_PLACES;
  }

  /** Whether several threads write in it. */
  boolean isConcurrent() {
    return switch (this) {
      case COMMITS_TOGETHER, DEPENDENT_COMMITS, CHECKPOINTS_BESIDE, GENERATED_BESIDE -> true;
      default -> false;
    };
  }
}
