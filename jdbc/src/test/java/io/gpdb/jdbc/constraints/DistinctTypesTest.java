package io.gpdb.jdbc.constraints;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.GpdbConnection;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over columns of distinct types return what they return over columns of the source
 * type, and raise 42804 where, and only where, a rule of types is broken on purpose.
 */
class DistinctTypesTest {
  private static final String PLAIN = "INTEGER";
  private static final List<String> TYPES = List.of("A", "B", PLAIN);
  private static final List<String> COMPARISONS =
      List.of("=", "<>", "<", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM");
  private static final int QUERIES = Integer.getInteger("gpdb.queries", 50);
  private static final int DEPTH = 2;

  private final long seed = Long.getLong("gpdb.seed", 3);
  private final Random random = new Random(seed);

  /** Whether the query at hand breaks a rule. */
  private boolean isWrong;

  /** Whether it may. */
  private boolean mayBeWrong;

  /** The same expression with distinct types and without. */
  private record Text(String distinct, String plain) {
    static Text of(String pattern, Text... parts) {
      Object[] own = new Object[parts.length];
      Object[] other = new Object[parts.length];
      for (int i = 0; i < parts.length; i++) {
        own[i] = parts[i].distinct;
        other[i] = parts[i].plain;
      }
      return new Text(pattern.formatted(own), pattern.formatted(other));
    }
  }

  @Test
  void valuesCompareWithTheirOwnTypeAlone(@TempDir Path path) throws SQLException {
    System.out.println("DistinctTypesTest: seed " + seed);
    String url = "jdbc:gpdb:" + path;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      create(statement);
    }
    int wrong = 0;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (int q = 0; q < QUERIES; q++) {
        isWrong = false;
        mayBeWrong = random.nextInt(2) == 0;
        Text query = query();
        wrong += isWrong ? 1 : 0;
        String expected = isWrong ? "42804" : result(statement, query.plain);
        assertThat(result(statement, query.distinct))
            .as("seed %d, %s", seed, query.distinct)
            .isEqualTo(expected);
      }
      assertThat(wrong).isBetween(QUERIES / 10, QUERIES * 2 / 3);
      statement.execute("DROP TYPE a CASCADE");
      statement.execute("DROP TYPE b CASCADE");
      assertThat(result(statement, "SELECT a + b + n FROM t"))
          .isEqualTo(result(statement, "SELECT a + b + n FROM p"));
      assertThat(connection.unwrap(GpdbConnection.class).check()).isEmpty();
    }
  }

  private void create(Statement statement) throws SQLException {
    statement.execute("CREATE TYPE a AS INTEGER FINAL CAST (DISTINCT AS SOURCE) WITH of_a");
    statement.execute("CREATE TYPE b AS INTEGER CAST (SOURCE AS DISTINCT) WITH to_b");
    statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a a, b b DEFAULT 2, n INTEGER)");
    statement.execute("CREATE TABLE p (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, n INTEGER)");
    for (int i = 0; i < 12; i++) {
      String row = " VALUES (" + i + ", " + value() + ", " + value() + ", " + value() + ")";
      statement.execute("INSERT INTO t" + row);
      statement.execute("INSERT INTO p" + row);
    }
  }

  private String value() {
    return random.nextInt(5) == 0 ? "NULL" : Integer.toString(random.nextInt(6));
  }

  private Text query() {
    return switch (random.nextInt(6)) {
      case 0 -> {
        String type = type();
        Text one = query(expression(type, DEPTH));
        yield Text.of("%s UNION %s", one, query(expression(fitting(type), 1)));
      }
      case 1 -> {
        Text key = expression(type(), 1);
        yield Text.of(
            "SELECT %s, COUNT(*), MAX(id) FROM %s x GROUP BY %s ORDER BY 1, 2, 3",
            key, table(), key);
      }
      case 2 -> {
        String type = type();
        yield Text.of(
            "SELECT x.id, y.id FROM %s x JOIN %s y ON x.%s = y.%s ORDER BY 1, 2",
            table(), table(), column(type), column(fitting(type)));
      }
      case 3 ->
          Text.of(
              "SELECT SUM(%s), LAG(%s) OVER (ORDER BY id) FROM %s x GROUP BY id, a ORDER BY 1",
              expression(fitting(PLAIN), 1), column("A"), table());
      default -> query(expression(type(), DEPTH));
    };
  }

  private Text query(Text item) {
    return Text.of("SELECT %s FROM %s x WHERE %s", item, table(), condition(DEPTH));
  }

  private static Text table() {
    return new Text("t", "p");
  }

  private static Text column(String type) {
    String name = type.equals(PLAIN) ? "n" : type;
    return new Text(name, name);
  }

  private String type() {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  /** The type, or sometimes another, which is a mistake. */
  private String fitting(String type) {
    if (mayBeWrong && random.nextInt(5) == 0) {
      String other = type();
      isWrong |= !other.equals(type);
      return other;
    }
    return type;
  }

  private Text condition(int depth) {
    String type = type();
    int kind = random.nextInt(7);
    if (kind == 0) {
      return Text.of("x.%s IS NOT NULL", column(type));
    }
    Text left = expression(type, depth - 1);
    if (kind == 3) {
      return Text.of(
          "%s IN (SELECT y.%s FROM %s y WHERE %s)",
          left, column(fitting(type)), table(), compared("y.%s = x.%s", type()));
    }
    Text right = expression(fitting(type), depth - 1);
    return switch (kind) {
      case 1 -> Text.of("%s IN (%s, %s)", left, right, expression(fitting(type), 0));
      case 2 -> Text.of("%s BETWEEN %s AND %s", left, right, expression(fitting(type), 0));
      case 4 -> Text.of("(%s, x.id) = (%s, x.n)", left, right);
      default ->
          Text.of("%s " + COMPARISONS.get(random.nextInt(COMPARISONS.size())) + " %s", left, right);
    };
  }

  private Text compared(String pattern, String type) {
    return Text.of(pattern, column(type), column(fitting(type)));
  }

  /** An expression of a type; the first operand of COALESCE and NULLIF is never known. */
  private Text expression(String type, int depth) {
    if (depth <= 0) {
      return type.equals(PLAIN) && random.nextBoolean()
          ? Text.of(Integer.toString(random.nextInt(6)))
          : Text.of("x.%s", column(type));
    }
    return switch (random.nextInt(type.equals(PLAIN) ? 8 : 6)) {
      case 0 ->
          Text.of(
              "CASE WHEN %s THEN %s ELSE %s END",
              condition(depth - 1),
              expression(type, depth - 1),
              expression(fitting(type), depth - 1));
      case 1 -> Text.of("COALESCE(x.%s, %s)", column(type), expression(fitting(type), depth - 1));
      case 2 -> Text.of("NULLIF(x.%s, %s)", column(type), expression(fitting(type), depth - 1));
      case 3 -> Text.of("(SELECT MAX(y.%s) FROM %s y)", column(type), table());
      case 4, 5 -> cast(type, depth);
      case 6 -> Text.of("(%s + %s)", expression(fitting(PLAIN), 0), expression(PLAIN, depth - 1));
      default -> {
        Text value = expression(fitting("A"), depth - 1);
        yield new Text("of_a(" + value.distinct + ")", "CAST(" + value.plain + " AS INTEGER)");
      }
    };
  }

  private Text cast(String type, int depth) {
    if (type.equals(PLAIN)) {
      Text value = expression(type(), depth - 1);
      return Text.of("CAST(%s AS INTEGER)", value);
    }
    Text value = expression(PLAIN, depth - 1);
    String function = type.equals("B") ? "to_b" : "A";
    return new Text(
        random.nextBoolean()
            ? function + "(" + value.distinct + ")"
            : "CAST(" + value.distinct + " AS " + type + ")",
        "CAST(" + value.plain + " AS INTEGER)");
  }

  /** The rows in their order of text, or the state of the error. */
  private static String result(Statement statement, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int c = 1; c <= columns; c++) {
          row.append(result.getString(c)).append(' ');
        }
        rows.add(row.toString());
      }
    } catch (SQLException e) {
      return e.getSQLState();
    }
    rows.sort(null);
    return rows.toString();
  }

  @Test
  void parametersAreOfTheTypeBesideThem() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      create(statement);
      try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO t VALUES (?, ?, to_b(?), ?)");
          PreparedStatement select = connection.prepareStatement("SELECT id FROM t WHERE a = ?")) {
        for (int i = 1; i <= 4; i++) {
          insert.setInt(i, 100 + i);
        }
        assertThat(insert.executeUpdate()).isEqualTo(1);
        select.setInt(1, 102);
        try (ResultSet rows = select.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getInt(1)).isEqualTo(101);
        }
      }
      try (ResultSet types =
          connection.getMetaData().getUDTs(null, "PUBLIC", "_", new int[] {Types.DISTINCT})) {
        assertThat(types.next()).isTrue();
        assertThat(types.getString("TYPE_NAME")).isEqualTo("A");
        assertThat(types.getInt("BASE_TYPE")).isEqualTo(Types.INTEGER);
        assertThat(types.next()).isTrue();
        assertThat(types.next()).isFalse();
      }
    }
  }
}
