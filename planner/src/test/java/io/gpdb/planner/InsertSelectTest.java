package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.far.FarDevice;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * INSERT … SELECT stores what the query returns, whichever columns go to the table on the device
 * and whichever the host assigns. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N}
 * runs N rounds.
 */
class InsertSelectTest {
  private static final int STATEMENTS = 12;

  /** A column's type, and values of it computed of v, of that type or a narrower one. */
  private record Kind(String type, List<String> values) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("SMALLINT", List.of("CAST(MOD(v, 100) AS SMALLINT)", "CAST(3 AS SMALLINT)")),
          new Kind("INTEGER", List.of("CAST(v * 7 AS INTEGER)", "CAST(MOD(v, 9) AS SMALLINT)")),
          new Kind("BIGINT", List.of("CAST(v AS BIGINT) * 1000000007", "v", "CAST(v AS INTEGER)")),
          new Kind("REAL", List.of("CAST(v AS REAL) / 4", "CAST(MOD(v, 50) AS REAL)")),
          new Kind("DOUBLE", List.of("CAST(v AS DOUBLE) / 3", "CAST(MOD(v, 50) AS REAL)")),
          new Kind("BOOLEAN", List.of("MOD(v, 3) = 0")),
          new Kind("DECIMAL(9, 2)", List.of("CAST(v AS DECIMAL(9, 2))", "CAST(1.5 AS DECIMAL(4))")),
          new Kind("DATE", List.of("DATE '2000-02-28' + CAST(v AS INTEGER) * INTERVAL '1' DAY")),
          new Kind("VARCHAR(12)", List.of("'s' || MOD(v, 5)", "CAST(v AS VARCHAR(12))")));

  private static FarDevice far() {
    return new FarDevice(new EmulatedDevice(EmulatedOptions.standard()));
  }

  private static EndToEnd on(FarDevice device) {
    return new EndToEnd(new VolatileDirectory("far"), device, TxnOptions.standard());
  }

  @Test
  void whatTheQueryReturnsIsStored() {
    RandomSeeds.of(2)
        .forEach(
            seed -> {
              try (EndToEnd near = new EndToEnd();
                  EndToEnd far = on(far())) {
                round(near, new Random(seed));
                round(far, new Random(seed));
              }
            });
  }

  private static void round(EndToEnd db, Random random) {
    db.run("CREATE TABLE copied (v BIGINT, other INTEGER)");
    db.run(
        "INSERT INTO copied SELECT v, CAST(MOD(v, 4) AS INTEGER) FROM TABLE(GENERATE_SERIES(1,"
            + " 3000)) AS s(v)");
    for (int i = 0; i < STATEMENTS; i++) {
      statement(db, random);
      db.run("DROP TABLE w");
    }
  }

  private static void statement(EndToEnd db, Random random) {
    List<Kind> kinds = new ArrayList<>();
    for (int c = 1 + random.nextInt(6); c > 0; c--) {
      kinds.add(KINDS.get(random.nextInt(KINDS.size())));
    }
    StringBuilder columns = new StringBuilder("k INTEGER");
    List<Integer> order = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (int c = 0; c < kinds.size(); c++) {
      columns.append(", c").append(c).append(' ').append(kinds.get(c).type());
      order.add(c);
      List<String> some = kinds.get(c).values();
      String value = some.get(random.nextInt(some.size()));
      values.add(
          random.nextInt(4) > 0
              ? value
              : "CASE WHEN MOD(v, 7) = 2 THEN NULL ELSE " + value + " END");
    }
    String key = random.nextBoolean() ? ", PRIMARY KEY (k)" : "";
    db.run("CREATE TABLE w (" + columns + key + ")");
    Collections.shuffle(order, random);
    List<Integer> given = order.subList(0, random.nextInt(order.size()) + 1);
    String names = given.stream().map(c -> ", c" + c).collect(Collectors.joining());
    String source = source(random);
    String query =
        "SELECT CAST(v AS INTEGER)"
            + given.stream().map(c -> ", " + values.get(c)).collect(Collectors.joining())
            + source;
    String conflict = random.nextInt(4) == 0 && !key.isEmpty() ? " ON CONFLICT DO NOTHING" : "";
    db.run("INSERT INTO w (k" + names + ") " + query + conflict);
    String wanted =
        "SELECT CAST(v AS INTEGER)"
            + given.stream()
                .map(c -> ", CAST(" + values.get(c) + " AS " + kinds.get(c).type() + ")")
                .collect(Collectors.joining())
            + source
            + " ORDER BY 1";
    String stored = "SELECT k" + names + " FROM w ORDER BY k";
    List<String> expected = db.rows(wanted);
    assertThat(db.rows(stored)).as(query).isEqualTo(expected);
    String missing =
        order.subList(given.size(), order.size()).stream()
            .map(c -> " OR c" + c + " IS NOT NULL")
            .collect(Collectors.joining());
    assertThat(db.rows("SELECT count(*) FROM w WHERE k IS NULL" + missing)).containsExactly("0");
    // The table itself: all rows are read before the first is stored
    db.run("INSERT INTO w (k" + names + ") SELECT k + 100000" + names + " FROM w");
    assertThat(db.rows("SELECT k - 100000" + names + " FROM w WHERE k > 100000 ORDER BY k"))
        .as("of the table itself: %s", query)
        .isEqualTo(expected);
  }

  private static String source(Random random) {
    int rows = new int[] {1, 31, 33, 700, 2000, 70_000}[random.nextInt(6)];
    String series = "TABLE(GENERATE_SERIES(1, %d)) AS s(v)".formatted(rows);
    return switch (random.nextInt(6)) {
      case 0 -> " FROM copied WHERE v <= " + rows;
      case 1 -> " FROM (SELECT v FROM copied WHERE other < 3 ORDER BY v LIMIT 40) AS x";
      case 2 -> " FROM (SELECT v FROM " + series + " UNION ALL SELECT v + 90000 FROM copied) AS x";
      case 3 -> " FROM " + series + " WHERE MOD(v, 5) < 3";
      case 4 -> " FROM copied JOIN (SELECT v AS u FROM " + series + ") AS x ON v = u";
      default -> " FROM " + series;
    };
  }

  /** Only keys come to the host, which keeps the index. */
  @Test
  void columnsThatAreStoredAsTheyAreStayOnTheDevice() {
    FarDevice device = far();
    try (EndToEnd db = on(device)) {
      db.run("CREATE TABLE plain (a INTEGER, b BIGINT, c DOUBLE)");
      db.run("CREATE TABLE keyed (a INTEGER PRIMARY KEY, b BIGINT, c DOUBLE)");
      int rows = 200_000;
      assertThat(bytesToHost(db, device, "plain", rows)).isLessThan(rows);
      assertThat(bytesToHost(db, device, "keyed", rows)).isBetween(4L * rows, 5L * rows);
    }
  }

  private static long bytesToHost(EndToEnd db, FarDevice device, String table, int rows) {
    Transaction tx = db.begin();
    long before = device.memory().bytesToHost();
    db.run(
        tx,
        "INSERT INTO %s SELECT CAST(v AS INTEGER), CAST(v AS BIGINT), CAST(v AS DOUBLE) FROM TABLE(GENERATE_SERIES(1, %d)) AS s(v)"
            .formatted(table, rows));
    long bytes = device.memory().bytesToHost() - before;
    tx.rollback();
    return bytes;
  }
}
