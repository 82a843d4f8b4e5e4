package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goes to the limits that docs/limits.md names: the limit itself works, one more is refused. */
class LimitsTest {
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = new TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void refused(String state, String sql) {
    assertThatThrownBy(
            () -> {
              if (sql.startsWith("SELECT")) {
                database.rows(sql);
              } else {
                database.execute(sql);
              }
            })
        .isInstanceOf(SQLException.class)
        .extracting(failure -> ((SQLException) failure).getSQLState())
        .as(sql.length() > 200 ? sql.substring(0, 200) : sql)
        .isEqualTo(state);
  }

  private static String list(int count, IntFunction<String> part) {
    return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(", "));
  }

  @Test
  void aTableHas32Keys() throws SQLException {
    IntFunction<String> column = i -> "c" + i + " INTEGER UNIQUE";
    database.execute("CREATE TABLE k (" + list(32, column) + ")");
    database.execute("INSERT INTO k VALUES (" + list(32, i -> "" + i) + ")");
    for (int key = 0; key < 32; key++) {
      assertThat(database.rows("SELECT count(*) FROM k WHERE c" + key + " = " + key))
          .containsExactly("1");
    }
    refused("23505", "INSERT INTO k (c31) VALUES (31)");
    refused("54000", "CREATE TABLE k2 (" + list(33, column) + ")");
  }

  @Test
  void aNameHas128Characters() throws SQLException {
    String name = "n".repeat(128);
    database.execute("CREATE TABLE " + name + " (" + name + " INTEGER)");
    database.execute("INSERT INTO " + name + " VALUES (5)");
    assertThat(database.rows("SELECT " + name + " FROM " + name)).containsExactly("5");
    refused("42601", "CREATE TABLE " + name + "n (a INTEGER)");
  }

  @Test
  void aStringHas16MiCharacters() throws SQLException {
    int most = 16 * 1024 * 1024;
    refused("54000", "SELECT char_length(repeat('x', " + (most + 1) + "))");
    assertThat(database.rows("SELECT char_length(repeat('x', " + most + "))"))
        .containsExactly("" + most);
  }

  @Test
  void aDecimalHas38Digits() throws SQLException {
    database.execute("CREATE TABLE d (v DECIMAL(18, 6))");
    database.execute("INSERT INTO d VALUES (999999999999.999999), (-999999999999.999999)");
    assertThat(database.rows("SELECT sum(v) FROM d")).containsExactly("0.000000");
    refused("22003", "INSERT INTO d VALUES (1000000000000)");
    String most = "9".repeat(32) + "." + "9".repeat(6);
    database.execute("CREATE TABLE d2 (v DECIMAL(38, 6))");
    database.execute("INSERT INTO d2 VALUES (" + most + "), (-" + most + ")");
    assertThat(database.rows("SELECT sum(v), max(v) FROM d2")).containsExactly("0.000000|" + most);
    refused("22003", "INSERT INTO d2 VALUES (1" + "0".repeat(32) + ")");
    refused("22003", "SELECT sum(v) FROM (SELECT abs(v) AS v FROM d2) a");
    refused("0A000", "CREATE TABLE d3 (v DECIMAL(39, 6))");
  }

  @Test
  void yearsAreFrom1To9999() throws SQLException {
    database.execute("CREATE TABLE y (d DATE, s TIMESTAMP)");
    database.execute(
        "INSERT INTO y VALUES (DATE '0001-01-01', TIMESTAMP '0001-01-01 00:00:00'),"
            + " (DATE '9999-12-31', TIMESTAMP '9999-12-31 23:59:59.999999')");
    assertThat(database.rows("SELECT min(d), max(d) FROM y"))
        .containsExactly("0001-01-01|9999-12-31");
  }

  @Test
  void aTransactionIsOneOf4096() throws SQLException {
    List<Connection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 4096; i++) {
        Connection connection = database.another();
        open.add(connection);
        connection.setAutoCommit(false);
        TestDatabase.rows(connection, "SELECT id FROM t WHERE id = 1");
      }
      refused("54000", "SELECT * FROM t WHERE id = 1");
      open.getLast().rollback();
      assertThat(database.rows("SELECT * FROM t WHERE id = 1")).isEmpty();
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }

  @Test
  void aBatchHasMoreRowsThanOneLaunchTakes() throws SQLException {
    int rows = (1 << 20) + 1;
    Connection connection = database.connection();
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, 'x')")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(rows);
    }
    assertThat(database.rows("SELECT count(*), max(id) FROM t"))
        .containsExactly(rows + "|" + (rows - 1));
    connection.commit();
    connection.setAutoCommit(true);
  }

  @Test
  void aStatementHasManyParametersAndExpressions() throws SQLException {
    int count = 2000;
    String sql = "SELECT id FROM t WHERE id IN (" + list(count, i -> "?") + ") ORDER BY id";
    database.execute("INSERT INTO t (id) VALUES " + list(count, i -> "(" + i + ")"));
    try (PreparedStatement query = database.connection().prepareStatement(sql)) {
      for (int i = 0; i < count; i++) {
        query.setInt(i + 1, 2 * i);
      }
      assertThat(TestDatabase.rows(query.executeQuery())).hasSize(count / 2);
    }
    String sums = list(1000, i -> "sum(id + " + i + ")");
    assertThat(database.rows("SELECT " + sums + " FROM t")).hasSize(1);
    assertThat(
            database.rows(
                "SELECT count(*) FROM t WHERE "
                    + list(900, i -> "id <> " + 3 * i + " + 0 * id").replace(", ", " AND ")))
        .containsExactly("" + IntStream.range(0, 2000).filter(i -> i % 3 != 0).count());
  }

  /** Each level has its operand twice: what is beyond a limit ends soon, whatever reads it. */
  @Test
  void nestedNullIfsAreNotWrittenOutWithoutEnd() throws SQLException {
    database.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    assertThat(database.rows("SELECT SUM(" + nested("NULLIF", 10) + ") FROM t"))
        .containsExactly("3");
    assertThat(database.rows("SELECT SUM(" + nested("COALESCE", 10) + ") FROM t"))
        .containsExactly("3");
    for (String table : List.of("t", "(SELECT id FROM t WHERE v LIKE '%a%') AS x")) {
      for (String function : List.of("NULLIF", "COALESCE")) {
        refused("54001", "SELECT SUM(" + nested(function, 60) + ") + LN(1) FROM " + table);
      }
    }
    refused("54001", "SELECT SUM(" + nested("NULLIF", 60) + ") FROM t");
  }

  private static String nested(String function, int levels) {
    String value = "id";
    for (int level = 0; level < levels; level++) {
      value = function + "(" + value + ", " + (level + 100) + ")";
    }
    return value;
  }
}
