package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Result sets whose cursor has a name, and changes at its place. */
class NamedCursorsTest {
  private static final int ROUNDS = 30;

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (a INTEGER, v VARCHAR(9))",
            "INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, 'y')");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static void refused(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  private Statement named(String name) throws SQLException {
    Statement statement = connection.createStatement();
    statement.setCursorName(name);
    return statement;
  }

  private int update(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  @Test
  void oneOfTwoEqualRowsIsChangedAndDeleted() throws SQLException {
    for (boolean automatic : new boolean[] {true, false}) {
      connection.setAutoCommit(automatic);
      try (Statement statement = named("here");
          ResultSet rows = statement.executeQuery("SELECT a, v FROM t ORDER BY a FOR UPDATE")) {
        String current = " WHERE CURRENT OF " + rows.getCursorName();
        refused("24000", () -> update("DELETE FROM t" + current));
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt("A")).isEqualTo(1);
        assertThat(update("UPDATE t SET v = 'new'" + current)).isOne();
        assertThat(rows.getString(2)).isEqualTo("x");
        assertThat(rows.next()).isTrue();
        assertThat(rows.next()).isTrue();
        try (PreparedStatement change =
            connection.prepareStatement("UPDATE t SET v = ?" + current)) {
          change.setString(1, "two");
          assertThat(change.executeUpdate()).isOne();
        }
        assertThat(rows.next()).isFalse();
      }
      assertThat(database.rows("SELECT * FROM t ORDER BY a, v"))
          .containsExactly("1|new", "1|x", "2|two");
      update("UPDATE t SET v = 'x' WHERE a = 1");
      assertThatThrownBy(() -> update("DELETE FROM t WHERE CURRENT OF here"))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void aNameIsFreeWhenItsResultSetIsClosed() throws SQLException {
    try (Statement first = named("c");
        Statement quoted = named("a b")) {
      try (Statement second = named("C")) {
        ResultSet rows = first.executeQuery("SELECT a FROM t");
        refused("24000", () -> second.executeQuery("SELECT a FROM t"));
        rows.close();
        assertThat(second.executeQuery("SELECT a FROM t").getCursorName()).isEqualTo("C");
      }
      assertThat(first.executeQuery("SELECT v FROM t").next()).isTrue();
      assertThat(quoted.executeQuery("SELECT a FROM t").getCursorName()).isEqualTo("\"a b\"");
      first.setCursorName(null);
      try (ResultSet unnamed = first.executeQuery("SELECT a FROM t")) {
        refused("0A000", unnamed::getCursorName);
      }
    }
  }

  @Test
  void aCursorEndsWithItsTransactionUnlessItIsHeld() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = named("c");
        Statement holding =
            connection.createStatement(
                ResultSet.TYPE_FORWARD_ONLY,
                ResultSet.CONCUR_READ_ONLY,
                ResultSet.HOLD_CURSORS_OVER_COMMIT)) {
      holding.setCursorName("h");
      ResultSet rows = statement.executeQuery("SELECT a FROM t ORDER BY a");
      ResultSet held = holding.executeQuery("SELECT a FROM t ORDER BY a");
      assertThat(rows.next() && held.next()).isTrue();
      connection.commit();
      refused("24000", rows::next);
      assertThat(held.next()).isTrue();
      assertThat(update("DELETE FROM t WHERE CURRENT OF h")).isOne();
      assertThat(held.next()).isTrue();
      assertThat(held.getInt(1)).isEqualTo(2);
    }
    assertThat(database.rows("SELECT a FROM t ORDER BY a")).containsExactly("1", "2");
  }

  @Test
  void rowsOfForUpdateAreLocked() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = named("c");
        ResultSet rows = statement.executeQuery("SELECT v FROM t WHERE a = 2 FOR UPDATE");
        Connection other = database.another()) {
      assertThat(rows.next()).isTrue();
      refused("40001", () -> TestDatabase.execute(other, "UPDATE t SET v = 'z' WHERE a = 2"));
    }
  }

  /** What has no cursor is run as it is. */
  @Test
  void otherStatementsDoNotMindTheName() throws SQLException {
    try (Statement statement = named("c")) {
      assertThat(statement.executeUpdate("INSERT INTO t VALUES (3, 'z')")).isOne();
      assertThat(TestDatabase.rows(statement.executeQuery("EXPLAIN SELECT 1"))).isNotEmpty();
      assertThat(statement.execute("SELECT a FROM t; SELECT v FROM t")).isTrue();
      ResultSet sum = statement.executeQuery("SELECT sum(a) FROM t");
      assertThat(sum.next()).isTrue();
      assertThat(sum.getInt(1)).isEqualTo(7);
      refused("42000", () -> update("DELETE FROM t WHERE CURRENT OF c"));
    }
    try (PreparedStatement prepared =
        connection.prepareStatement("SELECT a FROM t WHERE a > ? ORDER BY a")) {
      prepared.setCursorName("p");
      prepared.setInt(1, 1);
      assertThat(TestDatabase.rows(prepared.executeQuery())).containsExactly("2", "3");
    }
  }

  /** Changes at the cursor's place, and others ahead of and behind it, as a map has them. */
  @Test
  void randomChangesMeetTheRowsThatWereFetched() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      connection.setAutoCommit(random.nextBoolean());
      update("DELETE FROM t");
      Map<Integer, String> model = new TreeMap<>();
      for (int a = 0; a < 6; a++) {
        update("INSERT INTO t VALUES (" + a + ", 'n')");
        model.put(a, "n");
      }
      try (Statement statement = named("c");
          ResultSet rows = statement.executeQuery("SELECT a FROM t ORDER BY a DESC")) {
        for (int a = 5; rows.next(); a--) {
          assertThat(rows.getInt(1)).isEqualTo(a);
          int there = model.containsKey(a) ? 1 : 0;
          String value = "r" + random.nextInt(100);
          int any = random.nextInt(6);
          switch (random.nextInt(4)) {
            case 0 -> {
              String sql = "UPDATE t SET v = '" + value + "' WHERE CURRENT OF c";
              assertThat(update(sql)).as("seed %d", seed).isEqualTo(there);
              model.computeIfPresent(a, (_, _) -> value);
            }
            case 1 -> {
              assertThat(update("DELETE FROM t WHERE CURRENT OF c"))
                  .as("seed %d", seed)
                  .isEqualTo(there);
              model.remove(a);
            }
            case 2 -> {
              update("DELETE FROM t WHERE a = " + any);
              model.remove(any);
            }
            default -> {
              update("UPDATE t SET v = '" + value + "' WHERE a = " + any);
              model.computeIfPresent(any, (_, _) -> value);
            }
          }
        }
      }
      List<String> wanted = new ArrayList<>();
      model.forEach((a, v) -> wanted.add(a + "|" + v));
      assertThat(database.rows("SELECT a, v FROM t ORDER BY a"))
          .as("seed %d", seed)
          .isEqualTo(wanted);
    }
  }
}
