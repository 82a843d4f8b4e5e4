package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What statements made from the grammar once ended in. */
class GrammarFindingsTest {
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE t (i INTEGER, v VARCHAR(20), y VARBINARY)",
        "INSERT INTO t VALUES (1, 'abc', X'00'), (2, '12', NULL)");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @Test
  void aNumberIsNoBytes() {
    assertThat(db.state("SELECT CAST(i AS VARBINARY) FROM t")).isEqualTo("42804");
    assertThat(db.state("CREATE TABLE n AS SELECT CAST(i AS VARBINARY) FROM t")).isEqualTo("42804");
    assertThat(db.rows("SELECT CAST(v AS VARBINARY) FROM t")).containsExactly("616263", "3132");
  }

  @Test
  void aParameterThatOnlyALeafOfTheBridgeReads() {
    String sql =
        "SELECT COUNT(i) FROM LATERAL (SELECT ?, v FROM t) AS q (i, v) GROUP BY ROLLUP (?, v)";
    assertThat(db.rows(sql, 5, "x")).containsExactlyInAnyOrder("1", "1", "2", "2");
  }

  @Test
  void messagesNameNoFieldThatCalciteMadeUp() {
    String sql = "SELECT COUNT(*) FROM t GROUP BY y HAVING LISTAGG(v, ',') = TIME '23:59:59'";
    assertThat(db.error(sql))
        .hasMessageContaining("invalid TIME value")
        .hasMessageNotContaining("$");
    assertThat(db.error("SELECT LAG(i, NULLIF(i, 1)) OVER (ORDER BY i) FROM t"))
        .hasMessageNotContaining("null");
  }
}
