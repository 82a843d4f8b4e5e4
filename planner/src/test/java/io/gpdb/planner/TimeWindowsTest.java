package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Frames at intervals from dates and times have the rows that java.time says. {@code -Dgpdb.seed=S}
 * replays a round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class TimeWindowsTest {
  private static final int ROUNDS = 2;
  private static final int ROWS = 40;
  private static final int FRAMES = 8;
  private static final LocalDateTime BEGIN = LocalDateTime.of(2019, 12, 25, 0, 0);

  /** An interval, and a moment that it is added to. */
  private record Distance(int months, int hours) {
    static Distance of(Random random) {
      return random.nextBoolean()
          ? new Distance(random.nextInt(4), 0)
          : new Distance(0, random.nextInt(99));
    }

    String sql() {
      return hours > 0 || months == 0
          ? "INTERVAL '" + hours + "' HOUR"
          : "INTERVAL '" + months + "' MONTH";
    }

    LocalDateTime from(LocalDateTime moment, int sign) {
      return moment.plusMonths((long) sign * months).plusHours((long) sign * hours);
    }
  }

  private static @Nullable LocalDateTime moment(Random random, boolean isDate) {
    LocalDateTime moment = BEGIN.plusDays(random.nextInt(99));
    return random.nextInt(8) == 0
        ? null
        : isDate ? moment : moment.plusMinutes(30L * random.nextInt(48));
  }

  @Test
  void framesAtIntervalsHaveTheRowsOfJavaTime() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    boolean isDate = random.nextBoolean();
    List<@Nullable LocalDateTime> moments = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      LocalDateTime moment = moment(random, isDate);
      moments.add(moment);
      String text = moment == null ? "NULL" : "'" + moment.toString().replace('T', ' ') + "'";
      rows.add("(" + i + ", " + text + ")");
    }
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, x " + (isDate ? "DATE)" : "TIMESTAMP)"));
      db.run("INSERT INTO t VALUES " + String.join(", ", rows));
      for (int i = 0; i < FRAMES; i++) {
        Distance before = Distance.of(random);
        Distance behind = Distance.of(random);
        boolean descending = random.nextBoolean();
        String sql =
            "SELECT COUNT(*) OVER (ORDER BY x"
                + (descending ? " DESC" : "")
                + " RANGE BETWEEN "
                + before.sql()
                + " PRECEDING AND "
                + behind.sql()
                + " FOLLOWING) FROM t ORDER BY id";
        List<String> expected =
            moments.stream()
                .map(own -> Long.toString(count(moments, own, before, behind, descending)))
                .toList();
        List<String> found = db.rows(sql);
        if (!found.equals(expected)) {
          problems.add("-Dgpdb.seed=%d: %s is %s, not %s".formatted(seed, sql, found, expected));
        }
      }
    }
  }

  private static long count(
      List<@Nullable LocalDateTime> moments,
      @Nullable LocalDateTime own,
      Distance before,
      Distance behind,
      boolean descending) {
    if (own == null) {
      return moments.stream().filter(moment -> moment == null).count();
    }
    int sign = descending ? -1 : 1;
    LocalDateTime a = before.from(own, -sign);
    LocalDateTime b = behind.from(own, sign);
    LocalDateTime first = descending ? b : a;
    LocalDateTime last = descending ? a : b;
    return moments.stream()
        .filter(moment -> moment != null && !moment.isBefore(first) && !moment.isAfter(last))
        .count();
  }
}
