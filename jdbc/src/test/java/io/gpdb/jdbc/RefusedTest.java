package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What SQL has and gpDB lacks is refused by name: SQLSTATE 0A000, never ignored, never a syntax
 * error. What is no SQL at all is a syntax error, also where it has words of such a feature.
 */
class RefusedTest {
  @Test
  void whatGpdbLacksIsRefusedByName() throws Exception {
    assertThat(othersThan("0A000", statements("refused.sql"))).isEmpty();
  }

  @Test
  void nonsenseIsASyntaxError() throws Exception {
    assertThat(othersThan("42601", statements("nonsense.sql"))).isEmpty();
  }

  @Test
  void theFeatureIsNamed() throws Exception {
    try (TestDatabase database = newDatabase()) {
      assertThat(message(database, "TRUNCATE TABLE t CASCADE"))
          .isEqualTo("TRUNCATE … CASCADE is not supported");
      assertThat(message(database, "/* why */ UPDATE t JOIN y ON y.a = t.a SET a = y.a"))
          .isEqualTo("UPDATE … JOIN is not supported");
      assertThat(message(database, "SELECT 1 FROM t WHERE NEXT VALUE FOR s > 1"))
          .isEqualTo("NEXT VALUE FOR in this place is not supported at line 1, column 23");
    }
  }

  /** The seconds of JDBC's escape are whole; those of EXTRACT have their fraction. */
  @Test
  void escapesThatLookRefusedAreNot() throws SQLException {
    try (TestDatabase database = newDatabase()) {
      assertThat(
              database.rows(
                  "SELECT {fn second(TIMESTAMP '2020-01-01 10:00:05.75')}, U&'\\\\+1',"
                      + " 'U&''\\+01f44d'"))
          .containsExactly("5|\\+1|U&'\\+01f44d");
    }
  }

  @Test
  void escapesOfSixDigitsAreCharacters() throws SQLException {
    try (TestDatabase database = newDatabase()) {
      assertThat(
              database.rows(
                  "SELECT U&'\\+01f44d\\0041b''\\+000027', U&'!+01F44D!+000021' UESCAPE '!',"
                      + " U&\"\\+000041\" FROM (SELECT 1 AS a) AS x"))
          .containsExactly("👍Ab''|👍!|1");
      assertThat(message(database, "SELECT U&'\\+000041', FROM t"))
          .isEqualTo("syntax error: unexpected \"FROM\" at line 1, column 22");
      for (String wrong : List.of("\\+110000", "\\+01F4", "\\+00004g")) {
        assertThat(message(database, "SELECT U&'" + wrong + "'")).contains("at character 11");
      }
      assertThat(message(database, "SELECT U&'\\+00d83d'")).contains("half of a surrogate pair");
    }
  }

  private static String message(TestDatabase database, String sql) {
    try {
      database.execute(sql);
      return "ran";
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  private static TestDatabase newDatabase() throws SQLException {
    return new TestDatabase(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)", "CREATE TABLE y (a INTEGER)");
  }

  private static List<String> othersThan(String state, List<String> statements)
      throws SQLException {
    List<String> others = new ArrayList<>();
    try (TestDatabase database = newDatabase()) {
      for (String sql : statements) {
        try {
          database.execute(sql);
          others.add("ran: " + sql);
        } catch (SQLException e) {
          if (!state.equals(e.getSQLState())) {
            others.add(e.getSQLState() + " " + sql + ": " + e.getMessage());
          }
        }
      }
    }
    return others;
  }

  private static List<String> statements(String file) throws IOException {
    try (InputStream in = Objects.requireNonNull(RefusedTest.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
