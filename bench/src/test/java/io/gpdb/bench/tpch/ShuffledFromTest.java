package io.gpdb.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A query has the same answer and costs about the same, whatever the order of its tables in FROM.
 * What it costs is how many rows come out of its operators, which, other than times, is the same in
 * each run. {@code -Dgpdb.seed=S} replays one run.
 */
class ShuffledFromTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime());
  private static final int ORDERS = Integer.getInteger("gpdb.fuzz", 1) > 1 ? 6 : 1;

  /** By which factor the rows that all operators return may differ. */
  private static final double FACTOR_MAX = 2;

  private static final Pattern TABLES =
      Pattern.compile("(?i)\\bfrom\\s+(\\w+(?: \\w+)?(?:,\\s*\\w+(?: \\w+)?){2,})\\s+where");

  private final Random random = new Random(SEED);

  @Test
  void joinsOfTpchCostTheSame() throws SQLException {
    int joins = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:shuffledFrom");
        Statement ask = connection.createStatement()) {
      TpchTables.load(connection, new TpchScale(0.005), SEED, _ -> {});
      for (int q = 0; q < TpchQueries.ALL.size(); q++) {
        String query = TpchQueries.ALL.get(q);
        if (TABLES.matcher(query).find()) {
          hold(ask, query, "Q" + (q + 1));
          joins++;
        }
      }
    }
    assertThat(joins).as("queries of three tables and more").isGreaterThan(7);
  }

  /** As the lines of a warehouse's orders, with their customers, are looked for. */
  @Test
  void aJoinByKeysOfTwoColumnsCostsTheSame() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:shuffledKeys");
        Statement ask = connection.createStatement()) {
      for (String sql :
          List.of(
              "CREATE TABLE w (w INTEGER PRIMARY KEY, name VARCHAR(10))",
              "CREATE TABLE c (cw INTEGER, id INTEGER, name VARCHAR(10), PRIMARY KEY (cw, id))",
              "CREATE TABLE o (ow INTEGER, oc INTEGER, id INTEGER, amount INTEGER,"
                  + " PRIMARY KEY (ow, id))",
              "INSERT INTO w SELECT n, 'w' FROM generate_series(1, 10) AS s(n)",
              "INSERT INTO c SELECT MOD(n, 10) + 1, n, 'c' FROM generate_series(1, 3000) AS s(n)",
              "INSERT INTO o SELECT MOD(n, 10) + 1, MOD(n * 7, 3000) + 1, n, MOD(n, 100)"
                  + " FROM generate_series(1, 30000) AS s(n)")) {
        ask.execute(sql);
      }
      String joined =
          "SELECT COUNT(*), SUM(amount) FROM o, w, c WHERE ow = w AND cw = w AND c.id = oc";
      hold(ask, joined, "all");
      hold(ask, joined + " AND w = 3", "one");
    }
  }

  private void hold(Statement ask, String query, String name) throws SQLException {
    List<List<String>> expected = TpchAnswers.rows(ask, query);
    double least = rows(ask, query);
    double most = least;
    List<String> tried = new ArrayList<>(List.of(query));
    for (int i = 0; i < ORDERS; i++) {
      String shuffled = TABLES.matcher(query).replaceAll(found -> shuffled(found.group(1)));
      tried.add(shuffled);
      assertThat(TpchRows.difference(TpchAnswers.rows(ask, shuffled), expected))
          .as("seed %d, %s: %s", SEED, name, shuffled)
          .isEmpty();
      double rows = rows(ask, shuffled);
      least = Math.min(least, rows);
      most = Math.max(most, rows);
    }
    assertThat(most / least)
        .as("seed %d, %s: rows of operators in %s", SEED, name, tried)
        .isLessThanOrEqualTo(FACTOR_MAX);
  }

  private static double rows(Statement ask, String query) throws SQLException {
    return PlanEstimate.of(ask, query).stream().mapToDouble(PlanEstimate::actual).sum();
  }

  private String shuffled(String tables) {
    List<String> list = new ArrayList<>(Arrays.asList(tables.split(",\\s*")));
    Collections.shuffle(list, random);
    return "FROM " + String.join(", ", list) + " WHERE";
  }
}
