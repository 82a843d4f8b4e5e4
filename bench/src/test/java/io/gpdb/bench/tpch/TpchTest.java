package io.gpdb.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.tpch.TpchAnswers.Answer;
import io.gpdb.bench.tpch.TpchCommand.Compared;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * That gpDB's answers to the queries of TPC-H are those of another engine on the same rows. A third
 * of the queries is asked, chosen by the clock, or by {@code -Dgpdb.seed=S}, which also decides the
 * rows; all are asked with {@code -Dgpdb.fuzz=2}.
 */
class TpchTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int PARTS = Integer.getInteger("gpdb.fuzz", 1) > 1 ? 1 : 3;

  @Test
  void answersAreThoseOfDuckDb() throws SQLException {
    int first = (int) Math.floorMod(Long.getLong("gpdb.seed", System.nanoTime()), (long) PARTS);
    int answered = 0;
    try (Connection own = DriverManager.getConnection("jdbc:gpdb:mem:tpch");
        Connection other = DriverManager.getConnection("jdbc:duckdb:");
        Statement ask = own.createStatement();
        Statement askOther = other.createStatement()) {
      TpchTables.load(own, new TpchScale(0.001), SEED, _ -> {});
      TpchTables.load(other, new TpchScale(0.001), SEED, _ -> {});
      for (int i = first; i < TpchQueries.ALL.size(); i += PARTS) {
        String query = TpchQueries.ALL.get(i);
        List<List<String>> expected = TpchAnswers.rows(askOther, query);
        assertThat(TpchRows.difference(TpchAnswers.rows(ask, query), expected))
            .as("seed %d, Q%d", SEED, i + 1)
            .isEmpty();
        answered += expected.isEmpty() ? 0 : 1;
      }
    }
    assertThat(answered).as("queries with rows").isGreaterThan(TpchQueries.ALL.size() / PARTS / 4);
    assertThat(TpchQueries.ALL).hasSize(22);
  }

  @Test
  void estimatesAreHeldAgainstTheRowsThatCame() throws SQLException {
    try (Connection own = DriverManager.getConnection("jdbc:gpdb:mem:estimates");
        Statement ask = own.createStatement()) {
      ask.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)");
      ask.execute("INSERT INTO t SELECT n, 7 FROM generate_series(1, 1000) AS s(n)");
      List<PlanEstimate> whole = PlanEstimate.of(ask, "SELECT a FROM t ORDER BY a");
      assertThat(whole).isNotEmpty().allMatch(each -> each.actual() == 1000);
      assertThat(whole).allMatch(each -> each.qError() == 1);
      List<PlanEstimate> none = PlanEstimate.of(ask, "SELECT id FROM t WHERE a > 7 ORDER BY id");
      assertThat(none).anyMatch(each -> each.actual() == 0 && each.qError() == each.estimated());
      TpchTables.load(own, new TpchScale(0.001), SEED, _ -> {});
      assertThat(TpchEstimates.of(own, _ -> {}).queries())
          .hasSize(22)
          .allMatch(each -> each.qErrors().rounds() > 0 && each.qErrors().min() >= 1);
    }
  }

  private static Answer answer(String failure, String... values) {
    return new Answer(List.of(List.of(values)), failure, 1, Spread.of());
  }

  @Test
  void twoAnswersAreEqualWhereAllTextsAre() {
    assertThat(new Compared(1, answer("", "1.0"), answer("", "1.0")).isEqual()).isTrue();
    assertThat(new Compared(1, answer("", "1.0"), answer("", "1.00")).isEqual()).isFalse();
    assertThat(new Compared(1, answer("58000", "1"), answer("", "1")).isEqual()).isFalse();
    assertThat(new Compared(1, answer("", "1"), answer("58000", "1")).isEqual()).isFalse();
  }

  private static List<List<String>> rows(String... values) {
    return List.of(values).stream().map(value -> List.of("key", value)).toList();
  }

  @Test
  void answersOfTwoDatabasesMayDifferInTheLastDigits() {
    assertThat(TpchRows.difference(rows("1.50", "x"), rows("1.5000001", "x"))).isEmpty();
    assertThat(TpchRows.difference(rows("1E+3"), rows("1000"))).isEmpty();
    assertThat(TpchRows.difference(rows("123456.7"), rows("123466.7"))).contains("row 1 is");
    assertThat(TpchRows.difference(rows("1", "x"), rows("1", "y"))).contains("row 2 is [key, x]");
    assertThat(TpchRows.difference(rows("1"), rows("null"))).isNotEmpty();
    assertThat(TpchRows.difference(rows("1"), rows("1", "2"))).isEqualTo("1 rows, not 2");
  }
}
