package io.gpdb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.SampleCatalog;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlLimits;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultNamesTest {
  private static List<String> names(String sql) {
    return ((Analyzed.Query) SampleCatalog.analyze(sql))
        .output().stream().map(OutputColumn::name).toList();
  }

  @Test
  void anExpressionIsCalledByItsText() {
    assertThat(names("SELECT a+1, (a + 1)*2,\n count(*)\n  OVER () , a::bigint, a AS Q FROM t"))
        .containsExactly("a+1", "(a + 1)*2", "count(*) OVER ()", "a::bigint", "Q");
    assertThat(names("SELECT -a, a IS NULL, 'x', ?, DATE '2001-01-01' FROM t"))
        .containsExactly("-a", "a IS NULL", "'x'", "?", "DATE '2001-01-01'");
    assertThat(names("SELECT (a + 1)::bigint, a::bigint::text FROM t"))
        .containsExactly("(a + 1)::bigint", "a::bigint::text");
    assertThat(names("SELECT sum(a) FILTER (WHERE a > 1) FROM t GROUP BY name ORDER BY sum(a)"))
        .containsExactly("sum(a) FILTER (WHERE a > 1)");
  }

  @Test
  void theNameComesThroughSubqueriesAndSetOperations() {
    assertThat(names("SELECT * FROM (SELECT a + 1 FROM t)")).containsExactly("a + 1");
    assertThat(names("WITH q AS (SELECT a * 2 FROM t) SELECT * FROM q")).containsExactly("a * 2");
    assertThat(names("SELECT a + 1, a + 1 FROM t UNION ALL SELECT a, b FROM t ORDER BY 1"))
        .containsExactly("a + 1", "a + 1");
  }

  @Test
  void columnsOfTwoTablesKeepTheirNames() {
    assertThat(names("SELECT x.*, y.* FROM (SELECT id, a FROM t) x, (SELECT id, a FROM t) y"))
        .containsExactly("ID", "A", "ID", "A");
    assertThat(names("SELECT x.id, y.id FROM t x, t y")).containsExactly("ID", "ID");
    assertThat(names("SELECT x.id, y.id AS id0 FROM t x, t y")).containsExactly("ID", "ID0");
  }

  @Test
  void columnsOfValuesAreNumbered() {
    assertThat(names("VALUES (1, 2)")).containsExactly("COLUMN1", "COLUMN2");
    assertThat(names("SELECT * FROM (VALUES (1, 2)) AS v")).containsExactly("COLUMN1", "COLUMN2");
  }

  @Test
  void aNameIsNeverLongerThanNamesMayBe() {
    String sum = "a" + " + 1".repeat(SqlLimits.NAME_LENGTH_MAX);
    assertThat(names("SELECT " + sum + " FROM t")).containsExactly(sum.substring(0, 128));
  }
}
