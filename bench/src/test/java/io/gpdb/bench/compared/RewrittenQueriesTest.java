package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.compared.Scope.Column;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random queries have the same rows however they are written and wherever they run: their tables as
 * derived tables, views, common tables and unions ({@link RewrittenTable}); the whole query as one,
 * its rows split by a condition, or with some of its columns; without indexes, with little memory,
 * with four workers, by the reference executor, and over rows of several tablets. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds, from the seed's on where
 * both are given; {@code -Dgpdb.rows=N} makes tables of up to N rows.
 */
class RewrittenQueriesTest {
  private static final int ROUNDS = 1;
  private static final int QUERIES = 10;
  private static final int TABLET_ROWS = 65_536;
  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int undecided;
  private int failed;

  @Test
  void randomQueriesHaveTheSameRowsHoweverTheyAreWritten() throws SQLException {
    long[] seeds = Seeds.of(ROUNDS);
    for (long seed : seeds) {
      new Round(seed).run();
    }
    String counts =
        "%d compared, %d undecided, %d queries failed".formatted(compared, undecided, failed);
    System.out.println("RewrittenQueriesTest: " + counts);
    assertThat(problems).as(counts).isEmpty();
    assertThat(compared).isGreaterThan(seeds.length * QUERIES * 8);
  }

  private void found(String problem) {
    System.out.println(problem); // a long run says it at once
    problems.add(problem);
  }

  /** Tables, and queries over them. */
  private final class Round {
    private final long seed;
    private final Random random;
    private final Map<String, Connection> places = new LinkedHashMap<>();
    private final Map<String, List<Column>> tables = new LinkedHashMap<>();

    Round(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() throws SQLException {
      try (Connection db = open("")) {
        places.put("4 workers", open(";workers=4"));
        places.put("reference executor", open(";executor=reference"));
        places.put("little memory", open(";memory_limit=" + ((8L + random.nextInt(57)) << 20)));
        Connection several = open(";auto_vacuum=false");
        places.put("several tablets", several);
        List<Connection> all = new ArrayList<>(List.of(db));
        all.addAll(places.values());
        for (int i = 0; i < QueriesBesideDuckDbTest.TABLES; i++) {
          Connection[] databases = all.toArray(Connection[]::new);
          tables.put(
              "t" + i,
              QueriesBesideDuckDbTest.table(
                  random,
                  "t" + i,
                  QueriesBesideDuckDbTest.ROWS_MAX,
                  kind -> kind.typeOrChar(random),
                  databases));
        }
        spread(several);
        RewrittenTable rewritten = new RewrittenTable(random, tables);
        for (String view : rewritten.views()) {
          QueriesBesideDuckDbTest.execute(view, db);
        }
        RandomSelect queries = new RandomSelect(random, tables);
        for (int i = 0; i < QUERIES; i++) {
          List<Kind> kinds = queries.kinds();
          compare(Kind.unmarked(queries.next(kinds)), kinds, rewritten, db);
        }
      } finally {
        for (Connection place : places.values()) {
          place.close();
        }
      }
    }

    private Connection open(String options) throws SQLException {
      return DriverManager.getConnection("jdbc:gpdb:mem:" + options);
    }

    /** Moves half of each table's rows to its second tablet. */
    private void spread(Connection db) throws SQLException {
      String half = " WHERE MOD(id, 2) = 1";
      String list =
          String.join(", ", IntStream.range(0, 256).mapToObj(i -> "(" + i + ")").toList());
      QueriesBesideDuckDbTest.execute("CREATE TABLE f (n INTEGER)", db);
      QueriesBesideDuckDbTest.execute("INSERT INTO f VALUES " + list, db);
      int base = QueriesBesideDuckDbTest.ROWS_MAX + 1;
      for (String table : tables.keySet()) {
        String fill = "SELECT %d + a.n * 256 + b.n FROM f AS a, f AS b".formatted(base);
        for (String sql :
            List.of(
                "CREATE TABLE h AS SELECT * FROM " + table + half,
                "DELETE FROM " + table + half,
                "INSERT INTO " + table + " (id) " + fill,
                "INSERT INTO " + table + " SELECT * FROM h",
                "DELETE FROM " + table + " WHERE id >= " + base,
                "DROP TABLE h")) {
          QueriesBesideDuckDbTest.execute(sql, db);
        }
      }
    }

    private void compare(String sql, List<Kind> kinds, RewrittenTable rewritten, Connection db) {
      Answer expected = Answer.of(db, sql);
      failed += expected.error().isEmpty() ? 0 : 1;
      if (expected.isUndecided()) {
        undecided++;
        return;
      }
      if (expected.error().startsWith("XX")) {
        found("-Dgpdb.seed=%d: %s%n  %s".formatted(seed, sql, expected));
        return;
      }
      for (Map.Entry<String, Connection> place : places.entrySet()) {
        check(place.getKey(), sql, expected, sql, place.getValue());
      }
      for (int i = 0; i < 4; i++) {
        check("other tables", rewritten.of(sql), expected, sql, db);
      }
      whole(sql, kinds, expected, db);
    }

    /** The query as a derived table. */
    private void whole(String sql, List<Kind> kinds, Answer expected, Connection db) {
      List<Column> columns = new ArrayList<>();
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < kinds.size(); i++) {
        columns.add(new Column("z.c" + i, kinds.get(i)));
        order.add(i);
      }
      String names = String.join(", ", columns.stream().map(c -> c.sql().substring(2)).toList());
      String from = " FROM (" + sql + ") AS z (" + names + ")";
      check(
          "counted",
          "SELECT COUNT(*)" + from,
          expected.map(rows -> List.of(List.of(String.valueOf(rows.size())))),
          sql,
          db);
      Collections.shuffle(order, random);
      List<Integer> some = order.subList(0, 1 + random.nextInt(order.size()));
      String items = String.join(", ", some.stream().map(i -> "z.c" + i).toList());
      check(
          "some columns",
          "SELECT " + items + from,
          expected.map(
              rows ->
                  rows.stream().map(row -> some.stream().map(i -> row.get(i)).toList()).toList()),
          sql,
          db);
      String condition =
          Kind.unmarked(
              new RandomSelect(random, tables)
                  .begin()
                  .condition(new Scope(columns, null), random.nextInt(2) + 2, 1));
      String select = "SELECT *" + from + " WHERE ";
      check(
          "split",
          "%1$s(%2$s) UNION ALL %1$sNOT (%2$s) UNION ALL %1$s(%2$s) IS NULL"
              .formatted(select, condition),
          expected,
          sql,
          db);
      check(
          "condition as a column",
          "SELECT "
              + names
              + " FROM (SELECT *, ("
              + condition
              + ") AS p"
              + from
              + ") AS y WHERE p IS NULL OR p OR NOT p",
          expected,
          sql,
          db);
    }

    private void check(String what, String sql, Answer expected, String original, Connection db) {
      Answer found = Answer.of(db, sql);
      if (found.isUndecided()) {
        undecided++;
        return;
      }
      compared++;
      if (!found.isSame(expected)) {
        found(
            "-Dgpdb.seed=%d: %s%n  has %s%n  %s: %s%n  has %s"
                .formatted(seed, original, expected, what, sql, found));
      }
    }
  }
}
