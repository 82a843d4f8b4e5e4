package io.gpdb.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.tpch.TpchAnswers.Answer;
import io.gpdb.bench.tpch.TpchCommand.Compared;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * That gpDB's answers to the queries of TPC-H are those of another engine on the same rows. A third
 * of the queries is asked, chosen by the clock, or by {@code -Dgpdb.seed=S}, which also decides the
 * rows; all are asked with {@code -Dgpdb.fuzz=2}.
 */
class TpchTest {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE]-?\\d+)?");
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int PARTS = Integer.getInteger("gpdb.fuzz", 1) > 1 ? 1 : 3;

  @TempDir Path directory;

  @Test
  void answersAreThoseOfDuckDb() throws SQLException {
    int first = (int) Math.floorMod(Long.getLong("gpdb.seed", System.nanoTime()), (long) PARTS);
    int answered = 0;
    try (Connection own = DriverManager.getConnection("jdbc:gpdb:mem:tpch");
        Connection other = DriverManager.getConnection("jdbc:duckdb:");
        Statement ask = own.createStatement();
        Statement askOther = other.createStatement()) {
      TpchTables.load(own, new TpchScale(0.001), SEED);
      copy(ask, askOther);
      for (int i = first; i < TpchQueries.ALL.size(); i += PARTS) {
        String query = TpchQueries.ALL.get(i);
        List<List<String>> expected = TpchAnswers.rows(askOther, query);
        assertSame("seed " + SEED + ", Q" + (i + 1), TpchAnswers.rows(ask, query), expected);
        answered += expected.isEmpty() ? 0 : 1;
      }
    }
    assertThat(answered).as("queries with rows").isGreaterThan(TpchQueries.ALL.size() / PARTS / 4);
    assertThat(TpchQueries.ALL).hasSize(22);
  }

  private void copy(Statement from, Statement to) throws SQLException {
    for (int i = 0; i < TpchTables.NAMES.size(); i++) {
      String table = TpchTables.NAMES.get(i);
      String file = "'" + directory.resolve(table + ".csv") + "'";
      from.execute("COPY " + table + " TO " + file);
      to.execute(TpchTables.DEFINITIONS.get(i));
      to.execute("COPY " + table + " FROM " + file + " (FORMAT csv)");
    }
  }

  /** Quotients and averages have other scales there. */
  private static void assertSame(
      String query, List<List<String>> found, List<List<String>> expected) {
    assertThat(found).as(query).hasSameSizeAs(expected);
    for (int row = 0; row < expected.size(); row++) {
      for (int column = 0; column < expected.get(row).size(); column++) {
        String value = found.get(row).get(column);
        String theirs = expected.get(row).get(column);
        if (NUMBER.matcher(theirs).matches()) {
          double number = Double.parseDouble(theirs);
          assertThat(Double.parseDouble(value))
              .as("%s, row %d, column %d", query, row, column)
              .isCloseTo(number, within(Math.max(1, Math.abs(number)) * 1e-5));
        } else {
          assertThat(value).as("%s, row %d, column %d", query, row, column).isEqualTo(theirs);
        }
      }
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
}
