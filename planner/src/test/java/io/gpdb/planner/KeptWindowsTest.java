package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Aggregates over a table of many tablets, run again and again between changes: the plan that keeps
 * its windows answers as one that is made anew.
 */
class KeptWindowsTest {
  private static final int FIRST_ROWS = 1 << 16;

  /** Four tablets. */
  private static final int DOUBLINGS = 2;

  private static final List<String> QUERIES =
      List.of(
          "SELECT count(*), sum(a), count(x) FROM t WHERE b < ?",
          "SELECT min(a), max(x), sum(d) FROM t WHERE a > ?",
          "SELECT count(*), max(s), min(s) FROM t WHERE s LIKE '%7%' AND b <> ?",
          "SELECT sum(100 / (b - ?)) FROM t");

  private int texts;

  private static void fill(EndToEnd database) {
    database.run("CREATE TABLE t (a INT, b INT, x INT, d DOUBLE PRECISION, s VARCHAR(10))");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < FIRST_ROWS; i++) {
      rows.add(new Object[] {i, i % 100, i % 3, i / 7.0, "s" + i % 50});
    }
    database.batch("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows);
    for (int i = 0; i < DOUBLINGS; i++) {
      database.run("INSERT INTO t SELECT a, b, x, d, s FROM t");
    }
  }

  private static String answer(
      QueryEngine engine, Transaction tx, String sql, @Nullable Object parameter) {
    try {
      return EndToEnd.rows(engine, tx, sql, parameter).toString();
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    }
  }

  private void compare(EndToEnd database, Transaction tx, Random random, String place) {
    for (String sql : QUERIES) {
      Object parameter = random.nextInt(10) == 0 ? null : random.nextInt(110);
      String alike = sql.replace("FROM t", "FROM t AS t" + ++texts); // has a plan of its own
      assertThat(answer(database.engine, tx, sql, parameter))
          .as(place + ": " + sql + " of " + parameter)
          .isEqualTo(answer(database.engine, tx, alike, parameter));
    }
  }

  private static void change(EndToEnd database, Random random) {
    int some = random.nextInt(FIRST_ROWS);
    switch (random.nextInt(7)) {
      case 0 -> database.run("UPDATE t SET a = a + 1, d = d + 1 WHERE a = ?", some);
      case 1 -> database.run("UPDATE t SET x = NULL WHERE a = ?", some);
      case 2 -> database.run("DELETE FROM t WHERE a = ?", some);
      case 3, 5 -> database.run("INSERT INTO t (a, b, s) VALUES (?, 3, ?)", some, "n7" + some);
      case 4 -> database.transactions().checkpoint();
      default -> {}
    }
  }

  private void compareBetweenChanges(EndToEnd database, int steps) {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    fill(database);
    Transaction older = database.begin();
    for (int step = 0; step < steps; step++) {
      String place = "seed=" + seed + ", step=" + step;
      change(database, random);
      database.inTransaction(
          tx -> {
            compare(database, tx, random, place);
            return 0;
          });
      if (step % 4 == 3) {
        compare(database, older, random, place + ", older");
        older.rollback();
        older = database.begin();
      }
    }
    older.rollback();
  }

  @Test
  void queriesBetweenChangesAnswerAsThoseWhosePlansAreNew() {
    EmulatedOptions options = EmulatedOptions.standard();
    try (CrashableDirectory directory = new CrashableDirectory();
        EndToEnd database =
            new EndToEnd(directory, new EmulatedDevice(options), TxnOptions.standard())) {
      compareBetweenChanges(database, 16);
    }
  }

  @Test
  void soDoThoseOfADeviceWithMemoryOfItsOwn() {
    VolatileDirectory directory = new VolatileDirectory("kept-windows");
    try (EndToEnd database =
        new EndToEnd(directory, new AnnouncingDevice(), TxnOptions.standard())) {
      compareBetweenChanges(database, 8);
    }
  }
}
