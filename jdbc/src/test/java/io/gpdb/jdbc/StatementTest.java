package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatementTest {
  private TestDatabase database;
  private Connection connection;
  private Statement statement;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(20), price DECIMAL(8, 2))",
            "INSERT INTO t VALUES (1, 'one', 1.50), (2, NULL, NULL), (3, '3', 300)");
    connection = database.connection();
    statement = connection.createStatement();
  }

  @AfterEach
  void close() throws SQLException {
    statement.close();
    database.close();
  }

  @Test
  void executeTellsRowsFromCounts() throws SQLException {
    assertThat(statement.execute("SELECT id FROM t")).isTrue();
    assertThat(statement.getUpdateCount()).isEqualTo(-1);
    assertThat(statement.getResultSet().next()).isTrue();
    assertThat(statement.getMoreResults()).isFalse();
    assertThat(statement.getUpdateCount()).isEqualTo(-1);
    assertThat(statement.execute("UPDATE t SET name = 'x' WHERE id > 1")).isFalse();
    assertThat(statement.getUpdateCount()).isEqualTo(2);
    assertThat(statement.getResultSet()).isNull();
    assertThat(statement.getMoreResults()).isFalse();
    assertThat(statement.getUpdateCount()).isEqualTo(-1);
    assertThat(statement.executeLargeUpdate("DELETE FROM t")).isEqualTo(3);
    assertThat(statement.executeUpdate("CREATE TABLE u (a INTEGER)")).isZero();
  }

  @Test
  void oneTextMayHoldSeveralStatements() throws SQLException {
    boolean rows =
        statement.execute(
            "INSERT INTO t VALUES (4, 'a;b', 0); SELECT count(*) FROM t; -- the end;\n"
                + "DELETE FROM t WHERE id < 3;");
    assertThat(rows).isFalse();
    assertThat(statement.getUpdateCount()).isEqualTo(1);
    assertThat(statement.getMoreResults()).isTrue();
    assertThat(TestDatabase.rows(statement.getResultSet())).containsExactly("4");
    assertThat(statement.getMoreResults()).isFalse();
    assertThat(statement.getUpdateCount()).isEqualTo(2);
    assertThat(statement.getMoreResults()).isFalse();
    assertThat(statement.getUpdateCount()).isEqualTo(-1);
  }

  @Test
  void theWrongExecuteIsAnError() {
    assertThatThrownBy(() -> statement.executeQuery("DELETE FROM t WHERE id = 9"))
        .hasMessageContaining("no rows");
    assertThatThrownBy(() -> statement.executeUpdate("SELECT id FROM t"))
        .hasMessageContaining("no count");
  }

  @Test
  void gettersConvertAndTellNulls() throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT * FROM t ORDER BY id")) {
      row.next();
      assertThat(row.getInt("ID")).isEqualTo(1);
      assertThat(row.getLong("id")).isEqualTo(1L);
      assertThat(row.getBoolean(1)).isTrue();
      assertThat(row.getString(3)).isEqualTo("1.50");
      assertThat(row.getInt(3)).isEqualTo(1);
      assertThat(row.getDouble("Price")).isEqualTo(1.5);
      assertThat(row.getBigDecimal(3)).isEqualTo(new BigDecimal("1.50"));
      assertThat(row.getObject(3)).isEqualTo(new BigDecimal("1.50"));
      assertThat(row.getObject(1, Long.class)).isEqualTo(1L);
      assertThat(row.getObject(1, int.class)).isEqualTo(1);
      assertThat(row.getBytes(2)).containsExactly('o', 'n', 'e');
      assertThat(row.getBinaryStream(2)).hasContent("one");
      assertThat(row.getClob(2).length()).isEqualTo(3);
      assertThatThrownBy(() -> row.getInt(2)).isInstanceOf(SQLDataException.class);
      assertThatThrownBy(() -> row.getDate(1)).isInstanceOf(SQLDataException.class);
      assertThatThrownBy(() -> row.getInt(4)).isInstanceOf(SQLSyntaxErrorException.class);
      assertThatThrownBy(() -> row.getInt("nothing")).hasMessageContaining("nothing");
      row.next();
      assertThat(row.getString(2)).isNull();
      assertThat(row.wasNull()).isTrue();
      assertThat(row.getDouble(3)).isZero();
      assertThat(row.wasNull()).isTrue();
      assertThat(row.getInt(1)).isEqualTo(2);
      assertThat(row.wasNull()).isFalse();
      assertThat(row.getObject(3, BigDecimal.class)).isNull();
      row.next();
      assertThat(row.getInt(2)).isEqualTo(3);
      assertThatThrownBy(() -> row.getByte(3))
          .isInstanceOfSatisfying(
              SQLDataException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
      assertThat(row.next()).isFalse();
      assertThatThrownBy(() -> row.getInt(1)).hasMessageContaining("last row");
    }
  }

  @Test
  void datesAndTimesComeAsJavaWantsThem() throws SQLException {
    String sql =
        "SELECT TIMESTAMP '2001-01-01 00:01:00.5' AS ts, DATE '1969-07-20' AS d,"
            + " TIME '12:34:56' AS tm";
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      assertThat(row.getTimestamp("ts")).isEqualTo(Timestamp.valueOf("2001-01-01 00:01:00.5"));
      assertThat(row.getObject("ts", LocalDateTime.class)).isEqualTo("2001-01-01T00:01:00.500");
      assertThat(row.getString("ts")).isEqualTo("2001-01-01 00:01:00.5");
      assertThat(row.getDate("ts")).isEqualTo(Date.valueOf("2001-01-01"));
      assertThat(row.getDate("d")).isEqualTo(Date.valueOf("1969-07-20"));
      assertThat(row.getTime("tm")).isEqualTo(java.sql.Time.valueOf("12:34:56"));
      assertThat(row.getObject("d")).isInstanceOf(Date.class);
    }
  }

  @Test
  void columnsAreDescribed() throws SQLException {
    try (ResultSet rows =
        statement.executeQuery("SELECT id AS key, name, price, price * 2 AS twice FROM t")) {
      ResultSetMetaData columns = rows.getMetaData();
      assertThat(columns.getColumnCount()).isEqualTo(4);
      assertThat(columns.getColumnLabel(1)).isEqualTo("KEY");
      assertThat(columns.getColumnType(1)).isEqualTo(Types.INTEGER);
      assertThat(columns.getColumnClassName(2)).isEqualTo("java.lang.String");
      assertThat(columns.getPrecision(2)).isEqualTo(20);
      assertThat(columns.getColumnTypeName(3)).isEqualTo("DECIMAL");
      assertThat(columns.getScale(3)).isEqualTo(2);
      assertThat(columns.isNullable(3)).isEqualTo(ResultSetMetaData.columnNullable);
      assertThat(columns.getTableName(2)).isEqualTo("T");
      assertThat(columns.getSchemaName(2)).isEqualTo("PUBLIC");
      assertThat(columns.getTableName(4)).isEmpty();
    }
  }

  @Test
  void maxRowsEndsAResultEarly() throws SQLException {
    statement.setMaxRows(2);
    assertThat(TestDatabase.rows(statement.executeQuery("SELECT id FROM t ORDER BY id")))
        .containsExactly("1", "2");
    statement.setMaxRows(0);
    assertThat(TestDatabase.rows(statement.executeQuery("SELECT id FROM t"))).hasSize(3);
    assertThatThrownBy(() -> statement.setMaxRows(-1)).isInstanceOf(SQLException.class);
  }

  @Test
  void aResultSetOnlyGoesForward() throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
      assertThat(rows.getType()).isEqualTo(ResultSet.TYPE_FORWARD_ONLY);
      rows.next();
      assertThat(rows.isFirst()).isTrue();
      assertThat(rows.getRow()).isEqualTo(1);
      assertThatThrownBy(rows::previous).isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThatThrownBy(() -> rows.updateInt(1, 0))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
    }
  }

  @Test
  void runningAgainAndClosingCloseTheResultBefore() throws SQLException {
    ResultSet first = statement.executeQuery("SELECT id FROM t");
    ResultSet second = statement.executeQuery("SELECT id FROM t");
    assertThat(first.isClosed()).isTrue();
    statement.closeOnCompletion();
    second.close();
    assertThat(statement.isClosed()).isTrue();
    assertThatThrownBy(() -> statement.execute("SELECT 1")).hasMessageContaining("closed");
    assertThatThrownBy(second::next).hasMessageContaining("closed");
  }

  @Test
  void errorsCarryTheirSqlstate() {
    assertState("SELEC 1", "42601");
    assertState("SELECT nothing FROM t", "42S22");
    assertState("SELECT * FROM nothing", "42S02");
    assertState("CREATE TABLE t (a INTEGER)", "42S01");
    assertState("INSERT INTO t VALUES (1, 'again', 0)", "23505");
    assertState("INSERT INTO t VALUES (NULL, 'x', 0)", "23502");
    assertState("INSERT INTO t VALUES (9, 'much too long for this column', 0)", "22001");
    assertState("INSERT INTO t VALUES (9, 'x', 1000000)", "22003");
    assertState("SELECT 1 / (id - 1) FROM t", "22012");
    assertState("SET colour = 'blue'", "0A000");
    assertState("COPY t FROM '/no/such/file.csv' (FORMAT CSV)", "58P01");
  }

  private void assertState(String sql, String state) {
    assertThatThrownBy(() -> TestDatabase.rows(connection, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as(sql).isEqualTo(state));
  }

  @Test
  void cancelEndsTheReadingOfRows() throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
      rows.next();
      statement.cancel();
      assertThatThrownBy(rows::next)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }
    assertThat(TestDatabase.rows(statement.executeQuery("SELECT id FROM t"))).hasSize(3);
  }

  @Test
  void aLateCancelStopsNoOtherStatementOfTheTransaction() throws SQLException {
    connection.setAutoCommit(false);
    assertThat(TestDatabase.rows(statement.executeQuery("SELECT id FROM t"))).hasSize(3);
    statement.cancel();
    assertThat(database.rows("SELECT sum(id) FROM t")).containsExactly("6");
    connection.commit();
  }

  @Test
  void aStatementThatRunsLongIsStoppedByCancelAndByItsTimeout() throws Exception {
    StringBuilder values = new StringBuilder("INSERT INTO t (id) VALUES (10)");
    for (int i = 11; i < 400; i++) {
      values.append(", (").append(i).append(')');
    }
    database.execute(values.toString());
    String endless = "SELECT count(*) FROM t a, t b, t c, t d WHERE a.id + b.id + c.id + d.id < 0";
    Thread canceller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!statement.isClosed()) {
                      statement.cancel(); // has no effect before the statement runs
                      Thread.onSpinWait();
                    }
                  } catch (SQLException e) {
                    // The statement was closed between the question and the act.
                  }
                });
    assertThatThrownBy(() -> TestDatabase.rows(statement.executeQuery(endless)))
        .hasMessageContaining("cancelled");
    statement.close();
    canceller.join();
    try (Statement timed = connection.createStatement()) {
      timed.setQueryTimeout(1);
      assertThatThrownBy(() -> TestDatabase.rows(timed.executeQuery(endless)))
          .isInstanceOf(java.sql.SQLTimeoutException.class);
    }
  }

  @Test
  void settingsAreSetAndShown() throws SQLException {
    assertThat(database.rows("SHOW autocommit")).containsExactly("on");
    assertThat(database.rows("SHOW persistence_domain")).containsExactly("NONE");
    assertThat(database.rows("SHOW ALL")).contains("transaction_isolation|repeatable-read");
    database.execute("SET autocommit = off");
    assertThat(connection.getAutoCommit()).isFalse();
    database.execute("SET autocommit = on");
    assertThatThrownBy(() -> database.rows("SHOW colour")).hasMessageContaining("COLOUR");
  }

  @Test
  void explainAndCheckpointAreStatements() throws SQLException {
    assertThat(database.rows("EXPLAIN SELECT count(*) FROM t")).isNotEmpty();
    assertThat(database.rows("EXPLAIN KERNEL SELECT count(*) FROM t WHERE id > 1")).isNotEmpty();
    assertThat(statement.executeUpdate("CHECKPOINT")).isZero();
  }
}
