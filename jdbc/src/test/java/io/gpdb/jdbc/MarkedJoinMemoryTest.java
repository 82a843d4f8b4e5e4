package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Joins by keys and a condition more, of which some keys have more pairs than memory holds, under
 * limits between one that is far too small for their rows and one that is not: each answers, as
 * plain maps do.
 */
class MarkedJoinMemoryTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261127L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 1);
  private static final int ROWS = 150_000;

  /** No divisor of it. */
  private static final int PRIME = 7919;

  private static final int KIBIBYTES_MIN = 3 << 10;
  private static final int KIBIBYTES_MAX = 16 << 10;
  private static final int STEP_KIBIBYTES = 2 << 10;

  /** How many rows of one table have the key that a fifth of the other has. */
  private static final int FEW = 3;

  private static final List<String> KINDS = List.of("LEFT", "RIGHT", "FULL", "", "NOT ");

  @TempDir Path directory;

  /**
   * @param u which no other row has
   */
  private record Row(int id, int v, int u, int w) {}

  /** How many rows, and a sum of their hashes. */
  private record Rows(long count, long sum) {
    static final Rows NONE = new Rows(0, 0);

    Rows and(int left, int right) {
      long both = ((long) left << 32) + right + 1;
      return new Rows(count + 1, sum + (both ^ (both >>> 17)) * 0x9e3779b97f4a7c15L);
    }
  }

  /** A fifth of the rows have a key that few of the other table have. */
  private static List<Row> made(Random random, int often, int rare) {
    List<Row> rows = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      int v = random.nextInt(5) == 0 ? often : random.nextInt(ROWS) + 10;
      int u = (int) ((long) id * PRIME % ROWS);
      rows.add(new Row(id, id < FEW ? rare : v, u, random.nextInt(1000)));
    }
    return rows;
  }

  private static void fill(Connection connection, String table, List<Row> rows)
      throws SQLException {
    TestDatabase.execute(
        connection,
        "CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, v INTEGER, u INTEGER, w DOUBLE)");
    try (var insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, ?)")) {
      for (Row row : rows) {
        insert.setInt(1, row.id);
        insert.setInt(2, row.v);
        insert.setInt(3, row.u);
        insert.setInt(4, row.w);
        insert.addBatch();
        if (row.id % 10_000 == 9_999) {
          insert.executeBatch();
        }
      }
    }
  }

  /**
   * @param unique whether no row makes several pairs
   */
  private static String sql(String kind, boolean unique) {
    String on = (unique ? "t.id = o.u" : "t.v = o.v") + " AND t.w < o.w";
    return KINDS.indexOf(kind) < 3
        ? "SELECT t.id, o.id, t.u, t.w, o.u, o.w FROM t " + kind + " JOIN o ON " + on
        : "SELECT id, -1 FROM t WHERE " + kind + "EXISTS (SELECT 1 FROM o WHERE " + on + ")";
  }

  private static Rows naive(String kind, boolean unique, List<Row> left, List<Row> right) {
    Map<Integer, List<Row>> byKey = new HashMap<>();
    right.forEach(
        row -> byKey.computeIfAbsent(unique ? row.u : row.v, _ -> new ArrayList<>()).add(row));
    boolean[] found = new boolean[right.size()];
    Rows rows = Rows.NONE;
    for (Row row : left) {
      boolean any = false;
      for (Row other : byKey.getOrDefault(unique ? row.id : row.v, List.of())) {
        if (row.w < other.w) {
          any = true;
          found[other.id] = true;
          rows = KINDS.indexOf(kind) < 3 ? rows.and(row.id, other.id) : rows;
        }
      }
      boolean alone =
          switch (kind) {
            case "LEFT", "FULL", "NOT " -> !any;
            case "" -> any;
            default -> false;
          };
      rows = alone ? rows.and(row.id, -1) : rows;
    }
    for (Row row : right) {
      if (!found[row.id] && (kind.equals("RIGHT") || kind.equals("FULL"))) {
        rows = rows.and(-1, row.id);
      }
    }
    return rows;
  }

  private static Rows answered(Connection connection, String sql) throws SQLException {
    Rows rows = Rows.NONE;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        int left = result.getInt(1);
        left = result.wasNull() ? -1 : left;
        int right = result.getInt(2);
        rows = rows.and(left, result.wasNull() ? -1 : right);
      }
    }
    return rows;
  }

  @Test
  void joinsAnswerUnderEveryLimit() throws Exception {
    Random random = new Random(SEED);
    List<Row> left = made(random, 1, 2);
    List<Row> right = made(random, 2, 1);
    Map<String, Rows> expected = new HashMap<>();
    for (String kind : KINDS) {
      expected.put(sql(kind, true), naive(kind, true, left, right));
      expected.put(sql(kind, false), naive(kind, false, left, right));
    }
    String url = "jdbc:gpdb:" + directory.resolve("db") + ";workers=2";
    try (Connection connection = DriverManager.getConnection(url)) {
      fill(connection, "t", left);
      fill(connection, "o", right);
    }
    for (int round = 0; round < ROUNDS; round++) {
      int turn = random.nextInt(KINDS.size());
      for (int limit = KIBIBYTES_MIN; limit <= KIBIBYTES_MAX; limit += STEP_KIBIBYTES) {
        long bytes = ((long) limit + random.nextInt(STEP_KIBIBYTES)) << 10;
        try (Connection connection = DriverManager.getConnection(url + ";memory_limit=" + bytes)) {
          String kind = KINDS.get(turn++ % KINDS.size());
          for (String sql : List.of(sql(kind, true), sql(kind, false))) {
            assertThat(answered(connection, sql))
                .as("seed %d, limit %d, %s", SEED, bytes, sql)
                .isEqualTo(expected.get(sql));
          }
        }
      }
    }
  }
}
