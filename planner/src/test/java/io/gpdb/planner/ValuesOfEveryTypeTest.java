package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.type.InstantText;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ValuesOfEveryTypeTest {
  private final EndToEnd db = new EndToEnd();

  @AfterAll
  void close() {
    db.close();
  }

  /**
   * @param parameters the literals' values as parameters
   * @param shown the values as text; the third is greater than the others
   */
  record Case(String type, List<String> literals, List<Object> parameters, List<String> shown) {
    @Override
    public String toString() {
      return type;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "BOOLEAN",
            List.of("FALSE", "FALSE", "TRUE"),
            List.of(false, false, true),
            List.of("FALSE", "FALSE", "TRUE")),
        new Case(
            "TINYINT",
            List.of("-128", "0", "127"),
            List.of(-128, 0, 127),
            List.of("-128", "0", "127")),
        new Case(
            "SMALLINT",
            List.of("-32768", "0", "32767"),
            List.of(-32768, 0, 32767),
            List.of("-32768", "0", "32767")),
        new Case(
            "INTEGER",
            List.of("-2147483648", "-1", "2147483647"),
            List.of(Integer.MIN_VALUE, -1, Integer.MAX_VALUE),
            List.of("-2147483648", "-1", "2147483647")),
        new Case(
            "BIGINT",
            List.of("-9223372036854775807", "7", "9223372036854775807"),
            List.of(-Long.MAX_VALUE, 7L, Long.MAX_VALUE),
            List.of("-9223372036854775807", "7", "9223372036854775807")),
        new Case(
            "REAL",
            List.of("-1.5E0", "0E0", "3.0E9"),
            List.of(-1.5f, 0f, 3.0e9f),
            List.of("-1.5", "0.0", "3.0E9")),
        new Case(
            "DOUBLE",
            List.of("-0.1E0", "1E-300", "1.5E300"),
            List.of(-0.1, 1e-300, 1.5e300),
            List.of("-0.1", "1.0E-300", "1.5E300")),
        new Case(
            "DECIMAL(18, 4)",
            List.of("-99999999999999.9999", "0.0001", "99999999999999.9999"),
            List.of(
                new BigDecimal("-99999999999999.9999"),
                new BigDecimal("0.0001"),
                new BigDecimal("99999999999999.9999")),
            List.of("-99999999999999.9999", "0.0001", "99999999999999.9999")),
        new Case(
            "DECIMAL(38, 4)",
            List.of(
                "-9999999999999999999999999999999999.9999",
                "0.0001",
                "9999999999999999999999999999999999.9999"),
            List.of(
                new BigDecimal("-9999999999999999999999999999999999.9999"),
                new BigDecimal("0.0001"),
                new BigDecimal("9999999999999999999999999999999999.9999")),
            List.of(
                "-9999999999999999999999999999999999.9999",
                "0.0001",
                "9999999999999999999999999999999999.9999")),
        new Case(
            "NUMERIC(19)",
            List.of("-9223372036854775809", "7", "9223372036854775808"),
            List.of(
                new BigDecimal("-9223372036854775809"), 7, new BigDecimal("9223372036854775808")),
            List.of("-9223372036854775809", "7", "9223372036854775808")),
        new Case(
            "DATE",
            List.of("DATE '0001-01-01'", "DATE '1969-12-31'", "DATE '9999-12-31'"),
            List.of("0001-01-01", "1969-12-31", "9999-12-31"),
            List.of("0001-01-01", "1969-12-31", "9999-12-31")),
        new Case(
            "TIME",
            List.of("TIME '00:00:00'", "TIME '12:30:00.5'", "TIME '23:59:59.999999'"),
            List.of("00:00:00", "12:30:00.5", "23:59:59.999999"),
            List.of("00:00:00", "12:30:00.5", "23:59:59.999999")),
        new Case(
            "TIMESTAMP",
            List.of(
                "TIMESTAMP '1900-02-28 23:59:59.999999'",
                "TIMESTAMP '1970-01-01 00:00:00'",
                "TIMESTAMP '2400-02-29 12:00:00.25'"),
            List.of("1900-02-28 23:59:59.999999", "1970-01-01 00:00:00", "2400-02-29 12:00:00.25"),
            List.of("1900-02-28 23:59:59.999999", "1970-01-01 00:00:00", "2400-02-29 12:00:00.25")),
        instants(),
        new Case(
            "INTERVAL DAY(8) TO SECOND",
            List.of("INTERVAL '-99999999' DAY", "INTERVAL '0.000001' SECOND", "'7 01:02:03.5'"),
            List.of("-99999999 00:00:00", "0 0:0:0.000001", "+7 01:02:03.5"),
            List.of("-99999999 00:00:00.000000", "0 00:00:00.000001", "7 01:02:03.500000")),
        new Case(
            "INTERVAL YEAR(9) TO MONTH",
            List.of("INTERVAL '-999999999-11' YEAR TO MONTH", "INTERVAL '3' MONTH", "'7-0'"),
            List.of("-999999999-11", "0-3", "7-0"),
            List.of("-999999999-11", "0-03", "7-00")),
        new Case(
            "CHAR(4)",
            List.of("''", "'ab'", "'\u00e4\u00f6\u65e5\u672c'"),
            List.of("", "ab", "\u00e4\u00f6\u65e5\u672c"),
            List.of("    ", "ab  ", "\u00e4\u00f6\u65e5\u672c")),
        new Case(
            "VARCHAR(20)",
            List.of("''", "'it''s'", "'\u65e5\u672c \ud83d\ude00'"),
            List.of("", "it's", "\u65e5\u672c \ud83d\ude00"),
            List.of("", "it's", "\u65e5\u672c \ud83d\ude00")),
        new Case(
            "CLOB(1K)",
            List.of("''", "'it''s'", "'z'"),
            List.of("", "it's", "z"),
            List.of("", "it's", "z")),
        new Case(
            "BLOB",
            List.of("X''", "X'00'", "X'ff00ff'"),
            List.of(new byte[0], new byte[] {0}, new byte[] {-1, 0, -1}),
            List.of("", "00", "ff00ff")),
        new Case(
            "VARBINARY(4)",
            List.of("X''", "X'00'", "X'ff00ff'"),
            List.of(new byte[0], new byte[] {0}, new byte[] {-1, 0, -1}),
            List.of("", "00", "ff00ff")),
        new Case(
            "UUID",
            List.of(
                "UUID '00000000-0000-0000-0000-000000000000'",
                "'7fffffff-ffff-ffff-ffff-ffffffffffff'",
                "UUID '80000000-0000-4000-8000-000000000001'"),
            List.of(
                "00000000000000000000000000000000",
                "7FFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
                " 80000000-0000-4000-8000-000000000001 "),
            List.of(
                "00000000-0000-0000-0000-000000000000",
                "7fffffff-ffff-ffff-ffff-ffffffffffff",
                "80000000-0000-4000-8000-000000000001")));
  }

  /** As texts they have the offset of the JVM's zone. */
  private static Case instants() {
    List<String> texts =
        List.of(
            "1900-02-28 23:59:59.999999Z",
            "1970-01-01 00:00:00+05:30",
            "2400-02-29 12:00:00.25-11");
    return new Case(
        "TIMESTAMP WITH TIME ZONE",
        List.of(
            "TIMESTAMP WITH TIME ZONE '" + texts.get(0) + "'",
            "'" + texts.get(1) + "'",
            "TIMESTAMP '" + texts.get(2) + "'"),
        List.copyOf(texts),
        texts.stream().map(text -> InstantText.format(InstantText.parse(text))).toList());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void valuesAndNullsComeBackAsTheyWentIn(Case c) {
    db.run("DROP TABLE IF EXISTS v");
    db.run("CREATE TABLE v (id INT PRIMARY KEY, x " + c.type + ")");
    for (int i = 0; i < 3; i++) {
      db.run("INSERT INTO v VALUES (" + i + ", " + c.literals.get(i) + ")");
      db.run("INSERT INTO v VALUES (?, ?)", 10 + i, c.parameters.get(i));
    }
    db.run("INSERT INTO v (id) VALUES (20)");
    db.run("INSERT INTO v VALUES (21, ?)", (@Nullable Object) null);
    List<String> rows = db.rows("SELECT x FROM v");
    for (int i = 0; i < 3; i++) {
      assertThat(rows.subList(2 * i, 2 * i + 2)).containsOnly(c.shown.get(i));
      assertThat(db.rows("SELECT x FROM v WHERE id = ?", i)).containsExactly(c.shown.get(i));
      assertThat(db.rows("SELECT id FROM v WHERE x = " + c.literals.get(i)))
          .contains(Integer.toString(i), Integer.toString(10 + i));
      assertThat(db.rows("SELECT id FROM v WHERE x = ?", c.parameters.get(i)))
          .contains(Integer.toString(i), Integer.toString(10 + i));
    }
    assertThat(rows.subList(6, 8)).containsOnly("NULL");
    assertThat(db.rows("SELECT id FROM v WHERE x IS NULL")).containsExactly("20", "21");
    assertThat(db.rows("SELECT COUNT(*), COUNT(x) FROM v WHERE x IS NOT NULL"))
        .containsExactly("6|6");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void valuesAreChangedDeletedComparedAndGrouped(Case c) {
    db.run("DROP TABLE IF EXISTS v");
    db.run("CREATE TABLE v (id INT PRIMARY KEY, x " + c.type + ")");
    for (int i = 0; i < 3; i++) {
      db.run("INSERT INTO v VALUES (" + i + ", " + c.literals.get(i) + ")");
    }
    db.run("INSERT INTO v (id) VALUES (3), (4)");
    String greatest = c.literals.get(2);
    assertThat(db.rows("SELECT id FROM v WHERE x < " + greatest)).contains("0");
    assertThat(db.rows("SELECT x FROM v ORDER BY x DESC NULLS LAST LIMIT 1"))
        .containsExactly(c.shown.get(2));
    assertThat(db.rows("SELECT MAX(x), COUNT(DISTINCT x) FROM v"))
        .containsExactly(c.shown.get(2) + "|" + c.shown.stream().distinct().count());
    assertThat(db.rows("SELECT COUNT(*) FROM v GROUP BY x HAVING x IS NULL")).containsExactly("2");
    assertThat(db.rows("SELECT a.id FROM v a JOIN v b ON a.x = b.x WHERE b.id = 2"))
        .containsExactly("2");
    assertThat(db.run("UPDATE v SET x = " + greatest + " WHERE id >= 3")).isEqualTo(2);
    assertThat(db.run("UPDATE v SET x = ? WHERE id = 0", c.parameters.get(2))).isEqualTo(1);
    assertThat(db.rows("SELECT COUNT(*) FROM v WHERE x = " + greatest)).containsExactly("4");
    assertThat(db.run("UPDATE v SET x = NULL WHERE id > 2")).isEqualTo(2);
    assertThat(db.run("UPDATE v SET x = NULL WHERE id = 0")).isEqualTo(1);
    assertThat(db.run("DELETE FROM v WHERE x IS NULL")).isEqualTo(3);
    assertThat(db.run("DELETE FROM v WHERE x = ?", c.parameters.get(2))).isEqualTo(1);
    assertThat(db.rows("SELECT x FROM v")).containsExactly(c.shown.get(1));
  }

  @Test
  void constantsComparedWithCharAreTakenAsPadded() {
    db.script(
        "CREATE TABLE ch (id INT PRIMARY KEY, c CHAR(3), v VARCHAR(8))",
        "INSERT INTO ch VALUES (1, 'a', 'x'), (2, 'ab', 'y'), (3, NULL, NULL), (4, 'abc', '')");
    assertThat(db.rows("SELECT id FROM ch WHERE c = 'a'")).containsExactly("1");
    assertThat(db.rows("SELECT id FROM ch WHERE c = ?", "a")).containsExactly("1");
    assertThat(db.bridgeRows("SELECT id FROM ch WHERE c = 'a'")).containsExactly("1");
    assertThat(db.rows("SELECT id FROM ch WHERE c IN ('a', 'ab  ')")).containsExactly("1", "2");
    assertThat(db.rows("SELECT id FROM ch WHERE c NOT IN ('a', 'ab')")).containsExactly("4");
    assertThat(db.rows("SELECT id FROM ch WHERE c <= 'ab' OR v || v = 'zz'"))
        .containsExactly("1", "2");
    assertThat(db.rows("SELECT CASE WHEN c = 'ab' THEN 'is ab' END FROM ch WHERE id = 2"))
        .containsExactly("is ab");
  }
}
