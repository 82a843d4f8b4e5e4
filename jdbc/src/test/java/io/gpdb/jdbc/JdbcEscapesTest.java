package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.value.JdbcEscapes;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The escapes of JDBC that the parser leaves to the driver. */
class JdbcEscapesTest {
  private static void becomes(String sql, String expected) {
    assertThat(JdbcEscapes.translated(sql)).isEqualTo(expected);
  }

  @Test
  void onlyEscapesAreTouched() {
    becomes("SELECT '{limit 1}', \"{fn substr(\"", "SELECT '{limit 1}', \"{fn substr(\"");
    becomes("SELECT 1 -- {limit 1}\n", "SELECT 1 -- {limit 1}\n");
    becomes("SELECT 1 /* {limit 1} */", "SELECT 1 /* {limit 1} */");
    becomes("SELECT {fn ucase('a')} {d '2001-01-01'}", "SELECT {fn ucase('a')} {d '2001-01-01'}");
    becomes("SELECT {fn substr('a'", "SELECT {fn substr('a'");
    becomes("SELECT } {limit 1", "SELECT } {limit 1");
    becomes("SELECT 'it''s {limit 1}'", "SELECT 'it''s {limit 1}'");
  }

  @Test
  void placesStayTheSame() {
    becomes("SELECT {fn substr('a}', 1)} FROM t", "SELECT     substr('a}', 1)  FROM t");
    becomes("SELECT k FROM t {limit 2 offset 1}", "SELECT k FROM t  limit 2 offset 1 ");
    becomes("SELECT {fn TRIM(BOTH FROM v)}", "SELECT     TRIM(BOTH FROM v) ");
    becomes("SELECT {fn lower({fn Coalesce(v, w)})}", "SELECT     lower(    Coalesce(v, w) ) ");
    becomes("SELECT {fn CURRENT_DATE( )}", "SELECT     CURRENT_DATE    ");
    becomes("SELECT {fn CURRENT_DATE }", "SELECT     CURRENT_DATE  ");
    becomes(
        "SELECT {fn substr({fn ucase({fn substr(v, 2)})}, 1)}",
        "SELECT     substr({fn ucase(    substr(v, 2) )}, 1) ");
  }

  @Test
  void typesOfConvertAreThoseOfSql() {
    becomes("{fn CONVERT(12, SQL_CHAR)}", "{fn CONVERT(12, VARCHAR )}");
    becomes("{fn convert(c, sql_longvarbinary ) }", "{fn convert(c, VARBINARY         ) }");
    becomes("{fn CONVERT(c, SQL_INTEGER)}", "{fn CONVERT(c, SQL_INTEGER)}");
    becomes("{fn CONVERT}", "{fn CONVERT}");
    becomes("{fn CONVERT(}", "{fn CONVERT(}");
    becomes("{fn CONVERT()}", "{fn CONVERT()}");
    becomes(
        "{fn CONVERT({fn CONVERT(c, SQL_BIT)}, SQL_NCHAR)}",
        "{fn CONVERT({fn CONVERT(c, BOOLEAN)}, VARCHAR  )}");
  }

  @Test
  void aCallIsTheValueOfItsFunction() {
    becomes("{call abs(-1)}", " call abs(-1) ");
    becomes(" {CALL current_date}; ", "  CALL current_date ; ");
    becomes("{ call p({fn LCASE(?)}, ?)}", "  call p({fn LCASE(?)}, ?) ");
    becomes("CALL abs(-1);", "CALL abs(-1);");
    becomes("SELECT call FROM t", "SELECT call FROM t");
  }

  @Test
  void manyOpenBracesTakeNoTime() {
    String many = "SELECT " + "{fn substr(".repeat(20_000);
    becomes(many, many);
  }

  @Test
  void theyRun() throws SQLException {
    try (TestDatabase database =
            new TestDatabase(
                "CREATE TABLE t (k INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1), (2), (3)");
        Statement statement = database.connection().createStatement()) {
      assertThat(database.rows("SELECT k FROM t ORDER BY k {limit 1 offset 1}"))
          .containsExactly("2");
      assertThat(database.rows("{call abs(-7)}")).containsExactly("7");
      assertThat(
              database.rows(
                  "SELECT {fn CONVERT(12, SQL_CHAR)}, {fn CONVERT(1, SQL_BIT)},"
                      + " {fn CONVERT(X'0102', SQL_BINARY)}, {fn CONVERT('ab', SQL_CLOB)},"
                      + " {fn CURRENT_DATE} = CURRENT_DATE"))
          .containsExactly("12|TRUE|0102|ab|TRUE");
      try (PreparedStatement limited =
          database.connection().prepareStatement("SELECT k FROM t ORDER BY k {limit ?}")) {
        limited.setInt(1, 2);
        ResultSet rows = limited.executeQuery();
        assertThat(TestDatabase.rows(rows)).containsExactly("1", "2");
      }
      assertThat(database.connection().nativeSQL("{call abs(-7)}")).isEqualTo(" call abs(-7) ");
      statement.addBatch("UPDATE t SET k = {fn char_length('four')} WHERE k = 1");
      assertThat(statement.executeBatch()).containsExactly(1);
    }
  }
}
