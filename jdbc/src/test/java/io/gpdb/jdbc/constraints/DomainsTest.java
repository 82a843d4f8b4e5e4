package io.gpdb.jdbc.constraints;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.GpdbConnection;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of random domains behave as tables whose columns are declared with what the domains say,
 * also after the domains are dropped and the database is opened again.
 */
class DomainsTest {
  private static final List<String> TYPES =
      List.of("INTEGER", "SMALLINT", "DECIMAL(4, 1)", "BIGINT");
  private static final List<String> CONDITIONS =
      List.of("%s > 1", "%s <> 3 OR %s IS NULL", "%s IN (0, 1, 2, 5, 70000)", "ABS(%s) < 6");
  private static final List<String> VALUES =
      List.of("0", "1", "2", "3", "5", "-4", "70000", "2.26", "NULL", "DEFAULT");
  private static final int DOMAINS = 6;
  private static final int CHANGES = 60;

  private final long seed = Long.getLong("gpdb.seed", 11);
  private final Random random = new Random(seed);
  private final List<Boolean> hasOwnDefault = new ArrayList<>();

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  @Test
  void columnsOfDomainsAreAsTheDomainsSay(@TempDir Path path) throws SQLException {
    System.out.println("DomainsTest: seed " + seed);
    String url = "jdbc:gpdb:" + path;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      create(statement);
      change(statement);
      alter(statement);
      change(statement);
      statement.execute("DROP DOMAIN d0 CASCADE");
      change(statement);
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      change(statement);
      assertThat(connection.unwrap(GpdbConnection.class).check()).isEmpty();
    }
  }

  /** A cast to a domain has the value that a column of it stores, or raises what that raises. */
  @Test
  void castsToDomainsAreAsTheirColumns(@TempDir Path path) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + path);
        Statement statement = connection.createStatement()) {
      create(statement);
      statement.execute("CREATE TABLE texts (s VARCHAR(9), p DECIMAL(9, 3))");
      for (int i = 0; i < DOMAINS; i++) {
        statement.execute("CREATE TABLE stored" + i + " (c d" + i + ")");
        for (String value : VALUES.subList(0, VALUES.size() - 1)) {
          statement.execute("DELETE FROM texts");
          statement.execute("INSERT INTO texts VALUES ('" + value + "', " + value + ")");
          String stored =
              outcome(statement, "INSERT INTO stored" + i + " VALUES (" + value + ") RETURNING c");
          String name = "seed " + seed + ": " + value + " as d" + i;
          String cast = "CAST(%s AS d" + i + ")";
          for (String from : List.of(cast.formatted(value), cast.formatted("p") + " FROM texts")) {
            assertThat(outcome(statement, "SELECT " + from)).as(name).isEqualTo(stored);
          }
          if (!value.equals("NULL")) {
            String ofText = "SELECT " + cast.formatted("s") + " FROM texts";
            assertThat(outcome(statement, ofText)).as(name).isIn(stored, "22018");
          }
        }
      }
    }
  }

  /** The value that a statement returns, or the state that it raises. */
  private static String outcome(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getBigDecimal(1)) : "no row";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  /** A table whose columns name domains, and one that spells them out. */
  private void create(Statement statement) throws SQLException {
    List<String> named = new ArrayList<>();
    List<String> spelt = new ArrayList<>();
    for (int i = 0; i < DOMAINS; i++) {
      String column = "c" + i;
      String type = any(TYPES);
      String value = random.nextBoolean() ? " DEFAULT 2" : "";
      String own = random.nextInt(3) == 0 ? " DEFAULT 5" : "";
      hasOwnDefault.add(!own.isEmpty());
      String notNull = random.nextInt(3) == 0 ? " NOT NULL" : "";
      String condition = any(CONDITIONS);
      statement.execute(
          "CREATE DOMAIN d" + i + " AS " + type + value + notNull + check(condition, "VALUE"));
      named.add(column + " d" + i + own);
      spelt.add(
          column + " " + type + (own.isEmpty() ? value : own) + notNull + check(condition, column));
    }
    statement.execute("CREATE TABLE named (" + String.join(", ", named) + ")");
    statement.execute("CREATE TABLE spelt (" + String.join(", ", spelt) + ")");
  }

  /** Alters domains, and the columns that spell them out in the same way. */
  private void alter(Statement statement) throws SQLException {
    for (int i = 0; i < DOMAINS; i++) {
      String condition = any(CONDITIONS);
      String add = " ADD CONSTRAINT x" + i + " CHECK (" + condition.replace("%s", "%1$s") + ")";
      String added = state(statement, "ALTER DOMAIN d" + i + add.formatted("VALUE"));
      assertThat(added)
          .as("seed " + seed + ": " + add)
          .isEqualTo(state(statement, "ALTER TABLE spelt" + add.formatted("c" + i)));
      if (random.nextBoolean()) {
        String drop = " DROP CONSTRAINT x" + i;
        assertThat(state(statement, "ALTER DOMAIN d" + i + drop))
            .as("seed " + seed + ": " + drop)
            .isEqualTo(state(statement, "ALTER TABLE spelt" + drop));
      }
      if (random.nextBoolean()) {
        statement.execute("ALTER DOMAIN d" + i + " SET DEFAULT 1");
        if (!hasOwnDefault.get(i)) {
          statement.execute("ALTER TABLE spelt ALTER COLUMN c" + i + " SET DEFAULT 1");
        }
      }
      if (random.nextInt(3) == 0) {
        statement.execute("ALTER DOMAIN d" + i + " DROP DEFAULT"); // columns keep theirs
      }
    }
  }

  private static String check(String condition, String name) {
    return " CHECK (" + condition.replace("%s", name) + ")";
  }

  private void change(Statement statement) throws SQLException {
    for (int i = 0; i < CHANGES; i++) {
      String change = random.nextInt(3) == 0 ? update() : insert();
      assertThat(state(statement, change.formatted("named")))
          .as(change)
          .isEqualTo(state(statement, change.formatted("spelt")));
    }
    assertThat(rows(statement, "named")).isEqualTo(rows(statement, "spelt"));
  }

  /** Mostly of values that some domain takes, else no row would ever be stored. */
  private String insert() {
    List<String> columns = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < DOMAINS; i++) {
      if (random.nextInt(4) > 0) {
        columns.add("c" + i);
        values.add(random.nextInt(6) == 0 ? any(VALUES) : any(List.of("2", "5", "DEFAULT")));
      }
    }
    return columns.isEmpty()
        ? "INSERT INTO %s DEFAULT VALUES"
        : "INSERT INTO %s ("
            + String.join(", ", columns)
            + ") VALUES ("
            + String.join(", ", values)
            + ")";
  }

  private String update() {
    return "UPDATE %s SET c" + random.nextInt(DOMAINS) + " = " + any(VALUES);
  }

  private static String state(Statement statement, String sql) {
    try {
      return Integer.toString(statement.executeUpdate(sql));
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static List<String> rows(Statement statement, String table) throws SQLException {
    List<String> all = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("TABLE " + table)) {
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= DOMAINS; i++) {
          row.append(rows.getString(i)).append('|');
        }
        all.add(row.toString());
      }
    }
    return all;
  }
}
