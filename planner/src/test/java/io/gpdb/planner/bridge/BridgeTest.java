package io.gpdb.planner.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BridgeTest {
  private static final long AT = TemporalText.parseTimestamp("2001-03-15 10:20:30.123456");
  private static final MemoryTables TABLES = new MemoryTables();

  @BeforeAll
  static void fill() {
    TABLES.setNow(TemporalText.parseTimestamp("2002-02-03 04:05:06.000007"));
    TABLES.create(
        "CREATE TABLE t (pk INT PRIMARY KEY, a INT, b BIGINT, s VARCHAR(10), p DECIMAL(10, 2),"
            + " d DOUBLE, at TIMESTAMP, day DATE, tm TIME, f BOOLEAN)",
        row(1, 10, 100L, "one", dec("1.50"), 1.5, AT, 11000, 3_600_000_001L, true),
        row(2, 20, 200L, "two", dec("2.25"), 2.5, AT + 1, 11031, 7_200_000_000L, false),
        row(3, null, null, null, null, null, null, null, null, null),
        row(4, 5, Long.MAX_VALUE, "four", dec("-0.75"), -4.0, 0L, 0, 0L, true));
    TABLES.create(
        "CREATE TABLE u (id BIGINT, t_pk INT, x DECIMAL(8, 1))",
        row(1L, 1, dec("1.5")),
        row(2L, 1, dec("9.0")),
        row(3L, 2, dec("20.0")),
        row(4L, null, null));
  }

  private static Object[] row(Object... values) {
    return values;
  }

  private static BigDecimal dec(String text) {
    return new BigDecimal(text);
  }

  private static List<Object> one(String sql, Object... parameters) {
    List<List<Object>> rows = TABLES.query(sql, parameters);
    assertThat(rows).hasSize(1);
    return rows.getFirst();
  }

  private static List<Object> column(String sql, Object... parameters) {
    List<Object> values = new ArrayList<>();
    for (List<Object> row : TABLES.query(sql, parameters)) {
      values.add(row.getFirst());
    }
    return values;
  }

  private static void fails(ErrorCondition code, String sql) {
    assertThatThrownBy(() -> TABLES.query(sql))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  @Test
  void emptySubqueryBesideAnotherConditionKeepsTheRowsOfTheOther() {
    assertThat(column("SELECT pk FROM t WHERE a IN (SELECT a FROM t WHERE 1 = 0) OR a > 10"))
        .containsExactly(2);
    assertThat(
            column("SELECT pk FROM t WHERE a IN (SELECT a FROM t WHERE b < 1 AND b > 2) OR a > 10"))
        .containsExactly(2);
  }

  @Test
  void integerArithmeticIsChecked() {
    assertThat(TABLES.query("SELECT a + 1, a * 2, a / 3, MOD(a, 3), -a, ABS(-a) FROM t"))
        .contains(Arrays.asList(11, 20, 3, 1, -10, 10))
        .contains(Arrays.asList(null, null, null, null, null, null));
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT b + 1 FROM t");
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT a * 2147483647 FROM t");
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT -9223372036854775807 - 2");
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT sum(b) FROM t");
    fails(SqlCondition.DIVISION_BY_ZERO, "SELECT a / 0 FROM t");
    fails(SqlCondition.DIVISION_BY_ZERO, "SELECT MOD(a, 0) FROM t");
  }

  @Test
  void decimalsRoundHalfUpAndKeepTheirScale() {
    assertThat(one("SELECT p * p, p / 3, p - 0.755, CAST(p AS INT) FROM t WHERE pk = 1"))
        .containsExactly(dec("2.2500"), dec("0.500000"), dec("0.745"), 2);
    assertThat(one("SELECT CAST(2.5 AS INT), CAST(-2.5 AS INT), CAST(1.239 AS DECIMAL(15, 2))"))
        .containsExactly(3, -3, dec("1.24"));
    assertThat(column("SELECT b FROM (VALUES (1.5), (1.50), (2)) AS v (b) GROUP BY b"))
        .containsExactlyInAnyOrder(dec("1.50"), dec("2.00"));
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT CAST(p AS DECIMAL(2, 2)) FROM t");
    fails(SqlCondition.DIVISION_BY_ZERO, "SELECT p / 0.0 FROM t");
  }

  @Test
  void numbersOfDifferentTypesAreOneJoinKey() {
    assertThat(TABLES.query("SELECT t.pk, u.id FROM t JOIN u ON t.p = u.x"))
        .containsExactly(Arrays.asList(1, 1L));
    assertThat(TABLES.query("SELECT t.pk, u.id FROM t JOIN u ON t.a = u.x"))
        .containsExactly(Arrays.asList(2, 3L));
  }

  @Test
  void aggregatesTakeNullsAndEmptyInput() {
    assertThat(
            one(
                "SELECT count(*), count(a), sum(a), sum(p), avg(a), avg(p), avg(d), min(s),"
                    + " max(at) FROM t"))
        .containsExactly(
            4L, 3L, 35L, dec("3.00"), dec("11.666667"), dec("1.000000"), 0.0, "four", AT + 1);
    assertThat(one("SELECT count(*), sum(a), avg(p), max(s) FROM t WHERE pk > 99"))
        .containsExactly(0L, null, null, null);
    assertThat(
            TABLES.query(
                "SELECT f, count(DISTINCT s), sum(DISTINCT a), count(*) FILTER (WHERE a > 5)"
                    + " FROM t GROUP BY f"))
        .containsExactlyInAnyOrder(
            Arrays.asList(true, 2L, 15L, 1L),
            Arrays.asList(false, 1L, 20L, 1L),
            Arrays.asList(null, 0L, null, 0L));
    assertThat(TABLES.query("SELECT f, a, count(*) FROM t GROUP BY ROLLUP (f, a)")).hasSize(8);
  }

  @Test
  void deviationsAreDoubles() {
    assertThat((Double) one("SELECT stddev(a) FROM t").getFirst())
        .isCloseTo(7.6376, org.assertj.core.data.Offset.offset(1e-4));
    assertThat(one("SELECT var_pop(d), stddev_samp(d) FROM t WHERE pk = 1"))
        .containsExactly(0.0, null);
  }

  @Test
  void timestampsKeepTheirMicroseconds() {
    assertThat(column("SELECT pk FROM t WHERE at = TIMESTAMP '2001-03-15 10:20:30.123456'"))
        .containsExactly(1);
    assertThat(column("SELECT pk FROM t WHERE at > '2001-03-15 10:20:30.123456'"))
        .containsExactly(2);
    assertThat(
            one(
                "SELECT CAST(at AS VARCHAR), at + INTERVAL '1' MONTH, at - INTERVAL '1' HOUR,"
                    + " CAST(at AS DATE), CAST(at AS TIME) FROM t WHERE pk = 1"))
        .containsExactly(
            "2001-03-15 10:20:30.123456",
            TemporalText.parseTimestamp("2001-04-15 10:20:30.123456"),
            TemporalText.parseTimestamp("2001-03-15 09:20:30.123456"),
            TemporalText.parseDate("2001-03-15"),
            TemporalText.parseTime("10:20:30.123456"));
    assertThat(
            one(
                "SELECT EXTRACT(YEAR FROM at), EXTRACT(SECOND FROM at),"
                    + " EXTRACT(MICROSECOND FROM at), FLOOR(at TO HOUR), CEIL(at TO DAY)"
                    + " FROM t WHERE pk = 1"))
        .containsExactly(
            2001L,
            new BigDecimal("30.123456"),
            30_123_456L,
            TemporalText.parseTimestamp("2001-03-15 10:00:00"),
            TemporalText.parseTimestamp("2001-03-16"));
    assertThat(
            one(
                "SELECT timestampdiff(DAY, TIMESTAMP '2001-01-01 00:00:00', at),"
                    + " timestampdiff(MONTH, TIMESTAMP '2001-01-01 00:00:00', at)"
                    + " FROM t WHERE pk = 1"))
        .containsExactly(73, 2);
    fails(
        ErrorCode.NOT_SUPPORTED,
        "SELECT sum(pk) OVER (ORDER BY at RANGE INTERVAL '1' DAY PRECEDING) FROM t");
  }

  @Test
  void timesOfTheDayAreMicroseconds() {
    assertThat(column("SELECT pk FROM t WHERE tm = TIME '01:00:00.000001'")).containsExactly(1);
    assertThat(
            one(
                "SELECT CAST(tm AS VARCHAR), tm + INTERVAL '90' MINUTE, EXTRACT(HOUR FROM tm),"
                    + " FLOOR(tm TO HOUR) FROM t WHERE pk = 1"))
        .containsExactly(
            "01:00:00.000001",
            TemporalText.parseTime("02:30:00.000001"),
            1L,
            TemporalText.parseTime("01:00:00"));
    assertThat(one("SELECT max(tm), count(DISTINCT tm) FROM t"))
        .containsExactly(7_200_000_000L, 3L);
    assertThat(TABLES.query("SELECT t.pk, x.pk FROM t JOIN t x ON t.tm = x.tm")).hasSize(3);
    assertThat(TABLES.query("SELECT pk, (SELECT count(*) FROM t x WHERE x.tm < t.tm) FROM t"))
        .contains(Arrays.asList(2, 2L));
  }

  @Test
  void dateAndTimeRoundToTheirUnits() {
    assertThat(
            one(
                "SELECT CEIL(at TO MONTH), CEIL(at TO YEAR), FLOOR(at TO QUARTER), FLOOR(at TO"
                    + " WEEK), CEIL(day TO MONTH), FLOOR(day TO YEAR), day + INTERVAL '1' MONTH"
                    + " FROM t WHERE pk = 1"))
        .containsExactly(
            TemporalText.parseTimestamp("2001-04-01"),
            TemporalText.parseTimestamp("2002-01-01"),
            TemporalText.parseTimestamp("2001-01-01"),
            TemporalText.parseTimestamp("2001-03-11"),
            TemporalText.parseDate("2000-03-01"),
            TemporalText.parseDate("2000-01-01"),
            TemporalText.parseDate("2000-03-13"));
  }

  @Test
  void nowIsTheStatementsTime() {
    assertThat(one("SELECT CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME"))
        .containsExactly(
            TemporalText.parseTimestamp("2002-02-03 04:05:06.000007"),
            TemporalText.parseDate("2002-02-03"),
            TemporalText.parseTime("04:05:06.000007"));
  }

  @Test
  void castsOfTextSayWhatIsWrong() {
    assertThat(one("SELECT CAST(' 12 ' AS INT), CAST('3.456' AS DECIMAL(5, 2))"))
        .containsExactly(12, dec("3.46"));
    fails(SqlCondition.INVALID_CAST, "SELECT CAST(s AS INT) FROM t");
    fails(SqlCondition.INVALID_DATETIME, "SELECT CAST(s AS DATE) FROM t");
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT CAST('99999' AS SMALLINT)");
    fails(ErrorCode.NUMERIC_OUT_OF_RANGE, "SELECT CAST(b AS INT) FROM t");
  }

  @Test
  void subqueriesFollowThreeValuedLogic() {
    assertThat(column("SELECT pk FROM t WHERE pk NOT IN (SELECT t_pk FROM u)")).isEmpty();
    assertThat(column("SELECT pk FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_pk = t.pk)"))
        .containsExactlyInAnyOrder(1, 2);
    assertThat(TABLES.query("SELECT pk, (SELECT max(id) FROM u WHERE u.t_pk = t.pk) FROM t"))
        .containsExactlyInAnyOrder(
            Arrays.asList(1, 2L),
            Arrays.asList(2, 3L),
            Arrays.asList(3, null),
            Arrays.asList(4, null));
    fails(SqlCondition.CARDINALITY, "SELECT (SELECT id FROM u) FROM t");
  }

  @Test
  void windowsAndSetsRun() {
    assertThat(
            TABLES.query(
                "SELECT pk, row_number() OVER (ORDER BY a DESC), avg(a) OVER (),"
                    + " lag(s) OVER (ORDER BY pk), sum(p) OVER () FROM t ORDER BY pk LIMIT 2"))
        .containsExactly(
            Arrays.asList(1, 3L, dec("11.666667"), null, dec("3.00")),
            Arrays.asList(2, 2L, dec("11.666667"), "one", dec("3.00")));
    assertThat(column("SELECT lead(a, 1, 0) OVER (ORDER BY pk) FROM t ORDER BY pk"))
        .containsExactly(20, null, 5, 0);
    assertThat(column("SELECT pk FROM t EXCEPT SELECT t_pk FROM u")).containsExactly(3, 4);
    assertThat(column("SELECT a FROM t UNION SELECT t_pk FROM u ORDER BY 1"))
        .containsExactly(1, 2, 5, 10, 20, null);
  }

  @Test
  void recursionRunsAgainFromItsBeginning() {
    Analyzed.Query query =
        (Analyzed.Query)
            new SqlFrontEnd()
                .analyze(
                    "WITH RECURSIVE r (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 4)"
                        + " SELECT n FROM r",
                    TABLES.catalog(),
                    null);
    BridgeQuery compiled = BridgeQuery.compile(query.root().project(), LeafChoice.SCANS);
    for (int run = 0; run < 2; run++) {
      assertThat(TABLES.run(compiled))
          .containsExactly(List.of(1), List.of(2), List.of(3), List.of(4));
    }
  }

  @Test
  void parametersAreValuesOfTheirTypes() {
    assertThat(column("SELECT pk FROM t WHERE a >= ? AND p > ? LIMIT ?", 10, dec("1.75"), 1))
        .containsExactly(2);
    assertThat(column("SELECT pk FROM t WHERE at < ? ORDER BY pk", AT + 1)).containsExactly(1, 4);
    assertThat(column("SELECT s || ? FROM t WHERE s = ?", "!", "two")).containsExactly("two!");
    assertThat(column("SELECT pk FROM t WHERE s = ?", (Object) null)).isEmpty();
  }

  @Test
  void theLeafChoiceCutsWholeSubtreesAndFieldsAreTrimmedBefore() {
    Analyzed.Query query =
        (Analyzed.Query)
            new SqlFrontEnd().analyze("SELECT count(*) FROM t WHERE a > 5", TABLES.catalog(), null);
    List<RelNode> asked = new ArrayList<>();
    BridgeQuery compiled =
        BridgeQuery.compile(
            query.root().project(),
            subtree -> {
              asked.add(subtree);
              return subtree instanceof Filter;
            });
    assertThat(compiled.leaves()).hasSize(1).allMatch(leaf -> leaf instanceof Filter);
    assertThat(asked).hasSizeGreaterThan(1);
    LeafSource threeRows = leaf -> Linq4j.asEnumerable(threeRowsOf(leaf));
    try (BridgeRows rows = compiled.run(threeRows, (f, a) -> null, new Object[0], 0)) {
      assertThat(rows.next()).containsExactly(3L);
      assertThat(rows.next()).isNull();
    }
  }

  private static List<Object[]> threeRowsOf(RelNode leaf) {
    int fields = leaf.getRowType().getFieldCount();
    return List.of(new Object[fields], new Object[fields], new Object[fields]);
  }
}
