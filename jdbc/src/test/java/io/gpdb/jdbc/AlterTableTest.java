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

/** ALTER TABLE and CREATE INDEX beside other transactions, open statements, and a reopening. */
class AlterTableTest {
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10))",
            "INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void statementsPreparedBeforeSeeTheTableAsItIs() throws SQLException {
    Connection connection = database.connection();
    try (PreparedStatement all = connection.prepareStatement("SELECT * FROM t ORDER BY a");
        PreparedStatement key = connection.prepareStatement("SELECT b FROM t WHERE a = ?");
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO t (a, b) VALUES (?, ?)")) {
      for (String alter :
          List.of(
              "ALTER TABLE t ADD c INTEGER DEFAULT 5",
              "ALTER TABLE t DROP COLUMN c, ADD d INTEGER DEFAULT 6",
              "CREATE UNIQUE INDEX i ON t (b)",
              "ALTER TABLE t ALTER d TYPE VARCHAR(4)",
              "DROP INDEX i")) {
        int next = TestDatabase.rows(all.executeQuery()).size() + 1;
        key.setInt(1, next);
        insert.setInt(1, next);
        insert.setString(2, "row" + next);
        insert.executeUpdate();
        database.execute(alter);
        try (ResultSet rows = key.executeQuery()) {
          assertThat(TestDatabase.rows(rows)).as(alter).containsExactly("row" + next);
        }
      }
      assertThat(TestDatabase.rows(all.executeQuery())).startsWith("1|one|6").endsWith("7|row7|6");
    }
  }

  @Test
  void snapshotsFromBeforeReadTheTableAsItWas() throws SQLException {
    try (Connection older = database.another()) {
      older.setAutoCommit(false);
      assertThat(TestDatabase.rows(older, "SELECT * FROM t")).containsExactly("1|one", "2|two");
      database.execute("ALTER TABLE t ADD c INTEGER DEFAULT 5");
      database.execute("INSERT INTO t VALUES (3, 'three', 6)");
      database.execute("CREATE UNIQUE INDEX i ON t (c, a)");
      database.execute("ALTER TABLE t DROP COLUMN b");
      assertThat(TestDatabase.rows(older, "SELECT * FROM t")).containsExactly("1|one", "2|two");
      assertThat(TestDatabase.rows(older, "SELECT b FROM t WHERE a = 2")).containsExactly("two");
      expectState(older, "40001", "INSERT INTO t VALUES (4, 'four')");
      older.rollback();
      assertThat(TestDatabase.rows(older, "SELECT * FROM t ORDER BY a"))
          .containsExactly("1|5", "2|5", "3|6");
    }
  }

  @Test
  void writersFromBeforeDoNotEvadeAConstraint() throws SQLException {
    try (Connection older = database.another()) {
      older.setAutoCommit(false);
      assertThat(TestDatabase.rows(older, "SELECT COUNT(*) FROM t")).containsExactly("2");
      database.execute("ALTER TABLE t ALTER b SET NOT NULL");
      expectState(older, "40001", "INSERT INTO t (a) VALUES (3)");
      older.rollback();
      expectState(older, "23502", "INSERT INTO t (a) VALUES (3)");
    }
  }

  @Test
  void whoeverWritesIsInTheWayOfAnAlteration() throws SQLException {
    try (Connection writer = database.another()) {
      writer.setAutoCommit(false);
      TestDatabase.execute(writer, "UPDATE t SET b = 'x' WHERE a = 1");
      for (String alter :
          List.of(
              "ALTER TABLE t ADD c INTEGER",
              "ALTER TABLE t ALTER b SET NOT NULL",
              "CREATE INDEX i ON t (b)",
              "ALTER TABLE t ADD UNIQUE (b)")) {
        expectState(database.connection(), "40001", alter);
      }
      writer.commit();
    }
    database.execute("ALTER TABLE t ADD c INTEGER");
    assertThat(database.rows("SELECT * FROM t ORDER BY a"))
        .containsExactly("1|x|null", "2|two|null");
  }

  @Test
  void anAlterationUndoneLetsOthersWrite() throws SQLException {
    Connection connection = database.connection();
    connection.setAutoCommit(false);
    try (Connection older = database.another()) {
      older.setAutoCommit(false);
      assertThat(TestDatabase.rows(older, "SELECT COUNT(*) FROM t")).containsExactly("2");
      var savepoint = connection.setSavepoint();
      database.execute("ALTER TABLE t ALTER b SET NOT NULL");
      expectState(older, "40001", "INSERT INTO t VALUES (3, 'x')");
      older.rollback();
      connection.rollback(savepoint);
      TestDatabase.execute(older, "INSERT INTO t (a) VALUES (3)");
      older.commit();
    }
    connection.rollback();
    connection.setAutoCommit(true);
    assertThat(database.rows("SELECT COUNT(*) FROM t WHERE b IS NULL")).containsExactly("1");
  }

  @Test
  void whatWasAlteredIsThereAfterAReopening(@TempDir Path directory) throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("db");
    try (Connection connection = DriverManager.getConnection(url)) {
      TestDatabase.execute(connection, "CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10))");
      TestDatabase.execute(connection, "INSERT INTO t VALUES (1, 'one'), (2, 'two')");
      TestDatabase.execute(
          connection, "ALTER TABLE t ADD c VARCHAR(5) DEFAULT 'c', ADD d DATE, ADD UNIQUE (b)");
      TestDatabase.execute(connection, "CREATE INDEX i ON t (c, b DESC)");
      TestDatabase.execute(connection, "INSERT INTO t (a, b) VALUES (3, 'three')");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(TestDatabase.rows(connection, "SELECT * FROM t ORDER BY a"))
          .containsExactly("1|one|c|null", "2|two|c|null", "3|three|c|null");
      expectState(connection, "23505", "INSERT INTO t (a, b) VALUES (4, 'two')");
      assertThat(
              TestDatabase.rows(
                  connection,
                  "SELECT index_name, column_name FROM INFORMATION_SCHEMA.INDEX_COLUMNS"
                      + " ORDER BY index_name, ordinal_position"))
          .containsExactly("I|C", "I|B", "T_B_KEY|B", "T_PKEY|A");
    }
  }

  private static void expectState(Connection connection, String state, String sql) {
    assertThatThrownBy(() -> TestDatabase.execute(connection, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }
}
