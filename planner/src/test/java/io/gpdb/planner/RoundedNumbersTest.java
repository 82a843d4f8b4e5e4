package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * ROUND and TRUNCATE of decimals return the digits that a literal asks for, and those of
 * BigDecimal. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class RoundedNumbersTest {
  private static final int ROUNDS = 10;
  private static final int ROWS = 40;

  /** A call, how many digits after the point its type has, how many are kept, and how. */
  private record Call(String sql, int scale, int digits, RoundingMode mode) {
    static Call of(Random random, int scale) {
      boolean rounds = random.nextBoolean();
      RoundingMode mode = rounds ? RoundingMode.HALF_UP : RoundingMode.DOWN;
      String name = rounds ? "ROUND" : List.of("TRUNCATE", "TRUNC").get(random.nextInt(2));
      int digits = random.nextInt(scale + 3);
      return switch (random.nextInt(6)) {
        case 0 -> new Call(name + "(v)", 0, 0, mode);
        // no literal
        case 1 -> new Call(name + "(v, " + digits + " + id - id)", scale, digits, mode);
        case 2 ->
            name.equals("TRUNC")
                ? new Call("TRUNC(v, 0)", 0, 0, mode)
                : new Call("{fn " + name + "(v, 0)}", 0, 0, mode);
        default -> new Call(name + "(v, " + digits + ")", Math.min(scale, digits), digits, mode);
      };
    }

    String expected(BigDecimal value) {
      return value.setScale(Math.min(digits, value.scale()), mode).setScale(scale).toPlainString();
    }
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    int digits = 1 + random.nextInt(random.nextBoolean() ? 17 : 37);
    int scale = random.nextInt(digits + 1);
    List<BigDecimal> values = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      BigInteger end = BigInteger.TEN.pow(digits);
      BigInteger some =
          random.nextInt(4) == 0
              ? end.subtract(BigInteger.ONE)
              : new BigInteger(130, random).mod(end);
      values.add(new BigDecimal(random.nextBoolean() ? some : some.negate(), scale));
    }
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, v DECIMAL(" + digits + ", " + scale + "))");
      for (int i = 0; i < ROWS; i++) {
        db.run("INSERT INTO t VALUES (" + i + ", " + values.get(i).toPlainString() + ")");
      }
      for (int i = 0; i < 4; i++) {
        Call call = Call.of(random, scale);
        String sql = "SELECT " + call.sql + " FROM t ORDER BY id";
        String replay = "-Dgpdb.seed=" + seed + ": DECIMAL(" + digits + ", " + scale + "): " + sql;
        SqlTypeSpec type =
            db.inTransaction(tx -> db.engine.prepare(sql, tx)).columns().getFirst().type();
        assertThat(type.scale()).as(replay).isEqualTo(call.scale);
        int most =
            values.stream()
                .mapToInt(v -> new BigDecimal(call.expected(v)).precision())
                .max()
                .orElse(0);
        assertThat(type.precision()).as(replay).isGreaterThanOrEqualTo(most);
        assertThat(db.rows(sql)).as(replay).isEqualTo(values.stream().map(call::expected).toList());
      }
    }
  }

  @Test
  void theyHaveTheDigitsThatAreAskedFor() {
    RandomSeeds.of(ROUNDS).forEach(RoundedNumbersTest::round);
  }

  @Test
  void aWideQuotientIsRoundedToWhatIsAskedFor() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a DECIMAL(9, 2), b INTEGER)");
      db.run("INSERT INTO t VALUES (1.15, 1), (22, 2), (NULL, NULL)");
      assertThat(db.rows("SELECT ROUND(SUM(a) / SUM(b), 2), TRUNC(SUM(a) / 3), ROUND(2.5) FROM t"))
          .containsExactly("7.72|7|3");
    }
  }
}
