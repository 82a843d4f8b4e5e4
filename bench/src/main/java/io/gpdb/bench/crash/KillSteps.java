package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import io.gpdb.simulation.medium.PersistListener;
import java.util.List;
import java.util.Random;

/** Processes killed in commits, checkpoints and openings. */
final class KillSteps {
  private static final int KILLS_OF_RUN = 12;

  private static final List<String> PLACES_OF_COMMITS =
      List.of(
          "FLUSH wal-",
          "DRAIN home.gpdb",
          "DRAIN wal-",
          "FLUSH undo.gpdb",
          "DRAIN undo.gpdb",
          "FLUSH home.gpdb",
          "NAMES");

  /** Both superblocks, their flush and what comes after it. */
  private static final List<String> PLACES_OF_CHECKPOINTS =
      List.of("FLUSH home.gpdb:0", "FLUSH home.gpdb:4096", "DRAIN home.gpdb:0", "NAMES");

  private static final PersistListener.Act[] KILLED_BEFORE = {
    PersistListener.Act.DRAIN, PersistListener.Act.FLUSH, PersistListener.Act.DRAIN
  };

  private final ModelledDatabase db;

  KillSteps(ModelledDatabase db) {
    this.db = db;
  }

  /** Before an act drawn at random. */
  void anywhere(Random random) {
    int table = SampleRows.tableOf(db, 40, id -> id % 5 == 0 ? SampleTable.NULL : id);
    for (int round = 0; round < KILLS_OF_RUN; round++) {
      int add = round;
      ModelledTransaction left = db.begin();
      SampleRows.update(left, table, id -> id % 4 == 3, id -> id + 500L + add);
      PersistListener.Act sort = KILLED_BEFORE[round % KILLED_BEFORE.length];
      int acts = random.nextInt(1 << random.nextInt(4));
      if (round % 4 < 2) {
        db.killedBefore(
            sort.name(),
            acts,
            () ->
                db.commit(
                    tx -> {
                      SampleRows.update(tx, table, id -> id % 4 == add % 3, id -> id * 2L + add);
                      tx.insert(table, SampleRows.rows(db.newIds(3), 3, id -> id));
                    }));
      } else {
        db.commit(tx -> tx.insert(table, SampleRows.rows(db.newIds(8), 8, id -> id)));
        db.killedBefore(sort.name(), acts, db::checkpoint);
        db.checkpoint();
      }
      db.commit(tx -> SampleRows.update(tx, table, id -> id % 9 == 0, id -> id));
    }
  }

  /** Right before each sort of place makes durable what an opening then reads (W7). */
  void atPlaces() {
    int table = SampleRows.tableOf(db, 60, id -> id);
    for (int i = 0; i < 2 * PLACES_OF_COMMITS.size(); i++) {
      db.killedBefore(
          PLACES_OF_COMMITS.get(i / 2),
          i % 2,
          () ->
              db.commit(
                  tx -> {
                    SampleRows.update(tx, table, id -> id % 3 > 0, id -> id * 3L);
                    tx.insert(table, SampleRows.rows(db.newIds(3), 3, id -> id));
                  }));
      db.commit(tx -> SampleRows.update(tx, table, id -> id % 8 == 0, id -> id + 9L));
    }
    for (String place : PLACES_OF_CHECKPOINTS) {
      db.commit(tx -> SampleRows.update(tx, table, id -> id % 2 == 0, id -> id - 5L));
      db.killedBefore(place, 0, db::checkpoint);
      db.commit(tx -> tx.insert(table, SampleRows.rows(db.newIds(2), 2, id -> id)));
      db.checkpoint();
    }
  }
}
