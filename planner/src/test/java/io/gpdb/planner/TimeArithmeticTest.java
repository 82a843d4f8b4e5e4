package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random arithmetic of dates, times and intervals gives the same values, or the same error, by
 * kernels, on the host and through the bridge. {@code -Dgpdb.seed=S} replays one round, {@code
 * -Dgpdb.fuzz=N} runs N rounds.
 */
class TimeArithmeticTest {
  private static final int ROUNDS = 2;
  private static final int EXPRESSIONS = 30;
  private static final int ROWS = 40;

  private final List<String> problems = new ArrayList<>();
  private int values;
  private int failures;

  @Test
  void kernelsComputeAsTheHost() {
    RandomSeeds.of(ROUNDS).forEach(this::round);
    assertThat(problems).isEmpty();
    assertThat(values).isGreaterThan(failures);
    assertThat(failures).isPositive();
  }

  private void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run(
          "CREATE TABLE t (k INTEGER PRIMARY KEY, d DATE, ts TIMESTAMP, ti TIME, n INTEGER,"
              + " b BIGINT, m INTERVAL YEAR(9) TO MONTH, u INTERVAL DAY(8) TO SECOND)");
      for (int k = 0; k < ROWS; k++) {
        db.run("INSERT INTO t VALUES (" + k + row(random) + ")");
      }
      for (int i = 0; i < EXPRESSIONS; i++) {
        String expression = random.nextBoolean() ? time(random, 2) : interval(random, 2);
        // Few rows at a time, so that one that fails hides few others.
        int from = random.nextInt(ROWS);
        check(
            db,
            seed,
            "SELECT k, %s FROM t WHERE k BETWEEN %d AND %d"
                .formatted(expression, from, from + random.nextInt(6)));
      }
    }
  }

  private void check(EndToEnd db, long seed, String query) {
    String kernels = answer(db, db.engine, query);
    String plan = String.join("\n", db.rows("EXPLAIN " + query));
    if (plan.contains("[host]")) {
      problems.add("-Dgpdb.seed=" + seed + ": not by a kernel: " + query + "\n" + plan);
    }
    for (QueryEngine other : List.of(db.unshared, db.bridge)) {
      String answer = answer(db, other, query);
      if (!answer.equals(kernels)) {
        problems.add(
            "-Dgpdb.seed=%d: %s%n  kernels %s%n  %s %s"
                .formatted(seed, query, kernels, other == db.bridge ? "bridge" : "host", answer));
      }
    }
  }

  private String answer(EndToEnd db, QueryEngine engine, String query) {
    Transaction tx = db.begin();
    try {
      String rows = EndToEnd.table(engine, tx, query + " ORDER BY k").toString();
      values++;
      return rows;
    } catch (GpdbException e) {
      failures++;
      // Kernels say in which row, too.
      return e.code().sqlState()
          + " "
          + e.getMessage().replaceFirst(" in .* with .*| in .*: table .*", "");
    } finally {
      tx.rollback();
    }
  }

  private static String row(Random random) {
    String day = day(random);
    return ", %s, %s, %s, %s, %s, %s, %s"
        .formatted(
            orNull(random, "DATE '" + day + "'"),
            orNull(random, "TIMESTAMP '" + day(random) + " " + clock(random) + "'"),
            orNull(random, "TIME '" + clock(random) + "'"),
            orNull(random, String.valueOf(number(random))),
            orNull(random, String.valueOf(number(random) * (long) number(random))),
            orNull(
                random,
                "INTERVAL '%s%d-%d' YEAR TO MONTH"
                    .formatted(sign(random), Math.abs(number(random)), random.nextInt(12))),
            orNull(
                random,
                "INTERVAL '%s%d %s' DAY TO SECOND"
                    .formatted(sign(random), Math.abs(number(random)), clock(random))));
  }

  private static String orNull(Random random, String value) {
    return random.nextInt(10) == 0 ? "NULL" : value;
  }

  private static String sign(Random random) {
    return random.nextBoolean() ? "-" : "";
  }

  private static int number(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextInt(200_000) - 100_000;
      default -> random.nextInt(120) - 60;
    };
  }

  private static String day(Random random) {
    int year =
        switch (random.nextInt(6)) {
          case 0 -> 1;
          case 1 -> 9999;
          case 2 -> 1900 + 100 * random.nextInt(3);
          default -> 1 + random.nextInt(9999);
        };
    int month = 1 + random.nextInt(12);
    int last = YearMonth.of(year, month).lengthOfMonth();
    int day = random.nextInt(3) == 0 ? last : 1 + random.nextInt(last);
    return "%04d-%02d-%02d".formatted(year, month, day);
  }

  private static String clock(Random random) {
    return random.nextInt(5) == 0
        ? List.of("00:00:00", "23:59:59.999999", "12:00:00").get(random.nextInt(3))
        : "%02d:%02d:%02d.%06d"
            .formatted(
                random.nextInt(24),
                random.nextInt(60),
                random.nextInt(60),
                random.nextInt(1_000_000));
  }

  private static String time(Random random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return switch (random.nextInt(4)) {
        case 0 -> "d";
        case 1 -> "ti";
        case 2 -> "DATE '" + day(random) + "'";
        default -> "ts";
      };
    }
    String time = time(random, depth - 1);
    boolean ofDay = time.contains("ti ") || time.endsWith("ti") || time.contains("ti)");
    String by =
        ofDay || random.nextBoolean() ? micros(random, depth - 1) : months(random, depth - 1);
    return switch (random.nextInt(5)) {
      case 0 -> "(" + by + " + " + time + ")";
      case 1, 2 -> "(" + time + " - " + by + ")";
      default -> "(" + time + " + " + by + ")";
    };
  }

  private static String interval(Random random, int depth) {
    return random.nextBoolean() ? micros(random, depth) : months(random, depth);
  }

  private static String micros(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return switch (random.nextInt(3)) {
        case 0 -> "u";
        case 1 -> "INTERVAL '%d' DAY(5)".formatted(random.nextInt(99_999));
        default -> "INTERVAL '%d' HOUR(4)".formatted(random.nextInt(9999));
      };
    }
    return switch (random.nextInt(6)) {
      case 0 -> "((d - DATE '" + day(random) + "') DAY TO SECOND)";
      case 1 -> "((ts - TIMESTAMP '" + day(random) + " " + clock(random) + "') HOUR)";
      case 2 -> "(- " + micros(random, depth - 1) + ")";
      default -> combined(random, micros(random, depth - 1), micros(random, depth - 1));
    };
  }

  private static String months(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return switch (random.nextInt(3)) {
        case 0 -> "m";
        case 1 -> "INTERVAL '%d' MONTH(3)".formatted(random.nextInt(999));
        default -> "INTERVAL '%d' YEAR(5)".formatted(random.nextInt(99));
      };
    }
    return random.nextInt(5) == 0
        ? "(- " + months(random, depth - 1) + ")"
        : combined(random, months(random, depth - 1), months(random, depth - 1));
  }

  private static String combined(Random random, String a, String b) {
    return switch (random.nextInt(5)) {
      case 0 -> "(" + a + " + " + b + ")";
      case 1 -> "(" + a + " - " + b + ")";
      case 2 -> "(n * " + a + ")";
      case 3 -> "(" + a + " * b)";
      default -> "(" + a + " * " + (random.nextInt(9) - 4) + ")";
    };
  }
}
