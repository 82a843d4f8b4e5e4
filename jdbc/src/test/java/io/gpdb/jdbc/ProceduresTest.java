package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
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
 * Random procedures do what their statements do one after the other in a transaction, with the
 * arguments written out; calls of procedures through JDBC.
 */
class ProceduresTest {
  private static final int PROCEDURES = 6;
  private static final int CALLS = 40;

  /** Statements over the parameters A and P, with %1$s and %2$s in their places. */
  private static final List<String> STATEMENTS =
      List.of(
          "INSERT INTO %3$s (a, b) VALUES (%1$s, %2$s)",
          "INSERT INTO %3$s SELECT y + 100, %2$s FROM far WHERE y = %2$s",
          "UPDATE %3$s SET b = %2$s WHERE a > 3",
          "UPDATE %3$s SET b = b + %2$s, a = a + 10 WHERE b = %2$s",
          "DELETE FROM %3$s WHERE b = %2$s",
          "DELETE FROM %3$s WHERE a IN (SELECT f.y FROM far AS f WHERE f.y < %2$s)",
          "MERGE INTO %3$s USING (VALUES (%2$s)) AS s (c) ON %3$s.a = s.c"
              + " WHEN MATCHED THEN UPDATE SET b = s.c"
              + " WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.c, s.c)");

  private final long seed = Long.getLong("gpdb.seed", 3);
  private final Random random = new Random(seed);

  @Test
  void callsAreTheirStatements(@TempDir Path path) throws SQLException {
    System.out.println("ProceduresTest: seed " + seed);
    String url = "jdbc:gpdb:" + path;
    List<List<String>> bodies = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String table : List.of("t", "u")) {
        statement.execute("CREATE TABLE " + table + " (a INTEGER PRIMARY KEY, b INTEGER NOT NULL)");
      }
      statement.execute("CREATE TABLE far (y INTEGER)");
      statement.execute("INSERT INTO far VALUES (1), (2), (5)");
      for (int i = 0; i < PROCEDURES; i++) {
        bodies.add(create(statement, i));
      }
      call(statement, bodies);
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      call(statement, bodies);
      assertThat(connection.unwrap(GpdbConnection.class).check()).isEmpty();
    }
  }

  private List<String> create(Statement statement, int number) throws SQLException {
    List<String> body = new ArrayList<>();
    int statements = 1 + random.nextInt(3);
    for (int i = 0; i < statements; i++) {
      body.add(STATEMENTS.get(random.nextInt(STATEMENTS.size())));
    }
    String name = "pr" + number;
    String text =
        String.join("; ", body)
            .replace("%1$s", random.nextBoolean() ? "a" : name + ".a")
            .replace("%2$s", random.nextBoolean() ? "p" : name + ".p")
            .replace("%3$s", "t");
    statement.execute(
        "CREATE PROCEDURE "
            + name
            + " (a SMALLINT, IN p INTEGER) "
            + (statements == 1 && random.nextBoolean() ? text : "BEGIN ATOMIC " + text + "; END"));
    return body;
  }

  private void call(Statement statement, List<List<String>> bodies) throws SQLException {
    for (int i = 0; i < CALLS; i++) {
      int number = random.nextInt(PROCEDURES);
      String a = Integer.toString(random.nextInt(7));
      String p = random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(6));
      String call = "CALL pr" + number + "(" + a + ", " + p + ")";
      assertThat(state(statement, List.of(call)))
          .as(call)
          .isEqualTo(
              state(
                  statement,
                  bodies.get(number).stream()
                      .map(each -> each.formatted("CAST(" + a + " AS SMALLINT)", of(p), "u"))
                      .toList()));
      assertThat(rows(statement, "t")).as(call).isEqualTo(rows(statement, "u"));
    }
  }

  private static String of(String value) {
    return "CAST(" + value + " AS INTEGER)";
  }

  /** Runs all of the statements or none. */
  private static String state(Statement statement, List<String> statements) throws SQLException {
    Connection connection = statement.getConnection();
    connection.setAutoCommit(statements.size() == 1 && statements.getFirst().startsWith("CALL"));
    try {
      for (String each : statements) {
        statement.execute(each);
      }
      connection.setAutoCommit(true);
      return "done";
    } catch (SQLException e) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      return e.getSQLState();
    }
  }

  private static List<String> rows(Statement statement, String table) throws SQLException {
    List<String> all = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("SELECT a, b FROM " + table + " ORDER BY a")) {
      while (rows.next()) {
        all.add(rows.getInt(1) + "|" + rows.getInt(2));
      }
    }
    return all;
  }

  @Test
  void parametersOfACallReturnValues() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE PROCEDURE calc (IN x INTEGER, OUT s VARCHAR(20), INOUT d DECIMAL(9, 2))"
              + " BEGIN ATOMIC SET s = 'x = ' || CAST(x AS VARCHAR(9)); SET d = d * x; END");
      try (CallableStatement call = connection.prepareCall("{call calc(?, ?, ?)}")) {
        ParameterMetaData parameters = call.getParameterMetaData();
        assertThat(parameters.getParameterCount()).isEqualTo(3);
        assertThat(parameters.getParameterMode(1)).isEqualTo(ParameterMetaData.parameterModeIn);
        assertThat(parameters.getParameterMode(2)).isEqualTo(ParameterMetaData.parameterModeOut);
        assertThat(parameters.getParameterMode(3)).isEqualTo(ParameterMetaData.parameterModeInOut);
        assertThat(parameters.getParameterType(3)).isEqualTo(Types.DECIMAL);
        call.registerOutParameter(2, Types.VARCHAR);
        call.registerOutParameter(3, Types.DECIMAL);
        for (int i = 2; i < 5; i++) {
          call.setInt(1, i);
          call.setBigDecimal(3, new BigDecimal("1.25"));
          assertThat(call.execute()).isFalse();
          assertThat(call.getResultSet()).isNull();
          assertThat(call.getMoreResults()).isFalse();
          assertThat(call.getUpdateCount()).isEqualTo(-1);
          assertThat(call.getString(2)).isEqualTo("x = " + i);
          assertThat(call.getBigDecimal(3))
              .isEqualByComparingTo(new BigDecimal("1.25").multiply(new BigDecimal(i)));
          assertThat(call.getInt(3)).isEqualTo((int) (1.25 * i));
        }
        call.setNull(3, Types.DECIMAL);
        assertThat(call.executeUpdate()).isZero();
        assertThat(call.getBigDecimal(3)).isNull();
        assertThat(call.wasNull()).isTrue();
        assertThatThrownBy(() -> call.getInt(1)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> call.registerOutParameter(1, Types.INTEGER))
            .isInstanceOf(SQLException.class);
      }
      try (CallableStatement call = connection.prepareCall("{call calc(7, ?, 2)}")) {
        call.registerOutParameter(1, Types.VARCHAR);
        call.execute();
        assertThat(call.getString(1)).isEqualTo("x = 7");
      }
      try (ResultSet row = statement.executeQuery("CALL calc(1, NULL, 2)")) {
        assertThat(row.getMetaData().getColumnLabel(1)).isEqualTo("S");
        assertThat(row.next()).isTrue();
        assertThat(row.getString("D")).isEqualTo("2.00");
        assertThat(row.next()).isFalse();
      }
    }
  }

  @Test
  void metaDataTellsOfRoutines() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE PROCEDURE pr (x INTEGER, OUT y VARCHAR(7)) SET y = 'a'");
      statement.execute("CREATE FUNCTION fu (x DECIMAL(5, 2)) RETURNS CHAR(3) RETURN 'abc'");
      var metaData = connection.getMetaData();
      assertThat(metaData.supportsStoredProcedures()).isTrue();
      assertThat(texts(metaData.getProcedures(null, null, "%")))
          .containsExactly("null|PUBLIC|PR|null|null|null|null|1|PR");
      assertThat(texts(metaData.getFunctions(null, "PUBLIC", "F_")))
          .containsExactly("null|PUBLIC|FU|null|1|FU");
      assertThat(texts(metaData.getProcedureColumns(null, null, "PR", "%")))
          .containsExactly(
              "null|PUBLIC|PR|X|1|4|INTEGER|10|10|0|10|1|null|null|null|null|null|1|YES|PR",
              "null|PUBLIC|PR|Y|4|12|VARCHAR|7|28|0|10|1|null|null|null|null|28|2|YES|PR");
      assertThat(texts(metaData.getFunctionColumns(null, null, "%", "%")))
          .containsExactly(
              "null|PUBLIC|FU||4|1|CHAR|3|12|0|10|1|null|12|0|YES|FU",
              "null|PUBLIC|FU|X|1|3|DECIMAL|5|5|2|10|1|null|null|1|YES|FU");
      assertThat(texts(metaData.getProcedures(null, "OTHER", null))).isEmpty();
    }
  }

  private static List<String> texts(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(String.valueOf(rows.getString(i)));
      }
      all.add(String.join("|", row));
    }
    return all;
  }
}
