package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** OVERLAPS of every four of a few days and NULL, beside the rules of the standard. */
class OverlapsTest {
  private static final int DAYS = 3;

  /** Two days, of which either may be unknown, as they are written. */
  private record Period(@Nullable Integer first, @Nullable Integer second) {
    private boolean isTurned() {
      return first == null || (second != null && second < first);
    }

    @Nullable Integer start() {
      return isTurned() ? second : first;
    }

    @Nullable Integer end() {
      return isTurned() ? first : second;
    }

    boolean isKnown() {
      return first != null && second != null;
    }

    /** The days that it has: not its end, unless that is all. */
    List<Integer> days() {
      int start = start();
      return start == end() ? List.of(start) : IntStream.range(start, end()).boxed().toList();
    }
  }

  private static @Nullable Boolean and(@Nullable Boolean a, @Nullable Boolean b) {
    if (Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b)) {
      return false;
    }
    return a == null || b == null ? null : true;
  }

  private static @Nullable Boolean not(@Nullable Boolean a) {
    return a == null ? null : !a;
  }

  private static @Nullable Boolean or(@Nullable Boolean a, @Nullable Boolean b) {
    return not(and(not(a), not(b)));
  }

  private static @Nullable Boolean less(@Nullable Integer a, @Nullable Integer b) {
    return a == null || b == null ? null : a < b;
  }

  private static @Nullable Boolean equal(@Nullable Integer a, @Nullable Integer b) {
    return a == null || b == null ? null : a.equals(b);
  }

  /** The answer by the words of the standard. */
  private static @Nullable Boolean byTheRules(Period a, Period b) {
    Boolean sameStart = equal(a.start(), b.start());
    Boolean ends = or(not(equal(a.end(), b.end())), equal(a.end(), b.end()));
    return or(or(later(a, b), later(b, a)), and(sameStart, ends));
  }

  private static @Nullable Boolean later(Period a, Period b) {
    Boolean behind = and(not(less(a.start(), b.end())), not(less(a.end(), b.end())));
    return and(less(b.start(), a.start()), not(behind));
  }

  private static List<Period> periods() {
    List<Integer> days = new ArrayList<>();
    days.add(null);
    IntStream.range(0, DAYS).forEach(days::add);
    List<Period> all = new ArrayList<>();
    days.forEach(first -> days.forEach(second -> all.add(new Period(first, second))));
    return all;
  }

  private static String sql(@Nullable Integer day) {
    return day == null ? "NULL" : "DATE '" + LocalDate.of(2000, 2, 28).plusDays(day) + "'";
  }

  @Test
  void everyPairOfPeriodsIsAsTheStandardSays() throws SQLException {
    List<String> expected = new ArrayList<>();
    StringBuilder values = new StringBuilder();
    for (Period a : periods()) {
      for (Period b : periods()) {
        Boolean answer = byTheRules(a, b);
        if (a.isKnown() && b.isKnown()) {
          assertThat(answer).isEqualTo(a.days().stream().anyMatch(b.days()::contains));
        }
        values
            .append(expected.isEmpty() ? "(" : ", (")
            .append(expected.size() + ", " + sql(a.first) + ", " + sql(a.second))
            .append(", " + sql(b.first) + ", " + sql(b.second) + ")");
        expected.add(
            answer == null ? "null" : answer.toString().toUpperCase(java.util.Locale.ROOT));
      }
    }
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (id INT PRIMARY KEY, a DATE, b DATE, c DATE, d DATE)",
            "INSERT INTO t VALUES " + values)) {
      assertThat(database.rows("SELECT (a, b) OVERLAPS (c, d) FROM t ORDER BY id"))
          .isEqualTo(expected);
      assertThat(database.rows("SELECT COUNT(*) FROM t WHERE (a, b) OVERLAPS (c, d)"))
          .containsExactly("" + expected.stream().filter("TRUE"::equals).count());
    }
  }
}
