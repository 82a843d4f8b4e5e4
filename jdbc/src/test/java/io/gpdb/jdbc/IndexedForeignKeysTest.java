package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Generated changes of parents whose children are found by an index, and of ones whose children are
 * found by a scan: both say the same.
 */
class IndexedForeignKeysTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261125L);
  private static final String LONG = "x".repeat(600);
  private static final List<String> TEXTS = List.of("a", "b", "c", LONG, LONG + "1", LONG + "2");

  private final Random random = new Random(SEED);
  private int nextId;

  @ParameterizedTest
  @ValueSource(strings = {"CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"})
  void anIndexOfChildrenChangesNothing(String action) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      for (int round = 0; round < 8; round++) {
        create(statement, "i", action);
        create(statement, "s", action);
        for (int i = 0, n = 1 + random.nextInt(2); i < n; i++) {
          String[] indexes = {"(a, b)", "(b, a)", "(a DESC, b, id)", "(b, a) USING HASH", "(a)"};
          statement.execute("CREATE INDEX ON child_i " + indexes[random.nextInt(indexes.length)]);
        }
        for (int step = 0; step < 40; step++) {
          change(statement);
        }
        compare(statement);
        for (String table : List.of("child_i", "child_s", "parent_i", "parent_s")) {
          statement.execute("DROP TABLE " + table);
        }
      }
    }
  }

  private static void create(Statement statement, String suffix, String action)
      throws SQLException {
    statement.execute(
        "CREATE TABLE parent_" + suffix + " (a INTEGER, b VARCHAR(700), PRIMARY KEY (a, b))");
    statement.execute(
        "CREATE TABLE child_"
            + suffix
            + " (id INTEGER PRIMARY KEY, a INTEGER DEFAULT 1, b VARCHAR(700) DEFAULT 'a',"
            + " FOREIGN KEY (a, b) REFERENCES parent_"
            + suffix
            + " ON DELETE "
            + action
            + " ON UPDATE "
            + action
            + ")");
  }

  private String key() {
    return random.nextInt(3) + ", '" + TEXTS.get(random.nextInt(TEXTS.size())) + "'";
  }

  private String where() {
    String text = TEXTS.get(random.nextInt(TEXTS.size()));
    return switch (random.nextInt(3)) {
      case 0 -> " WHERE a = " + random.nextInt(3);
      case 1 -> " WHERE b = '" + text + "'";
      default -> " WHERE a = " + random.nextInt(3) + " AND b = '" + text + "'";
    };
  }

  private void change(Statement statement) throws SQLException {
    String sql =
        switch (random.nextInt(7)) {
          case 0 -> "DELETE FROM parent_%1$s" + where();
          case 1 -> "UPDATE parent_%1$s SET (a, b) = (" + key() + ")" + where();
          case 2, 3 -> "INSERT INTO parent_%1$s VALUES (" + key() + ")";
          case 4 -> "UPDATE child_%1$s SET a = " + random.nextInt(3) + where();
          default ->
              "INSERT INTO child_%1$s VALUES ("
                  + nextId++
                  + ", "
                  + (random.nextInt(6) == 0 ? "NULL, 'a'" : key())
                  + ")";
        };
    assertThat(outcome(statement, sql.formatted("i")))
        .as("seed %d: %s", SEED, sql)
        .isEqualTo(outcome(statement, sql.formatted("s")));
    compare(statement);
  }

  private static String outcome(Statement statement, String sql) {
    try {
      return "" + statement.executeUpdate(sql);
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static void compare(Statement statement) throws SQLException {
    for (String query :
        List.of(
            "SELECT a, b FROM parent_%s ORDER BY a, b",
            "SELECT id, a, b FROM child_%s ORDER BY id")) {
      assertThat(rows(statement, query.formatted("i")))
          .as("seed %d: %s", SEED, query)
          .isEqualTo(rows(statement, query.formatted("s")));
    }
  }

  private static List<String> rows(Statement statement, String sql) throws SQLException {
    List<String> read = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int c = 1; c <= columns; c++) {
          row.append(rows.getString(c)).append('|');
        }
        read.add(row.toString());
      }
    }
    return read;
  }
}
