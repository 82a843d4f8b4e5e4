package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VacuumTest {
  private static final String ALL = "SELECT id, name, price, small FROM t ORDER BY id";
  private static final List<String> EXPECTED =
      List.of("2|two|2.00|7", "4|vier|null|7", "5|null|5.00|1");

  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(5) UNIQUE, price DECIMAL(6,2),"
                + " small SMALLINT DEFAULT 7 NOT NULL)");
    connection = database.connection();
    fill(connection);
  }

  private static void fill(Connection connection) throws SQLException {
    TestDatabase.execute(
        connection, "INSERT INTO t (id, name, price) VALUES (1, 'one', 1), (2, 'two', 2)");
    TestDatabase.execute(
        connection, "INSERT INTO t VALUES (3, 'three', 3, 0), (4, 'four', NULL, 7)");
    TestDatabase.execute(connection, "INSERT INTO t VALUES (5, NULL, 5, 1)");
    TestDatabase.execute(connection, "UPDATE t SET name = 'vier' WHERE id = 4");
    TestDatabase.execute(connection, "DELETE FROM t WHERE id IN (1, 3)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void rowsKeysAndDefaultsAreTheSameAfterwards() throws SQLException {
    database.execute("VACUUM t");
    assertThat(database.rows(ALL)).isEqualTo(EXPECTED);
    expectState("23505", "INSERT INTO t (id) VALUES (2)");
    expectState("23505", "UPDATE t SET name = 'two' WHERE id = 5");
    expectState("22001", "UPDATE t SET name = 'toolong' WHERE id = 5");
    expectState("23502", "UPDATE t SET small = NULL");
    database.execute("INSERT INTO t (id, name) VALUES (1, 'one')");
    assertThat(database.rows(ALL)).startsWith("1|one|null|7").hasSize(4);
    assertThat(database.rows("SELECT name FROM t WHERE id = 4")).containsExactly("vier");
  }

  private void expectState(String state, String sql) {
    assertThatThrownBy(() -> database.execute(sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void withoutANameEveryTableIsRewritten() throws SQLException {
    database.execute("CREATE TABLE u (v VARCHAR)");
    database.execute("INSERT INTO u VALUES ('a'), ('b'), (NULL)");
    database.execute("VACUUM");
    assertThat(database.rows(ALL)).isEqualTo(EXPECTED);
    assertThat(database.rows("SELECT count(*), min(v), max(v) FROM u")).containsExactly("3|a|b");
    expectState("42S02", "VACUUM missing");
  }

  @Test
  void preparedStatementsAndOpenRowsGoOn() throws SQLException {
    try (PreparedStatement byKey = connection.prepareStatement("SELECT price FROM t WHERE id = ?");
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO t (id, name) VALUES (?, ?)");
        Connection other = database.another();
        PreparedStatement all = other.prepareStatement(ALL);
        ResultSet rows = all.executeQuery()) {
      assertThat(rows.next()).isTrue();
      for (int i = 0; i < 3; i++) {
        database.execute("VACUUM t");
        byKey.setInt(1, 5);
        try (ResultSet row = byKey.executeQuery()) {
          assertThat(TestDatabase.rows(row)).containsExactly("5.00");
        }
        insert.setInt(1, 10 + i);
        insert.setString(2, "n" + i);
        assertThat(insert.executeUpdate()).isOne();
      }
      assertThat(TestDatabase.rows(rows)).isEqualTo(EXPECTED.subList(1, 3));
    }
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("6");
  }

  @Test
  void aRollbackUndoesIt() throws SQLException {
    connection.setAutoCommit(false);
    database.execute("VACUUM t");
    database.execute("DELETE FROM t WHERE id = 2");
    assertThat(database.rows(ALL)).hasSize(2);
    connection.rollback();
    connection.setAutoCommit(true);
    assertThat(database.rows(ALL)).isEqualTo(EXPECTED);
  }

  @Test
  void theFirstWriterWins() throws SQLException {
    try (Connection other = database.another()) {
      other.setAutoCommit(false);
      TestDatabase.execute(other, "UPDATE t SET small = 3 WHERE id = 2");
      expectState("40001", "VACUUM t");
      other.commit();
      connection.setAutoCommit(false);
      database.execute("VACUUM t");
      assertThatThrownBy(() -> TestDatabase.execute(other, "UPDATE t SET small = 4 WHERE id = 2"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
      assertThat(TestDatabase.rows(other, ALL)).contains("2|two|2.00|3");
      other.rollback();
      connection.commit();
      TestDatabase.execute(other, "UPDATE t SET small = 4 WHERE id = 2");
      other.commit();
    }
    assertThat(database.rows("SELECT small FROM t WHERE id = 2")).containsExactly("4");
  }

  @Test
  void aRewrittenTableIsThereWhenTheDatabaseIsOpenedAgain(@TempDir Path directory)
      throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("db");
    try (Connection file = DriverManager.getConnection(url)) {
      TestDatabase.execute(
          file,
          "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(5) UNIQUE, price DECIMAL(6,2),"
              + " small SMALLINT DEFAULT 7 NOT NULL)");
      fill(file);
      TestDatabase.execute(file, "VACUUM");
      TestDatabase.execute(file, "VACUUM");
    }
    try (Connection file = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(file, ALL)).isEqualTo(EXPECTED);
      TestDatabase.execute(file, "CREATE TABLE u (v INTEGER)");
      TestDatabase.execute(file, "VACUUM");
      TestDatabase.execute(file, "DROP TABLE t");
    }
    try (Connection file = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(file, "SELECT count(*) FROM u")).containsExactly("0");
      expectMissing(file);
    }
  }

  private static void expectMissing(Connection connection) {
    assertThatThrownBy(() -> TestDatabase.rows(connection, ALL))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S02"));
  }
}
