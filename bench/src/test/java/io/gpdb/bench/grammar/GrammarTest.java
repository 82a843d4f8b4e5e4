package io.gpdb.bench.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrammarTest {
  private static final long SEED = Long.getLong("gpdb.seed", 3L);
  private static final long ROUNDS = Long.getLong("gpdb.fuzz", 3L);

  @Test
  void noStatementFailsInternally() throws SQLException {
    GrammarRun run = new GrammarRun(SEED, false);
    run.run(0, ROUNDS, Long.MAX_VALUE);
    assertThat(run.findings()).as("seed %d", SEED).isEmpty();
    assertThat(run.outcomes()).containsKey("done");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{? = call x()}",
        "CALL x()",
        "VALUES (GROUPING(NULL))",
        "SELECT GROUPING(1)",
        "SELECT (i, v), MAX(i) FROM t GROUP BY GROUPING SETS (((i, v)), ())",
        "SELECT ROW(1, 'a')",
        "SELECT ARRAY[1, 2]",
        "SELECT MULTISET[1]",
        "SELECT NEXT VALUE FOR s",
        "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (a) DEFINE a AS a.i > 1)",
        "SELECT i, SUM(SUM(i)) FROM t",
        "SELECT DEFAULT",
        "SELECT 1,\r\r'a'\r,"
      })
  void whatIsRefusedIsNamedInWordsOfSql(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (i INT, v VARCHAR)");
      Throwable thrown = catchThrowable(() -> statement.execute(sql));
      assertThat(thrown).isInstanceOf(SQLException.class);
      assertThat(ErrorCheck.fault(thrown, sql)).as(thrown.getMessage()).isNull();
      assertThat(((SQLException) thrown).getSQLState())
          .as(thrown.getMessage())
          .matches("0A000|42.*|07.*");
    }
  }
}
