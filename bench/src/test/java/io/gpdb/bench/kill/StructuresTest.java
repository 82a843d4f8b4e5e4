package io.gpdb.bench.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class StructuresTest {
  private static final int WORKER = 2;

  /** The last step with everything in the schema. */
  private static final int FULL = 12;

  /** Each of them is one definition or row less, or another one. */
  private static final List<String> SPOILED =
      List.of(
          "DROP VIEW own_2.v",
          "COMMENT ON TABLE own_2.t IS 'other'",
          "ALTER DOMAIN own_2.d DROP CONSTRAINT positive",
          "DROP PROCEDURE own_2.p",
          "DROP SEQUENCE own_2.q",
          "ALTER TABLE own_2.t ALTER COLUMN c DROP DEFAULT",
          "ALTER TABLE own_2.t ALTER COLUMN d DROP NOT NULL",
          "ALTER TABLE own_2.t RENAME CONSTRAINT fewer TO few",
          "DROP INDEX own_2.j",
          "ALTER TABLE own_2.kept RENAME COLUMN text TO b",
          "REVOKE UPDATE ON own_2.t FROM reader_2",
          "UPDATE own_2.t SET b = 'n' WHERE b = 'm'");

  @Test
  void eachStepLeavesWhatItLeavesInMemoryAndWhatIsSpoiledIsFound() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE other (id INTEGER PRIMARY KEY)");
      connection.setAutoCommit(false);
      for (int steps = 0; steps <= Structures.circle() + 2; steps++) {
        if (steps == FULL) {
          spoil(connection, statement);
        }
        Structures.step(statement, WORKER, steps);
        statement.execute("DROP TABLE IF EXISTS passing_2"); // as a kill leaves it
        connection.commit();
        assertThat(Structures.problems(connection, WORKER, steps + 1)).isEmpty();
      }
    }
  }

  private static void spoil(Connection connection, Statement statement) throws SQLException {
    for (String sql : SPOILED) {
      statement.execute(sql);
      assertThat(Structures.problems(connection, WORKER, FULL)).as(sql).isNotEmpty();
      connection.rollback();
    }
  }
}
