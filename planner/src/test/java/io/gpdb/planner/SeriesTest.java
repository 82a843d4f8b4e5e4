package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * GENERATE_SERIES gives the numbers that adding the step again and again gives. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class SeriesTest {
  private static final int ROWS_MAX = 300;
  private static final int SERIES = 40;

  /** By adding, in numbers of any size. */
  private static List<String> added(long first, long last, long step) {
    List<String> numbers = new ArrayList<>();
    BigInteger end = BigInteger.valueOf(last);
    BigInteger number = BigInteger.valueOf(first);
    while (numbers.size() < ROWS_MAX
        && (step > 0 ? number.compareTo(end) <= 0 : number.compareTo(end) >= 0)) {
      numbers.add(number.toString());
      number = number.add(BigInteger.valueOf(step));
    }
    return numbers;
  }

  private static long anyOf(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> Long.MAX_VALUE - random.nextInt(4);
      case 1 -> Long.MIN_VALUE + random.nextInt(4);
      case 2 -> random.nextLong();
      case 3 -> (random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE) + random.nextInt(9);
      default -> random.nextInt(100) - 50;
    };
  }

  private static long stepOf(Random random) {
    long step = random.nextInt(3) == 0 ? anyOf(random) : random.nextInt(20) - 10;
    return step == 0 ? 1 : step;
  }

  @Test
  void numbersAreThoseOfAdding() {
    RandomSeeds.of(3).forEach(SeriesTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      for (int i = 0; i < SERIES; i++) {
        long first = anyOf(random);
        long last = random.nextBoolean() ? first + random.nextInt(2000) - 1000 : anyOf(random);
        long step = stepOf(random);
        String as = "seed " + seed + ": " + first + ", " + last + ", " + step;
        List<String> expected = added(first, last, step);
        String written = first + ", " + last + (step == 1 ? "" : ", " + step);
        assertThat(db.rows("SELECT n FROM generate_series(" + written + ") n LIMIT " + ROWS_MAX))
            .as(as)
            .isEqualTo(expected);
        assertThat(
                db.rows(
                    "SELECT * FROM TABLE(GENERATE_SERIES(?, ?, ?)) LIMIT " + ROWS_MAX,
                    first,
                    last,
                    step))
            .as(as)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void batchesOfManyNumbersFollowEachOther() {
    try (EndToEnd db = new EndToEnd()) {
      assertThat(
              db.rows(
                  "SELECT COUNT(*), COUNT(DISTINCT n), MIN(n), MAX(n), SUM(n)"
                      + " FROM generate_series(-5, 299994) AS g(n)"))
          .containsExactly("300000|300000|-5|299994|44998350000");
      db.script(
          "CREATE TABLE t (a INTEGER PRIMARY KEY, s VARCHAR(10))",
          "INSERT INTO t SELECT n, CAST(n AS VARCHAR(10)) FROM generate_series(100000, 1, -1) n",
          "INSERT INTO t SELECT -n, 'x' FROM generate_series(1, 3) n"
              + " WHERE EXISTS (SELECT 1 FROM t WHERE a = n)");
      assertThat(db.rows("SELECT COUNT(*), SUM(a), MAX(s) FROM t WHERE CAST(a AS VARCHAR(10)) = s"))
          .containsExactly("100000|5000050000|99999");
      assertThat(db.rows("SELECT a FROM t WHERE a < 0 ORDER BY a"))
          .containsExactly("-3", "-2", "-1");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          SELECT * FROM generate_series(1, NULL); ''
          SELECT * FROM generate_series(NULL, 2, 1); ''
          SELECT * FROM generate_series(1, 2, CAST(NULL AS INTEGER)); ''
          SELECT * FROM generate_series(3, 2); ''
          SELECT * FROM generate_series(2, 3, -1); ''
          SELECT generate_series FROM generate_series(1 + 1, 3); 2 3
          SELECT i.i FROM generate_series(1, 2) AS i; 1 2
          SELECT i.j FROM generate_series(1, 2) AS i(j); 1 2
          SELECT a * 10 + b FROM generate_series(1, 2) a, generate_series(3, 4) b; 13 14 23 24
          SELECT b FROM generate_series(1, 3) a LEFT JOIN generate_series(2, 9) b ON a = b; NULL 2 3
          SELECT x FROM generate_series(1, 3) x INTERSECT SELECT x FROM generate_series(2, 5) x; 2 3
          SELECT SUM(x) OVER (ORDER BY x) FROM generate_series(1, 4) x; 1 3 6 10
          SELECT (SELECT SUM(i) FROM generate_series(1, o) i) FROM generate_series(1, 3) o; 1 3 6
          SELECT i FROM generate_series(1, 3) o, LATERAL (SELECT * FROM generate_series(o, 2)) AS x(i); 1 2 2
          """)
  void aSeriesIsATableOfFrom(String sql, String expected) {
    try (EndToEnd db = new EndToEnd()) {
      List<String> rows = expected.equals("") ? List.of() : List.of(expected.split(" "));
      assertThat(db.rows(sql)).containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          SELECT * FROM generate_series(1, 2, 0); 22023
          SELECT generate_series(1, 2); 0A000
          VALUES (generate_series(1, 2)); 0A000
          SELECT * FROM generate_series(1); 42000
          SELECT * FROM generate_series(1.5, 2); 42804
          SELECT * FROM generate_series('x', 2); 22018
          SELECT * FROM generate_series(1, 1 / 0); 22012
          """)
  void whatIsNoSeriesIsRefused(String sql, String state) {
    try (EndToEnd db = new EndToEnd()) {
      assertThat(db.state(sql)).isEqualTo(state);
    }
  }
}
