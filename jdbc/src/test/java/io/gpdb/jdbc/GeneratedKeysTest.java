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
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys that statements return besides their counts, and rows of RETURNING. */
class GeneratedKeysTest {
  private final TestDatabase database;

  GeneratedKeysTest() throws SQLException {
    database = new TestDatabase();
  }

  @BeforeEach
  void createTables() throws SQLException {
    database.execute(
        "CREATE TABLE t (a INTEGER, id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            + " name VARCHAR(20))");
    database.execute("CREATE TABLE k (x INTEGER, y VARCHAR(5), z INTEGER, PRIMARY KEY (y, x))");
    database.execute("CREATE TABLE plain (a INTEGER)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private Connection connection() {
    return database.connection();
  }

  private static List<String> rows(ResultSet from) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (from) {
      int columns = from.getMetaData().getColumnCount();
      while (from.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(from.getString(i));
        }
        rows.add(String.join("|", values));
      }
    }
    return rows;
  }

  @Test
  void theIdentityColumnIsTheKey() throws SQLException {
    try (Statement statement = connection().createStatement()) {
      String sql = "INSERT INTO t (a) VALUES (1), (2)";
      assertThat(statement.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS)).isEqualTo(2);
      ResultSet keys = statement.getGeneratedKeys();
      assertThat(keys.getMetaData().getColumnName(1)).isEqualTo("ID");
      assertThat(keys.getMetaData().isAutoIncrement(1)).isTrue();
      assertThat(rows(keys)).containsExactly("1", "2");
      assertThat(rows(statement.getGeneratedKeys())).containsExactly("1", "2");
      statement.execute("INSERT INTO t (a) SELECT a FROM t", new String[] {"id", "A"});
      assertThat(statement.getUpdateCount()).isEqualTo(2);
      assertThat(rows(statement.getGeneratedKeys())).containsExactly("3|1", "4|2");
      statement.executeLargeUpdate("INSERT INTO t (a) VALUES (7)", new int[] {2});
      assertThat(rows(statement.getGeneratedKeys())).containsExactly("5");
      statement.executeUpdate("INSERT INTO t (a) VALUES (8)");
      assertThat(rows(statement.getGeneratedKeys())).isEmpty();
      statement.executeUpdate("INSERT INTO t (a) VALUES (9)", Statement.NO_GENERATED_KEYS);
      assertThat(rows(statement.getGeneratedKeys())).isEmpty();
    }
  }

  @Test
  void withoutIdentityThePrimaryKeyIsTheKey() throws SQLException {
    try (Statement statement = connection().createStatement()) {
      statement.executeUpdate("INSERT INTO k VALUES (1, 'one', 2)", 1);
      assertThat(rows(statement.getGeneratedKeys())).containsExactly("one|1");
      statement.executeUpdate("UPDATE k SET z = z + 1", new String[] {"Z"});
      assertThat(rows(statement.getGeneratedKeys())).containsExactly("3");
      statement.executeUpdate("INSERT INTO plain VALUES (1)", 1);
      assertThat(rows(statement.getGeneratedKeys())).isEmpty();
      assertThat(statement.execute("SELECT * FROM k", 1)).isTrue();
      assertThat(rows(statement.getGeneratedKeys())).isEmpty();
    }
  }

  @Test
  void columnsThatAreNotThereAreRefused() throws SQLException {
    try (Statement statement = connection().createStatement()) {
      String sql = "INSERT INTO t (a) VALUES (1)";
      assertThatThrownBy(() -> statement.execute(sql, new String[] {"nope"}))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S22"));
      assertThatThrownBy(() -> statement.execute(sql, new int[] {4}))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42S22"));
      assertThatThrownBy(() -> statement.execute(sql, 3)).isInstanceOf(SQLException.class);
    }
    assertThat(database.rows("SELECT COUNT(*) FROM t")).containsExactly("0");
  }

  @Test
  void aBatchReturnsTheKeysOfAllItsRows() throws SQLException {
    try (PreparedStatement insert =
        connection().prepareStatement("INSERT INTO t (a, name) VALUES (?, ?)", 1)) {
      for (int i = 0; i < 1000; i++) {
        insert.setInt(1, i);
        insert.setString(2, "n" + i % 7);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(1000).containsOnly(1);
      List<String> keys = rows(insert.getGeneratedKeys());
      assertThat(keys).hasSize(1000);
      assertThat(keys).isEqualTo(database.rows("SELECT id FROM t ORDER BY a"));
    }
    try (Statement texts = connection().createStatement();
        PreparedStatement one =
            connection().prepareStatement("INSERT INTO t (a) VALUES (?)", new int[] {1, 2})) {
      texts.addBatch("INSERT INTO t (a) VALUES (1)");
      texts.executeBatch();
      assertThat(rows(texts.getGeneratedKeys())).isEmpty();
      one.setInt(1, 77);
      assertThat(one.executeUpdate()).isEqualTo(1);
      assertThat(rows(one.getGeneratedKeys())).containsExactly("77|1002");
    }
  }

  @Test
  void returningIsAResult() throws SQLException {
    try (Statement statement = connection().createStatement()) {
      ResultSet rows =
          statement.executeQuery(
              "INSERT INTO t (a, name) VALUES (1, 'x'), (2, 'y') RETURNING id, a * 10 AS ten, t.*");
      assertThat(rows.getMetaData().getColumnLabel(2)).isEqualTo("TEN");
      assertThat(rows(rows)).containsExactly("1|10|1|1|x", "2|20|2|2|y");
      assertThat(statement.execute("UPDATE t AS u SET a = a + 1 RETURNING u.a, UPPER(name)"))
          .isTrue();
      assertThat(rows(statement.getResultSet())).containsExactly("2|X", "3|Y");
      assertThat(rows(statement.executeQuery("UPDATE t SET a = 9 WHERE id = 2 RETURNING *")))
          .containsExactly("9|2|y");
      assertThat(rows(statement.executeQuery("DELETE FROM t WHERE id = 1 RETURNING name, a")))
          .containsExactly("x|2");
      assertThat(rows(statement.executeQuery("DELETE FROM plain RETURNING *"))).isEmpty();
      assertThat(rows(statement.executeQuery("INSERT INTO plain SELECT a FROM t RETURNING a")))
          .containsExactly("9");
      assertThat(rows(statement.executeQuery("INSERT INTO t DEFAULT VALUES RETURNING id")))
          .containsExactly("3");
      assertThat(
              rows(
                  statement.executeQuery(
                      "INSERT INTO t (a) SELECT a FROM t WHERE a IS NOT NULL RETURNING id, a")))
          .containsExactly("4|9");
    }
    try (PreparedStatement delete =
        connection().prepareStatement("DELETE FROM t WHERE a = ? RETURNING id")) {
      delete.setInt(1, 9);
      assertThat(rows(delete.executeQuery())).containsExactly("2", "4");
      assertThat(delete.getMetaData().getColumnName(1)).isEqualTo("ID");
    }
    assertThat(database.rows("SELECT id FROM t")).containsExactly("3");
  }

  @Test
  void whatCannotBeReturnedIsRefused() {
    for (String list :
        List.of("COUNT(*)", "(SELECT 1)", "ROW_NUMBER() OVER ()", "?", "nextval('s')")) {
      assertThatThrownBy(() -> database.execute("DELETE FROM t RETURNING " + list))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).as(list).isEqualTo("0A000"));
    }
  }

  /** Keys and RETURNING against what SELECT then finds, with and without a transaction. */
  @Test
  void keysAreWhatSelectFinds() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 7);
    System.out.println("GeneratedKeysTest: seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      boolean transaction = random.nextBoolean();
      connection().setAutoCommit(!transaction);
      int rows = 1 + random.nextInt(60);
      List<String> keys = new ArrayList<>();
      try (PreparedStatement insert =
          connection()
              .prepareStatement(
                  "INSERT INTO t (name, a) VALUES (?, ?)", new String[] {"id", "a", "name"})) {
        for (int i = 0; i < rows; i++) {
          insert.setString(1, random.nextInt(5) == 0 ? null : "r" + random.nextInt(9));
          insert.setInt(2, round);
          insert.addBatch();
        }
        insert.executeBatch();
        keys.addAll(rows(insert.getGeneratedKeys()));
      }
      assertThat(keys)
          .isEqualTo(select("SELECT id, a, name FROM t WHERE a = " + round + " ORDER BY id"));
      String changed = "WHERE a < " + round + " AND MOD(id, 3) = " + random.nextInt(3);
      List<String> before = select("SELECT id, name FROM t " + changed + " ORDER BY id");
      String delete = "DELETE FROM t " + changed + " RETURNING id, name";
      String update = "UPDATE t SET a = a - 1 " + changed + " RETURNING id, name";
      assertThat(select(random.nextBoolean() ? delete : update))
          .containsExactlyInAnyOrderElementsOf(before);
      if (transaction && random.nextBoolean()) {
        connection().rollback();
      } else if (transaction) {
        connection().commit();
      }
    }
    connection().setAutoCommit(true);
  }

  private List<String> select(String sql) throws SQLException {
    try (Statement statement = connection().createStatement()) {
      return rows(statement.executeQuery(sql));
    }
  }
}
