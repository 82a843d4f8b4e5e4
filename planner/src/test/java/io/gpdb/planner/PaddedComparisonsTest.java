package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaddedComparisonsTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, c CHAR(3), l CHAR(5), v VARCHAR(5))",
        "INSERT INTO t VALUES (1, 'a', 'a', 'a'), (2, 'ab', 'abc', 'ab '), (3, NULL, 'x', 'x'),"
            + " (4, 'xyz', 'xyz', 'xyz1'), (5, '', '', '')",
        "CREATE TABLE u (v VARCHAR(10), n INT)",
        "INSERT INTO u VALUES ('a', 10), ('ab  ', 20), ('xyz', 30), ('xyzz', 40), (NULL, 50)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void assertRows(String sql, Object[] parameters, String... rows) {
    assertThat(db.rows(sql, parameters)).as(sql).containsExactly(rows);
    assertThat(db.bridgeRows(sql, parameters)).as("bridge: " + sql).containsExactly(rows);
  }

  private static @Nullable Object[] with(@Nullable Object... parameters) {
    return parameters;
  }

  @Test
  void blanksAtTheEndOfCharDoNotCountAgainstOtherColumns() {
    assertRows("SELECT id FROM t WHERE c = v ORDER BY id", with(), "1", "2", "5");
    assertRows("SELECT id FROM t WHERE v = c ORDER BY id", with(), "1", "2", "5");
    assertRows("SELECT id FROM t WHERE c = l ORDER BY id", with(), "1", "4", "5");
    assertRows("SELECT id FROM t WHERE c <> l ORDER BY id", with(), "2");
    assertRows("SELECT id FROM t WHERE c < v ORDER BY id", with(), "4");
    assertRows("SELECT id FROM t WHERE c IS DISTINCT FROM v ORDER BY id", with(), "3", "4");
  }

  @Test
  void aParameterComparesWithCharAsAConstantDoes() {
    for (String value : new String[] {"ab", "ab ", "ab      "}) {
      assertRows("SELECT id FROM t WHERE c = ?", with(value), "2");
      assertRows("SELECT id FROM t WHERE c = '" + value + "'", with(), "2");
      assertRows("SELECT id FROM t WHERE c >= ? ORDER BY id", with(value), "2", "4");
      assertRows("SELECT id FROM t WHERE id < 3 AND ? <> c", with(value), "1");
    }
    assertRows("SELECT id FROM t WHERE c = ?", with("xyzz"));
    assertRows("SELECT id FROM t WHERE c = ?", with(""), "5");
    assertRows("SELECT id FROM t WHERE c = ?", with(new Object[] {null}));
    assertRows("SELECT id FROM t WHERE id = 2 AND c = ?", with("ab"), "2");
  }

  @Test
  void joinsAndSubqueriesPadToo() {
    assertRows(
        "SELECT id, n FROM t JOIN u ON t.c = u.v ORDER BY id", with(), "1|10", "2|20", "4|30");
    assertRows("SELECT id FROM t WHERE c IN (SELECT v FROM u) ORDER BY id", with(), "1", "2", "4");
    assertRows(
        "SELECT id FROM t WHERE c NOT IN (SELECT v FROM u WHERE v IS NOT NULL)", with(), "5");
    assertRows("SELECT id FROM t WHERE c NOT IN (SELECT v FROM u)", with());
  }
}
