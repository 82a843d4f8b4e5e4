package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random MERGE, INSERT … ON CONFLICT, UPDATE … FROM and DELETE … USING, with RETURNING or a count,
 * over a table of several blocks of rows with indexes: they return what they return in DuckDB,
 * leave the same rows, and violate the key where they do there. {@code -Dgpdb.seed=S} replays one
 * round, {@code -Dgpdb.fuzz=N} runs N rounds, from the seed's on where both are given.
 */
class MergesBesideDuckDbTest {
  private static final int ROUNDS = 2;
  private static final int CHANGES = 12;
  private static final int IDS = 6000;
  private static final int ROWS_MAX = 4000;
  private static final int INSERTED_MAX = 1000;
  private static final String COLUMNS = "(id, a, d, s)";

  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int violated;
  private Random random = new Random(0);

  /** A number that grows, for keys that no row has. */
  private int fresh = 1_000_000;

  @Test
  void randomMergesLeaveTheRowsThatDuckDbHas() throws SQLException {
    long[] seeds = Seeds.of(ROUNDS);
    for (long seed : seeds) {
      round(seed);
    }
    System.out.printf("MergesBesideDuckDbTest: %d compared, %d violated%n", compared, violated);
    assertThat(problems).isEmpty();
    assertThat(compared).isGreaterThan(seeds.length * CHANGES / 2);
  }

  private void round(long seed) throws SQLException {
    random = new Random(seed);
    try (Connection gpdb = DriverManager.getConnection("jdbc:gpdb:mem:");
        Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      for (String table : List.of("t", "w")) {
        QueriesBesideDuckDbTest.execute(
            "CREATE TABLE "
                + table
                + " (id INTEGER PRIMARY KEY, a INTEGER, d DECIMAL(9, 2), s VARCHAR(20))",
            gpdb,
            duck);
        fill(table, random.nextInt(4) == 0 ? random.nextInt(50) : ROWS_MAX, gpdb, duck);
      }
      for (String index : List.of("a", "s, d", "d")) {
        if (random.nextBoolean()) {
          String name = "i" + index.replace(", ", "");
          QueriesBesideDuckDbTest.execute("CREATE INDEX " + name + " ON t (" + index + ")", gpdb);
        }
      }
      for (int i = 0; i < CHANGES; i++) {
        if (!isSame(seed, change(), gpdb, duck)) {
          return; // what follows would differ, too
        }
      }
    }
  }

  private void fill(String table, int rows, Connection... databases) throws SQLException {
    List<Integer> ids = new ArrayList<>(IntStream.range(0, IDS).boxed().toList());
    Collections.shuffle(ids, random);
    for (int first = 0; first < rows; first += INSERTED_MAX) {
      List<String> values = new ArrayList<>();
      for (int id : ids.subList(first, Math.min(rows, first + INSERTED_MAX))) {
        String d = random.nextInt(100) + "." + random.nextInt(100);
        String s = "'" + one("a", "ab", "b", "c", "é", "") + "'";
        values.add(
            "(%d, %s, %s, %s)"
                .formatted(id, orNull("" + random.nextInt(IDS)), orNull(d), orNull(s)));
      }
      QueriesBesideDuckDbTest.execute(
          "INSERT INTO " + table + " VALUES " + String.join(", ", values), databases);
    }
  }

  private String orNull(String value) {
    return random.nextInt(7) == 0 ? "NULL" : value;
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String change() {
    fresh += IDS;
    return switch (random.nextInt(7)) {
      case 0 ->
          "UPDATE t AS y SET "
              + set("y", "z")
              + " FROM w AS z WHERE y.id = z.id AND "
              + condition(one("y", "z"))
              + returning();
      case 1 ->
          "DELETE FROM t AS y USING w AS z WHERE y.id = z."
              + one("id", "a")
              + " AND "
              + condition(one("y", "z"))
              + " AND "
              + condition("z");
      case 2 ->
          "INSERT INTO t "
              + COLUMNS
              + " SELECT z.id + "
              + one("0", "" + fresh)
              + ", z.a, z.d, z.s"
              + " FROM w AS z WHERE "
              + condition("z")
              + one("", " AND NOT EXISTS (SELECT 1 FROM t" + " AS x WHERE x.id = z.id)")
              + returning();
      case 3 ->
          "INSERT INTO t AS y "
              + COLUMNS
              + " SELECT z.id, z.a, z.d, z.s FROM w AS z WHERE "
              + condition("z")
              + " ON CONFLICT (id) DO "
              + one(
                  "NOTHING",
                  "UPDATE SET "
                      + set("y", "EXCLUDED")
                      + one(
                          "",
                          " WHERE " + one("y.a > EXCLUDED.a", "y.s IS NULL", "EXCLUDED.d < 50")));
      default -> merge();
    };
  }

  private String merge() {
    StringBuilder sql = new StringBuilder("MERGE INTO t AS y USING ");
    sql.append(one("w", "(SELECT * FROM w AS q WHERE " + condition("q") + ")"));
    sql.append(" AS z ON y.id = z.id");
    for (int i = random.nextInt(3); i >= 0; i--) {
      String when = " WHEN MATCHED AND " + condition(one("y", "z")) + " THEN ";
      sql.append(when).append(one("UPDATE SET " + set("y", "z"), "DELETE", "DO NOTHING"));
    }
    if (random.nextBoolean()) {
      sql.append(" WHEN MATCHED THEN UPDATE SET ").append(set("y", "z"));
    }
    if (random.nextBoolean()) {
      sql.append(" WHEN NOT MATCHED AND ").append(condition("z")).append(" THEN ");
      sql.append(
          one(
              "DO NOTHING",
              "INSERT (id, a, s) VALUES (z.id, 7, UPPER(z.s))",
              "INSERT " + COLUMNS + " VALUES (z.id + " + fresh + ", z.a, z.d, z.s)"));
    }
    if (random.nextInt(3) == 0) {
      sql.append(" WHEN NOT MATCHED BY SOURCE AND ").append(condition("y")).append(" THEN ");
      sql.append(one("DELETE", "UPDATE SET " + set("y", "y")));
    }
    return sql.toString();
  }

  private String set(String y, String z) {
    List<String> all = new ArrayList<>();
    String a =
        one(
            y + ".a + 1",
            z + ".a",
            "COALESCE(" + z + ".a, 0) + " + y + ".id",
            "CASE WHEN " + z + ".a > 50 THEN " + z + ".a ELSE " + y + ".a END");
    String s =
        one(z + ".s", "'x' || UPPER(" + z + ".s)", "NULL", "SUBSTRING(" + y + ".s || 'y', 1, 20)");
    String d = one(z + ".d", y + ".d + 1", "0.25");
    for (String assigned : List.of("a = " + a, "s = " + s, "d = " + d)) {
      if (all.isEmpty() || random.nextBoolean()) {
        all.add(assigned);
      }
    }
    return String.join(", ", all);
  }

  private String condition(String of) {
    return switch (random.nextInt(7)) {
      case 0 -> of + ".a > " + random.nextInt(IDS);
      case 1 -> of + ".s LIKE 'a%'";
      case 2 -> of + ".d < " + random.nextInt(100) + ".5";
      case 3 -> "MOD(" + of + ".id, " + (2 + random.nextInt(4)) + ") = 1";
      case 4 -> of + ".a IS NULL";
      case 5 -> of + ".s IN ('a', 'b', 'c')";
      default -> of + ".id < " + random.nextInt(IDS);
    };
  }

  private String returning() {
    return one("", " RETURNING *", " RETURNING s, id", " RETURNING id, a + 1 AS more");
  }

  /** What a change returns: rows, a count, or the violation of a key. */
  private static List<String> result(Connection database, String sql) throws SQLException {
    try (Statement statement = database.createStatement()) {
      if (sql.contains("RETURNING")) {
        try (ResultSet rows = statement.executeQuery(sql)) {
          return QueriesBesideDuckDbTest.rows(rows);
        }
      }
      int count = statement.executeUpdate(sql);
      return sql.startsWith("MERGE") ? List.of() : List.of(count + " rows");
    } catch (SQLException e) {
      String message = String.valueOf(e.getMessage());
      if (!"23505".equals(e.getSQLState()) && !message.contains("Duplicate key")) {
        throw e;
      }
      return List.of("violated");
    }
  }

  /** Whether both returned the same and have the same rows still. */
  private boolean isSame(long seed, String sql, Connection gpdb, Connection duck)
      throws SQLException {
    String problem = "";
    List<String> expected = result(duck, sql);
    try {
      List<String> found = result(gpdb, sql);
      compared++;
      violated += found.equals(List.of("violated")) ? 1 : 0;
      if (!found.equals(expected)) {
        problem = "returns " + cut(found) + "\n  DuckDB " + cut(expected);
      }
    } catch (SQLException e) {
      problem = e.toString();
    }
    List<String> left = rows(gpdb);
    if (problem.isEmpty() && !left.equals(rows(duck))) {
      List<String> more = new ArrayList<>(left);
      List<String> fewer = new ArrayList<>(rows(duck));
      more.removeAll(rows(duck));
      fewer.removeAll(left);
      problem = "leaves " + cut(more) + "\n  DuckDB " + cut(fewer);
    }
    if (!problem.isEmpty()) {
      problems.add("-Dgpdb.seed=%d: %s%n  %s".formatted(seed, sql, problem));
    }
    return problem.isEmpty();
  }

  private static List<String> cut(List<String> rows) {
    return rows.subList(0, Math.min(5, rows.size()));
  }

  private static List<String> rows(Connection database) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM t")) {
      return QueriesBesideDuckDbTest.rows(rows);
    }
  }
}
