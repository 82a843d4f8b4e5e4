package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated columns against the same expressions in SELECT, after random changes. */
class GeneratedColumnsTest {
  private static final String TABLE =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, s SMALLINT, d DECIMAL(8, 2), f DOUBLE,"
          + " r REAL, v VARCHAR(6), c CHAR(4), ts TIMESTAMP(0), n INTEGER NOT NULL,"
          + " g1 BIGINT GENERATED ALWAYS AS (i * 2 + COALESCE(s, 7)),"
          + " g2 DECIMAL(12, 3) GENERATED ALWAYS AS (d / 7),"
          + " g3 DOUBLE GENERATED ALWAYS AS (f + r) STORED,"
          + " g4 VARCHAR(30) GENERATED ALWAYS AS (UPPER(v) || '-' || c || '.'),"
          + " g5 DATE GENERATED ALWAYS AS (CAST(ts AS DATE)),"
          + " g6 INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN i > n THEN i ELSE n END),"
          + " g7 VARCHAR(40) AS (n || '/' || id) UNIQUE)";

  private static final List<String> ORACLES =
      List.of(
          "g1 IS DISTINCT FROM i * 2 + COALESCE(s, 7)",
          "g2 IS DISTINCT FROM CAST(d / 7 AS DECIMAL(12, 3))",
          "g3 IS DISTINCT FROM f + r",
          "g4 IS DISTINCT FROM UPPER(v) || '-' || c || '.'",
          "g5 IS DISTINCT FROM CAST(ts AS DATE)",
          "g6 IS DISTINCT FROM CASE WHEN i > n THEN i ELSE n END",
          "g7 IS DISTINCT FROM n || '/' || id");

  /** Values of columns as SET writes them: what rounds, what pads, what reads other columns. */
  private static final List<String> ASSIGNMENTS =
      List.of(
          "i = i + 1",
          "i = 2.5",
          "i = n * 0.5",
          "i = NULL",
          "s = '12'",
          "s = f",
          "s = NULL",
          "d = d * 1.005",
          "d = f / 3",
          "d = i",
          "f = d",
          "f = r * 1.1",
          "r = f",
          "r = 0.1",
          "v = 'ab' || i",
          "v = 'x     '",
          "v = NULL",
          "c = v",
          "c = 'q'",
          "ts = TIMESTAMP '2001-02-03 23:59:59.7'",
          "ts = '2020-02-29 10:00:00'",
          "ts = DATE '1999-12-31'",
          "n = n + id",
          "n = 1.5",
          "g1 = DEFAULT",
          "v = (SELECT MAX(c) FROM t AS o WHERE o.id < t.id)");

  private static final List<String> QUALIFIED =
      List.of(
          "i = t.i + 1",
          "i = 2.5",
          "i = NULL",
          "s = '12'",
          "s = t.f",
          "d = t.d * 1.005",
          "d = t.f / 3",
          "f = t.r * 1.1",
          "r = 0.1",
          "v = 'ab' || t.i",
          "c = t.v",
          "ts = DATE '1999-12-31'",
          "n = t.n + t.id",
          "g1 = DEFAULT");

  @Test
  void theyAreWhatTheirExpressionsAre() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 3);
    System.out.println("GeneratedColumnsTest: seed " + seed);
    Random random = new Random(seed);
    try (TestDatabase database = new TestDatabase(TABLE)) {
      int ids = 0;
      int changed = 0;
      int rounds = Integer.getInteger("gpdb.fuzz", 30);
      for (int round = 0; round < rounds; round++) {
        ids += insert(database.connection(), random, ids);
        changed += change(database, random, ids) ? 1 : 0;
        ids += mixed(database, random, ids);
        if (round % 10 == 0) {
          check(database);
        }
      }
      check(database);
      assertThat(changed).isGreaterThan(rounds / 2 - 1);
    }
  }

  private static int insert(Connection connection, Random random, int first) throws SQLException {
    int rows = random.nextInt(4) == 0 ? 40 : random.nextInt(3);
    String sql =
        "INSERT INTO t (id, i, s, d, f, r, v, c, ts, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int k = 0; k < rows; k++) {
        Object[] values = {
          first + k,
          random.nextInt(100),
          random.nextInt(50),
          new BigDecimal(random.nextInt(100_000)).movePointLeft(3),
          random.nextDouble() * 100,
          random.nextFloat(),
          "v" + random.nextInt(99),
          "c" + random.nextInt(9),
          java.time.LocalDateTime.of(2000, 1 + random.nextInt(12), 1, 23, 59, 59, 600_000_000),
          random.nextInt(60)
        };
        for (int p = 0; p < values.length; p++) {
          boolean absent = p > 0 && p < 9 && random.nextInt(9) == 0;
          insert.setObject(p + 1, absent ? null : values[p]);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
    return rows;
  }

  /** Whether the change was made: some are out of range, and leave everything as it was. */
  private static boolean change(TestDatabase database, Random random, int ids) throws SQLException {
    String set = ASSIGNMENTS.get(random.nextInt(ASSIGNMENTS.size()));
    String where =
        switch (random.nextInt(3)) {
          case 0 -> " WHERE id = " + random.nextInt(ids + 1);
          case 1 -> " WHERE MOD(id, 5) = " + random.nextInt(5);
          default -> "";
        };
    try {
      database.execute("UPDATE t SET " + set + where);
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(set + ": " + e.getMessage()).isIn("22003", "22001", "22018");
      return false;
    }
  }

  /** Rows inserted or updated by ON CONFLICT, MERGE, and by a key; returns how many ids are new. */
  private static int mixed(TestDatabase database, Random random, int ids) throws SQLException {
    if (ids < 3) {
      return 0;
    }
    int first = ids - 3;
    String rows =
        "VALUES (%d, 5, 1.005, 'q%d'), (%d, NULL, 77, NULL), (%d, 9, NULL, 'new')"
            .formatted(first, random.nextInt(50), first + 1, ids);
    String set = QUALIFIED.get(random.nextInt(QUALIFIED.size()));
    String more = random.nextBoolean() ? ", ts = '2001-01-01 00:00:00'" : "";
    more = set.startsWith("ts") ? "" : more;
    String sql =
        switch (random.nextInt(5)) {
          case 0 ->
              "INSERT INTO t (id, i, d, v, n) SELECT k, a, b, c, 3 FROM ("
                  + rows
                  + ") AS x (k, a, b, c) ON CONFLICT (id) DO UPDATE SET "
                  + set
                  + more
                  + " WHERE t.n < 1000";
          case 1 ->
              "INSERT INTO t (id, i, d, v, n) SELECT k, a, b, c, 3 FROM ("
                  + rows
                  + ") AS x (k, a, b, c) ON CONFLICT (id) DO UPDATE SET i = EXCLUDED.i,"
                  + " s = EXCLUDED.g1, d = t.d + EXCLUDED.d, v = EXCLUDED.v, g1 = DEFAULT";
          case 2 ->
              "MERGE INTO t USING ("
                  + rows
                  + ") AS x (k, a, b, c) ON t.id = x.k"
                  + " WHEN MATCHED AND t.i > 10 THEN UPDATE SET "
                  + set
                  + more
                  + " WHEN MATCHED THEN UPDATE SET i = x.a, d = x.b / 3, v = x.c"
                  + " WHEN NOT MATCHED THEN INSERT (id, i, n) VALUES (x.k, x.a, 2.5)";
          case 3 ->
              "MERGE INTO t USING ("
                  + rows
                  + ") AS x (k, a, b, c) ON t.id = x.k WHEN MATCHED AND t.s IS NULL THEN DELETE"
                  + " WHEN NOT MATCHED BY SOURCE AND t.id > 20 THEN UPDATE SET n = t.n + 1, g6 ="
                  + " DEFAULT WHEN NOT MATCHED THEN INSERT (id, d, v, c, n, g1) VALUES (x.k, x.b,"
                  + " x.c, x.c, 4, DEFAULT)";
          default ->
              "MERGE INTO t (id, v, n, i) KEY (id) VALUES (%d, 'kk', 2, 3), (%d, 'll', 1, 1)"
                  .formatted(first, ids);
        };
    try {
      database.execute(sql);
      return 1;
    } catch (SQLException e) {
      // 23505, 21000: of two source rows with one key
      assertThat(e.getSQLState())
          .as(sql + ": " + e.getMessage())
          .isIn("22003", "22001", "22018", "23505", "21000");
      return 0;
    }
  }

  private static void check(TestDatabase database) throws SQLException {
    for (String wrong : ORACLES) {
      assertThat(database.rows("SELECT * FROM t WHERE " + wrong)).as(wrong).isEmpty();
    }
  }

  @Test
  void batchesByKeyRecomputeThem() throws SQLException {
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a DECIMAL(6, 1), b INTEGER,"
                + " g DECIMAL(9, 2) GENERATED ALWAYS AS (a * 2 + b))")) {
      Connection connection = database.connection();
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO t (id, a, b) VALUES (?, ?, ?)")) {
        for (int i = 0; i < 200; i++) {
          insert.setInt(1, i);
          insert.setBigDecimal(2, new BigDecimal(i).movePointLeft(2));
          insert.setInt(3, i % 5);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      try (PreparedStatement update =
          connection.prepareStatement("UPDATE t SET a = ? + 0.05 WHERE id = ?")) {
        for (int i = 0; i < 200; i++) {
          update.setBigDecimal(1, new BigDecimal(i).movePointLeft(1));
          update.setInt(2, i * 7 % 190);
          update.addBatch();
        }
        update.executeBatch();
      }
      assertThat(database.rows("SELECT * FROM t WHERE g IS DISTINCT FROM a * 2 + b")).isEmpty();
      assertThat(database.rows("SELECT COUNT(*) FROM t WHERE a > 15")).isNotEqualTo(List.of("0"));
    }
  }

  /** Parents change and go, over several tablets of children. */
  @Test
  void actionsOfForeignKeysRecomputeThem() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 11);
    System.out.println("GeneratedColumnsTest, actions: seed " + seed);
    Random random = new Random(seed);
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE p (id INTEGER PRIMARY KEY, k VARCHAR(9) UNIQUE, w INTEGER,"
                + " own INTEGER GENERATED ALWAYS AS (w * 3) UNIQUE)")) {
      database.execute("INSERT INTO p (id, k, w) VALUES (0, 'none', 0)");
      database.execute(
          "CREATE TABLE c (n INTEGER, a INTEGER REFERENCES p ON UPDATE CASCADE ON DELETE SET NULL,"
              + " b VARCHAR(9) DEFAULT 'none' REFERENCES p (k) ON UPDATE CASCADE"
              + " ON DELETE SET DEFAULT,"
              + " o INTEGER REFERENCES p (own) ON UPDATE CASCADE ON DELETE CASCADE,"
              + " g VARCHAR(40) GENERATED ALWAYS AS (a || '/' || b || '/' || (n / 900)),"
              + " h INTEGER NOT NULL GENERATED ALWAYS AS (COALESCE(a, 0) + COALESCE(o, 0)))");
      database.execute("INSERT INTO p (id, k, w) SELECT n, 'k' || n, n FROM (VALUES" + numbers(40));
      database.execute(
          "INSERT INTO c (n, a, b, o) SELECT x.id * 1600 + y.id * 40 + z.id, x.id, y.k, z.own"
              + " FROM p AS x, p AS y, p AS z WHERE x.id > 0 AND y.id > 0 AND z.id > 0");
      int next = 1000;
      for (int round = 0; round < 10; round++) {
        int id = random.nextInt(41);
        String where = random.nextBoolean() ? " WHERE id = " + id : " WHERE w > " + id;
        String change =
            switch (random.nextInt(5)) {
              case 0 -> "UPDATE p SET id = id + " + next + where + " AND id > 0";
              case 1 -> "UPDATE p SET k = k || 'x'" + where + " AND id > 0 AND LENGTH(k) < 9";
              case 2 -> "UPDATE p SET w = w + " + next + where;
              case 3 ->
                  "UPDATE p SET id = id + 1, w = -w, k = 'y' || w"
                      + where
                      + " AND id > 0 AND w > 0";
              default -> "DELETE FROM p WHERE id > 0 AND w = " + id;
            };
        try {
          database.execute(change);
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(change + ": " + e.getMessage()).isIn("23505", "22001");
        }
        next += 100_000;
        assertThat(
                database.rows(
                    "SELECT * FROM c WHERE g IS DISTINCT FROM a || '/' || b || '/' || (n / 900)"
                        + " OR h <> COALESCE(a, 0) + COALESCE(o, 0)"))
            .isEmpty();
      }
    }
  }

  @Test
  void copiedRowsHaveThem(@TempDir Path directory) throws SQLException, IOException {
    Path file = directory.resolve("t.csv");
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER GENERATED BY DEFAULT AS IDENTITY,"
                + " twice BIGINT AS (id * 2) UNIQUE, v VARCHAR(9) DEFAULT 'dd',"
                + " text VARCHAR(20) NOT NULL GENERATED ALWAYS AS (v || id), d DECIMAL(5, 1))")) {
      StringBuilder rows = new StringBuilder("v,d\n");
      for (int i = 0; i < 70_000; i++) {
        rows.append(i % 3 == 0 ? "a" + i % 100 : "b").append(',').append(i % 7 == 0 ? "" : i % 90);
        rows.append('\n');
      }
      Files.writeString(file, rows);
      database.execute("COPY t FROM '" + file + "' (FORMAT CSV, HEADER)");
      String wrong = "SELECT COUNT(*) FROM t WHERE twice <> id * 2 OR text <> v || id";
      assertThat(database.rows(wrong)).isEqualTo(List.of("0"));
      database.execute("COPY t TO '" + file + "' (FORMAT CSV, HEADER)");
      assertThat(Files.readAllLines(file).getFirst()).isEqualToIgnoringCase("id,v,d");
      database.execute("DELETE FROM t");
      database.execute("COPY t FROM '" + file + "' (FORMAT CSV, HEADER)");
      assertThat(database.rows(wrong)).isEqualTo(List.of("0"));
      assertThat(database.rows("SELECT COUNT(DISTINCT twice), COUNT(text) FROM t"))
          .isEqualTo(List.of("70000|70000"));
      Files.writeString(file, "1,2\n");
      assertThatThrownBy(() -> database.execute("COPY t (id, twice) FROM '" + file + "'"))
          .hasFieldOrPropertyWithValue("SQLState", "428C9");
    }
  }

  private static String numbers(int count) {
    return java.util.stream.IntStream.rangeClosed(1, count)
        .mapToObj(i -> " (" + i + ")")
        .collect(java.util.stream.Collectors.joining(",", "", ") AS v (n)"));
  }
}
