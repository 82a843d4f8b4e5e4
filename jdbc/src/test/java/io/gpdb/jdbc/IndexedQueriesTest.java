package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Generated statements over a table with ordered indexes and one with the same rows and none: both
 * say the same, whatever the types, NULLs, roll-backs and older snapshots.
 */
class IndexedQueriesTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261125L);

  /** After each change; {@code -Dgpdb.fuzz=N} makes more. */
  private static final int QUERIES = Integer.getInteger("gpdb.fuzz", 4);

  /** Values of a type, as SQL writes them. */
  enum Type {
    TINYINT("TINYINT", "-128", "-1", "0", "1", "2", "3", "127"),
    SMALLINT("SMALLINT", "-32768", "-1", "0", "1", "2", "3", "32767"),
    INTEGER("INTEGER", "-2147483648", "-1", "0", "1", "2", "3", "2147483647"),
    BIGINT("BIGINT", "-9223372036854775808", "-1", "0", "1", "2", "3", "9223372036854775807"),
    DECIMAL("DECIMAL(9, 2)", "-99.50", "-1.00", "0.00", "0.01", "2.00", "3.00", "77.70"),
    WIDE("DECIMAL(30, 2)", "-9999999999999999999999.50", "-1.00", "0.00", "0.01", "2.00", "3.00"),
    BOOLEAN("BOOLEAN", "TRUE", "FALSE"),
    DATE("DATE", "DATE '1999-12-31'", "DATE '0001-01-01'", "DATE '2026-11-25'"),
    TIME("TIME", "TIME '00:00:00'", "TIME '12:30:15'", "TIME '23:59:59'"),
    TIMESTAMP("TIMESTAMP", "TIMESTAMP '1969-12-31 23:59:59'", "TIMESTAMP '2026-01-01 00:00:00'"),
    VARCHAR("VARCHAR(20)", "''", "'a'", "'a '", "'ab'", "'b'", "'Ä'", "'😀'", "'zzzz'"),
    LONG_TEXT("VARCHAR", "''", "'a'", "'" + "x".repeat(600) + "'", "'" + "x".repeat(601) + "'"),
    CHAR("CHAR(4)", "'a'", "'ab'", "'b'", "''", "'abcd'"),
    VARBINARY("VARBINARY(9)", "X''", "X'00'", "X'0000'", "X'00ff'", "X'ff'", "X'01'");

    final String name;
    final List<String> values;

    Type(String name, String... values) {
      this.name = name;
      this.values = List.of(values);
    }

    String value(Random random) {
      return values.get(random.nextInt(values.size()));
    }
  }

  private final Random random = new Random(SEED);
  private int nextId;

  @ParameterizedTest
  @EnumSource(Type.class)
  void anIndexChangesNoAnswer(Type type) throws SQLException {
    try (Connection connection = java.sql.DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      String columns = "id INTEGER, x " + type.name + ", y INTEGER, z VARCHAR(5)";
      boolean keys = random.nextBoolean();
      statement.execute(
          "CREATE TABLE i ("
              + columns
              + (keys ? ", UNIQUE (x, y, id), UNIQUE (y, z, id), UNIQUE (z, id))" : ")"));
      statement.execute("CREATE TABLE s (" + columns + ")");
      int indexedIn = keys ? -1 : random.nextInt(3);
      for (int round = 0; round < 6; round++) {
        if (round == indexedIn) {
          createIndexes(statement);
        }
        boolean own = random.nextBoolean();
        connection.setAutoCommit(!own);
        change(statement, type);
        for (int query = 0; query < QUERIES; query++) {
          compare(statement, type);
        }
        if (own && random.nextBoolean()) {
          connection.rollback();
          compare(statement, type);
        } else if (own) {
          connection.commit();
        }
        connection.setAutoCommit(true);
      }
    }
  }

  /** A plan that looks the least value up is used again with other parameters. */
  @Test
  void theLeastValueFollowsItsParameters() throws SQLException {
    try (TestDatabase database =
            new TestDatabase(
                "CREATE TABLE t (a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (a, b))",
                "INSERT INTO t VALUES (1, 5, 0), (1, 3, 1), (2, 9, 0)");
        PreparedStatement least =
            database.connection().prepareStatement("SELECT MIN(b) FROM t WHERE a = ?");
        PreparedStatement filtered =
            database.connection().prepareStatement("SELECT MIN(b) FROM t WHERE a = ? AND c = 0")) {
      assertThat(of(least, 1)).isEqualTo(3);
      assertThat(of(least, 2)).isEqualTo(9);
      assertThat(of(least, 3)).isNull();
      assertThat(of(least, null)).isNull();
      assertThat(of(filtered, 1)).isEqualTo(5);
      database.execute("DELETE FROM t WHERE b = 3");
      assertThat(of(least, 1)).isEqualTo(5);
    }
  }

  private static @Nullable Object of(PreparedStatement query, @Nullable Integer parameter)
      throws SQLException {
    query.setObject(1, parameter, Types.INTEGER);
    try (ResultSet rows = query.executeQuery()) {
      assertThat(rows.next()).isTrue();
      Object value = rows.getObject(1);
      assertThat(rows.next()).isFalse();
      return value;
    }
  }

  private void createIndexes(Statement statement) throws SQLException {
    String[] shapes = {
      "(x, y, id)",
      "(x DESC, y DESC, id DESC)",
      "(x DESC, y, id DESC)",
      "(y, z DESC)",
      "(z, id)",
      "(y DESC)",
      "(x)",
      "(z DESC, x)",
      "(x, z)",
    };
    for (int i = 0, n = 1 + random.nextInt(4); i < n; i++) {
      String using = random.nextInt(5) == 0 ? " USING HASH" : "";
      statement.execute("CREATE INDEX ON i " + shapes[random.nextInt(shapes.length)] + using);
    }
  }

  private void change(Statement statement, Type type) throws SQLException {
    for (int i = 0, n = 1 + random.nextInt(6); i < n; i++) {
      String sql =
          switch (random.nextInt(4)) {
            case 0 -> "UPDATE %s SET x = " + orNull(type.value(random)) + where(type);
            case 1 -> "UPDATE %s SET y = " + orNull("" + random.nextInt(5)) + where(type);
            case 2 -> "DELETE FROM %s" + where(type) + " AND id > " + random.nextInt(nextId + 1);
            default -> insert(type);
          };
      int changed = statement.executeUpdate(sql.formatted("i"));
      assertThat(statement.executeUpdate(sql.formatted("s"))).as(told(sql)).isEqualTo(changed);
    }
  }

  private String insert(Type type) {
    StringBuilder sql = new StringBuilder("INSERT INTO %s VALUES ");
    for (int i = 0, n = 1 + random.nextInt(60); i < n; i++) {
      sql.append(i == 0 ? "(" : ", (").append(nextId++).append(", ");
      sql.append(orNull(type.value(random))).append(", ");
      sql.append(orNull("" + random.nextInt(5))).append(", ");
      sql.append(orNull(Type.VARCHAR.values.get(random.nextInt(6)))).append(")");
    }
    return sql.toString();
  }

  private String orNull(String value) {
    return random.nextInt(6) == 0 ? "NULL" : value;
  }

  private String where(Type type) {
    String where = " WHERE " + condition(type);
    while (random.nextInt(2) == 0) {
      where += " AND " + condition(type);
    }
    return where;
  }

  private String condition(Type type) {
    return switch (random.nextInt(4)) {
      case 0 -> condition("y", "" + random.nextInt(5), "" + random.nextInt(5));
      case 1 -> condition("z", Type.VARCHAR.value(random), Type.VARCHAR.value(random));
      default -> condition("x", type.value(random), type.value(random));
    };
  }

  private String condition(String column, String a, String b) {
    String[] operators = {"=", "=", "=", "<", "<=", ">", ">="};
    return switch (random.nextInt(8)) {
      case 0 -> column + " BETWEEN " + a + " AND " + b;
      case 1 -> column + " IN (" + a + ", " + b + (random.nextBoolean() ? "" : ", NULL") + ")";
      case 2 -> column + (random.nextBoolean() ? " IS NULL" : " IS NOT NULL");
      case 3 -> b + " " + operators[random.nextInt(operators.length)] + " " + column;
      case 4 -> "(" + column + " > " + a + " OR " + column + " = " + b + ")";
      default -> column + " " + operators[random.nextInt(operators.length)] + " " + a;
    };
  }

  private void compare(Statement statement, Type type) throws SQLException {
    String where = random.nextInt(4) == 0 ? "" : where(type);
    String sql =
        switch (random.nextInt(15)) {
          case 12 -> exists(where);
          case 13 -> outerJoin(where);
          case 14 -> join(where, on());
          case 8 -> groups(where);
          case 9 -> "SELECT COUNT(DISTINCT x), SUM(DISTINCT y), COUNT(*), MAX(z) FROM %s" + where;
          case 10 -> "SELECT DISTINCT z, x FROM %s" + where + " ORDER BY z, x DESC";
          case 11 -> "SELECT MIN(b), COUNT(DISTINCT v) FROM (" + joined(where) + ") AS q";
          case 6 -> join(where, "b.z = a.z AND b.id = a.p");
          case 7 -> join(where, "b.y = a.y AND b.x = " + (random.nextBoolean() ? "a.x" : "a.w"));
          case 0 -> "SELECT MIN(x), MAX(x) FROM %s" + where;
          case 1 -> "SELECT " + (random.nextBoolean() ? "MIN" : "MAX") + "(x) FROM %s" + where;
          case 2 -> "SELECT " + (random.nextBoolean() ? "MIN" : "MAX") + "(y) FROM %s" + where;
          case 3 -> "SELECT COUNT(*), SUM(y), COUNT(x) FROM %s" + where;
          case 4 -> "SELECT * FROM %s" + where + " ORDER BY id";
          default -> "SELECT z, y, x, id FROM %s" + where + order() + limit();
        };
    if (type == Type.BOOLEAN && sql.contains("(x), MAX")) {
      return;
    }
    List<String> scanned = rows(statement, sql.formatted("s"));
    assertThat(rows(statement, sql.formatted("i"))).as(told(sql)).isEqualTo(scanned);
  }

  /** Equalities that a beginning of a key may serve, and one that none does. */
  private String on() {
    List<String> equalities =
        List.of("b.x = a.x", "b.y = a.y", "b.z = a.z", "b.y = 2", "b.z = 'a'");
    String on = "b.id <> a.id";
    for (int i = 0, n = 1 + random.nextInt(3); i < n; i++) {
      on += " AND " + equalities.get(random.nextInt(equalities.size()));
    }
    return random.nextInt(3) == 0 ? on.replace("<>", "=") : on;
  }

  private String exists(String where) {
    String not = random.nextBoolean() ? "NOT " : "";
    String a = "SELECT a.id, a.x FROM (SELECT * FROM %1$s" + where + ") a WHERE ";
    return switch (random.nextInt(3)) {
      case 0 -> a + "a.y " + not + "IN (SELECT b.y FROM %1$s b WHERE b.z = 'a') ORDER BY a.id";
      case 1 -> a + not + "EXISTS (SELECT 1 FROM %1$s b WHERE " + on() + ") ORDER BY a.id";
      default ->
          a + not + "EXISTS (SELECT 1 FROM %1$s b WHERE b.z = a.z AND b.y > 1) ORDER BY a.id";
    };
  }

  private String outerJoin(String where) {
    String columns = random.nextBoolean() ? "a.id, b.id, b.x, a.z, b.z" : "COUNT(*), COUNT(b.x)";
    String a = "(SELECT * FROM %1$s" + where + ") a";
    String from =
        random.nextBoolean()
            ? a + " LEFT JOIN %1$s b ON " + on()
            : "%1$s b RIGHT JOIN " + a + " ON " + on();
    String filter = random.nextInt(3) == 0 ? " WHERE b.y IS NULL OR b.y > 1" : "";
    String order = columns.startsWith("a") ? " ORDER BY a.id, b.id" : "";
    return "SELECT " + columns + " FROM " + from + filter + order;
  }

  private String groups(String where) {
    String key = random.nextBoolean() ? "y" : random.nextBoolean() ? "z" : "x";
    String having = random.nextInt(3) == 0 ? " HAVING COUNT(*) > 1" : "";
    return "SELECT "
        + key
        + ", COUNT(*), SUM(id), SUM(y), MIN(z), COUNT(x) FILTER (WHERE id > 7) FROM %s"
        + where
        + " GROUP BY "
        + key
        + having
        + " ORDER BY 2 DESC, "
        + key;
  }

  private String joined(String where) {
    String on = random.nextBoolean() ? "b.z = a.z AND b.id = a.p" : "b.y = a.y AND b.x = a.x";
    return "SELECT b.id AS b, b.x AS v FROM (SELECT x, y, z, id - 1 AS p FROM %1$s"
        + where
        + ") a JOIN %1$s b ON "
        + on;
  }

  private static String join(String where, String on) {
    return "SELECT a.id, b.id, b.x, a.z FROM (SELECT x, y, z, id, id - 1 AS p, x AS w FROM %1$s"
        + where
        + ") a JOIN %1$s b ON "
        + on
        + " ORDER BY a.id, b.id";
  }

  /** By all columns of a key, the id among them, or by others and the id. */
  private String order() {
    String down = random.nextBoolean() ? " DESC" : "";
    String other = random.nextInt(4) == 0 ? "" : down;
    return switch (random.nextInt(3)) {
      case 0 -> " ORDER BY x" + down + ", y" + other + ", id" + down;
      case 1 -> " ORDER BY y" + down + ", z" + down + ", id" + other;
      default -> " ORDER BY z" + down + (random.nextBoolean() ? " NULLS LAST" : "") + ", id" + down;
    };
  }

  private String limit() {
    return switch (random.nextInt(3)) {
      case 0 -> "";
      case 1 -> " LIMIT " + random.nextInt(9);
      default -> " LIMIT " + random.nextInt(9) + " OFFSET " + random.nextInt(9);
    };
  }

  private static List<String> rows(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      return rows(rows);
    } catch (SQLException e) {
      return List.of(e.getSQLState());
    }
  }

  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> read = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      StringBuilder row = new StringBuilder();
      for (int c = 1; c <= columns; c++) {
        row.append(rows.getString(c)).append('|');
      }
      read.add(row.toString());
    }
    return read;
  }

  private static String told(String sql) {
    return "seed " + SEED + ": " + sql;
  }

  @Test
  void parametersAreBoundEachTime() throws SQLException {
    try (Connection connection = java.sql.DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INTEGER, b VARCHAR(9), c INTEGER, UNIQUE (a, b, c))");
      for (int i = 0; i < 40; i++) {
        statement.execute("INSERT INTO t VALUES (%d, 'b%d', %d)".formatted(i % 4, i % 5, i));
      }
      try (PreparedStatement query =
          connection.prepareStatement(
              "SELECT c FROM t WHERE a = ? AND b >= ? ORDER BY b DESC, c DESC LIMIT ?")) {
        assertThat(bound(query, 1, "b3", 2)).containsExactly("29|", "9|");
        assertThat(bound(query, 2, "b3", 9)).containsExactly("34|", "14|", "38|", "18|");
        assertThat(bound(query, null, "b3", 2)).isEmpty();
        assertThat(bound(query, 1, null, 2)).isEmpty();
        assertThat(bound(query, 9, "", 2)).isEmpty();
        assertThat(bound(query, 1, "b3", 0)).isEmpty();
      }
    }
  }

  private static List<String> bound(PreparedStatement query, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      query.setObject(i + 1, values[i]);
    }
    try (ResultSet rows = query.executeQuery()) {
      return rows(rows);
    }
  }

  @Test
  void olderSnapshotsFindOlderKeys() throws SQLException {
    String url = "jdbc:gpdb:mem:indexed" + SEED;
    try (Connection writer = java.sql.DriverManager.getConnection(url);
        Connection reader = java.sql.DriverManager.getConnection(url);
        Statement change = writer.createStatement();
        Statement query = reader.createStatement()) {
      change.execute("CREATE TABLE i (id INTEGER, x INTEGER, UNIQUE (x, id))");
      change.execute("CREATE TABLE s (id INTEGER, x INTEGER)");
      for (String table : new String[] {"i", "s"}) {
        for (int id = 0; id < 200; id++) {
          change.execute("INSERT INTO %s VALUES (%d, %d)".formatted(table, id, id % 10));
        }
      }
      reader.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      for (int round = 0; round < 8; round++) {
        reader.setAutoCommit(false);
        String sql =
            "SELECT id, x FROM %s WHERE x BETWEEN 3 AND " + (3 + round) + " ORDER BY x, id";
        List<String> before = rows(query, sql.formatted("s"));
        for (String table : new String[] {"i", "s"}) {
          change.execute("UPDATE " + table + " SET x = x + 3 WHERE x BETWEEN 2 AND 4");
          change.execute("UPDATE " + table + " SET x = NULL WHERE x = 9");
          change.execute("DELETE FROM " + table + " WHERE x = 6 AND MOD(id, 7) = " + round % 7);
          change.execute("UPDATE " + table + " SET x = 3 WHERE x IS NULL AND id < 99");
        }
        assertThat(rows(query, sql.formatted("i"))).isEqualTo(before);
        reader.rollback();
        reader.setAutoCommit(true);
        assertThat(rows(query, sql.formatted("i"))).isEqualTo(rows(query, sql.formatted("s")));
      }
    }
  }

  @Test
  void aRangeThatOthersChangedRefusesASerializableCommit() throws SQLException {
    String url = "jdbc:gpdb:mem:ranges" + SEED;
    String[] changes = {
      "INSERT INTO t VALUES (500, 5)", "UPDATE t SET x = 5 WHERE id = 90",
      "DELETE FROM t WHERE id = 5", "UPDATE t SET x = 50 WHERE id = 6",
    };
    String[] harmless = {"INSERT INTO t VALUES (501, 70)", "UPDATE t SET x = 71 WHERE id = 90"};
    try (Connection a = java.sql.DriverManager.getConnection(url);
        Connection b = java.sql.DriverManager.getConnection(url);
        Statement first = a.createStatement();
        Statement second = b.createStatement()) {
      first.execute("CREATE TABLE t (id INTEGER, x INTEGER, UNIQUE (x, id))");
      first.execute("CREATE TABLE log (n BIGINT)");
      for (int id = 0; id < 100; id++) {
        first.execute("INSERT INTO t VALUES (%d, %d)".formatted(id, id));
      }
      a.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      for (String change : harmless) {
        assertThat(refusedAfter(a, first, second, change)).as(change).isNull();
      }
      for (String change : changes) {
        assertThat(refusedAfter(a, first, second, change)).as(change).isEqualTo("40001");
      }
    }
  }

  private static String refusedAfter(Connection a, Statement first, Statement second, String change)
      throws SQLException {
    a.setAutoCommit(false);
    rows(first, "SELECT id FROM t WHERE x BETWEEN 3 AND 9");
    second.execute(change);
    try {
      first.execute("INSERT INTO log VALUES (1)");
      a.commit();
      return null;
    } catch (SQLException e) {
      a.rollback();
      return e.getSQLState();
    } finally {
      a.setAutoCommit(true);
    }
  }
}
