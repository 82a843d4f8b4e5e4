package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Random queries with parameters of several types beside columns return what they return with
 * constants in their places.
 */
class ParametersAmongColumnsTest {
  private static final int QUERIES = Integer.getInteger("gpdb.queries", 40);

  /** A column, and a value for a parameter beside it. */
  private record Column(String name, String type, Object value, String constant) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("i", "INTEGER", 7, "7"),
          new Column("l", "BIGINT", 70L, "CAST(70 AS BIGINT)"),
          new Column("n", "DECIMAL(8, 2)", new BigDecimal("7.25"), "7.25"),
          new Column("f", "DOUBLE", 7.5, "7.5E0"),
          new Column("s", "VARCHAR(4)", "seven", "CAST('seven' AS VARCHAR)"),
          new Column("d", "DATE", LocalDate.of(2007, 7, 7), "DATE '2007-07-07'"),
          new Column("c", "TIME", LocalTime.of(7, 7), "TIME '07:07:00'"),
          new Column(
              "t",
              "TIMESTAMP",
              LocalDateTime.of(2007, 7, 7, 7, 7),
              "TIMESTAMP '2007-07-07 07:07:00'"),
          new Column("b", "BOOLEAN", true, "TRUE"),
          new Column(
              "u", "UUID", new UUID(7, 7), "CAST('00000000-0000-0007-0000-000000000007' AS UUID)"));

  /** Of a column and a parameter. */
  private static final List<String> EXPRESSIONS =
      List.of(
          "COALESCE(%s, %s)",
          "NVL(%s, %s)",
          "IFNULL(%s, %s)",
          "NULLIF(%s, %s)",
          "CASE WHEN id > 1 THEN %s ELSE %s END",
          "CASE id WHEN 1 THEN %2$s WHEN 2 THEN %1$s END",
          "COALESCE(NULLIF(%s, %s), %1$s)",
          "COALESCE(CASE WHEN %2$s = %1$s THEN id END, 0)",
          "CASE WHEN NULLIF(CASE WHEN %2$s >= %1$s THEN id END, 2) = 1 THEN %1$s END");

  /** Of a column of numbers, texts or times. */
  private static final List<String> ORDERED = List.of("GREATEST(%s, %s)", "LEAST(%s, %s)");

  /** What is computed of two such expressions. */
  private static final List<String> QUERIES_OF_TWO =
      List.of(
          "SELECT %s, %s FROM x ORDER BY id",
          "SELECT id, %s FROM x WHERE %s IS NOT NULL ORDER BY id",
          "SELECT MAX(%s), COUNT(%s) FROM x",
          "SELECT POSITION(? IN s), %s, %s FROM x ORDER BY id",
          "SELECT z.v, %s FROM x JOIN (SELECT id AS k, %s AS v FROM x) AS z ON k = id"
              + " ORDER BY id");

  private final long seed = Long.getLong("gpdb.seed", 1);
  private final Random random = new Random(seed);

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  @Test
  void parametersAreAsConstants() throws SQLException {
    System.out.println("ParametersAmongColumnsTest: seed " + seed);
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      create(statement);
      for (int q = 0; q < QUERIES; q++) {
        List<Column> bound = new ArrayList<>();
        String pattern = any(QUERIES_OF_TWO);
        if (pattern.contains("?")) {
          bound.add(new Column("", "", "e", "'e'"));
        }
        String text = pattern.formatted(expression(bound), expression(bound));
        String constants = text;
        for (Column column : bound) {
          constants = constants.replaceFirst("\\?", column.constant);
        }
        assertThat(rows(connection, text, bound))
            .as("seed %d, %s", seed, text)
            .isEqualTo(rows(connection, constants, List.of()));
      }
    }
  }

  /** Each of a parameter alone, whose type the function says. */
  private static final List<Column> FUNCTIONS =
      List.of(
          new Column("ABS(%s)", "", -7.5, "CAST(-7.5 AS DOUBLE)"),
          new Column("MOD(%s, 4)", "", 7, "7"),
          new Column("ROUND(%s, 1)", "", new BigDecimal("7.25"), "7.25"),
          new Column("LOWER(%s)", "", "Seven", "'Seven'"),
          new Column("REPLACE(%s, 'e', 'a')", "", "seven", "'seven'"),
          new Column("CHAR_LENGTH(%s)", "", "seven", "'seven'"),
          new Column("CAST(CHAR_LENGTH(%s) AS VARCHAR)", "", "seven", "'seven'"),
          new Column("CASE WHEN s LIKE %s THEN i END", "", "s%", "'s%'"),
          new Column("COUNT(*) FILTER (WHERE s LIKE %s) OVER ()", "", "s%", "'s%'"));

  /** Around such a function. */
  private static final List<String> AROUND =
      List.of("%s", "CASE WHEN id > 1 THEN %s END", "COALESCE(CASE id WHEN 1 THEN %s END, NULL)");

  @Test
  void parametersOfFunctionsHaveTypesOfTheirOwn() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      create(statement);
      for (int q = 0; q < QUERIES; q++) {
        List<Column> bound = new ArrayList<>();
        List<String> items = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
          Column function = any(FUNCTIONS);
          String item = any(AROUND).formatted(function.name);
          bound.add(function);
          items.add(item.formatted("?"));
          constants.add(item.formatted(function.constant));
        }
        String sql = "SELECT " + String.join(", ", items) + " FROM x ORDER BY id";
        assertThat(rows(connection, sql, bound))
            .as("seed %d, %s", seed, sql)
            .isEqualTo(
                rows(
                    connection,
                    "SELECT " + String.join(", ", constants) + " FROM x ORDER BY id",
                    List.of()));
      }
    }
  }

  private void create(Statement statement) throws SQLException {
    StringBuilder table = new StringBuilder("CREATE TABLE x (id INTEGER PRIMARY KEY");
    StringBuilder some = new StringBuilder("INSERT INTO x VALUES (1");
    for (Column column : COLUMNS) {
      table.append(", ").append(column.name).append(' ').append(column.type);
      some.append(", ").append(column.name.equals("s") ? "'six'" : column.constant);
    }
    statement.execute(table + ")");
    statement.execute(some + ")");
    statement.execute("INSERT INTO x (id) VALUES (2), (3)");
    statement.execute("INSERT INTO x (id, i, n, s, d) VALUES (4, 9, 1.5, 'a', DATE '2001-01-01')");
  }

  private String expression(List<Column> bound) {
    Column column = any(COLUMNS);
    boolean ordered = !List.of("b", "u").contains(column.name) && random.nextInt(4) == 0;
    bound.add(column);
    return any(ordered ? ORDERED : EXPRESSIONS).formatted(column.name, "?");
  }

  private static List<String> rows(Connection connection, String sql, List<Column> bound)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      for (int p = 0; p < bound.size(); p++) {
        query.setObject(p + 1, bound.get(p).value);
      }
      try (ResultSet result = query.executeQuery()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          for (int c = 1; c <= columns; c++) {
            rows.add(result.getString(c));
          }
        }
      }
    }
    return rows;
  }
}
