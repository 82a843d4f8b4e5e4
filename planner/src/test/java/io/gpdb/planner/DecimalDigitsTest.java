package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Kernels leave checks of decimals out where the digits of the operands say that nothing can be
 * beyond 18 digits: beside {@link BigDecimal}, for operands at the ends of their types.
 */
class DecimalDigitsTest {
  private static final int ROWS = 40;

  /** Products of such operands keep all digits after the point. */
  private static final int SCALE_MAX = 2;

  /** An expression over a and b in both worlds. */
  private record Computed(String sql, BinaryOperator<BigDecimal> value) {}

  private static final List<Computed> ALL =
      List.of(
          new Computed("a + b", BigDecimal::add),
          new Computed("a - b", BigDecimal::subtract),
          new Computed("a * b", BigDecimal::multiply),
          new Computed("1 - a", (a, _) -> BigDecimal.ONE.subtract(a)),
          new Computed("a + a - b", (a, b) -> a.add(a).subtract(b)),
          new Computed("(a + 1) * 2", (a, _) -> a.add(BigDecimal.ONE).multiply(BigDecimal.TWO)),
          new Computed("-a - b", (a, b) -> a.negate().subtract(b)),
          new Computed(
              "(a - b) * (1 + b)", (a, b) -> a.subtract(b).multiply(b.add(BigDecimal.ONE))));

  @Test
  void errorsAreThoseBeyond18Digits() {
    RandomSeeds.of(20).forEach(DecimalDigitsTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    int[] digits = {digits(random), digits(random)};
    if (random.nextInt(3) == 0) {
      digits[1] = 19 - digits[0]; // a product of them may have one digit too many
    }
    int[] scales = {
      Math.min(digits[0], random.nextInt(SCALE_MAX + 1)),
      Math.min(digits[1], random.nextInt(SCALE_MAX + 1))
    };
    boolean extreme = random.nextBoolean();
    BigDecimal[][] rows = new BigDecimal[ROWS][2];
    StringBuilder values = new StringBuilder();
    for (BigDecimal[] row : rows) {
      for (int i = 0; i < 2; i++) {
        row[i] = new BigDecimal(value(random, digits[i], extreme), scales[i]);
      }
      values.append(values.isEmpty() ? "" : ", ").append("(%s, %s)".formatted(row[0], row[1]));
    }
    try (EndToEnd db = new EndToEnd()) {
      db.run(
          "CREATE TABLE t (a DECIMAL(%d, %d), b DECIMAL(%d, %d))"
              .formatted(digits[0], scales[0], digits[1], scales[1]));
      db.run("INSERT INTO t VALUES " + values);
      for (Computed each : ALL) {
        String sql = "SELECT " + each.sql + " FROM t WHERE a < b OR b <= a";
        String as = "-Dgpdb.seed=%d: %s of %s".formatted(seed, sql, values);
        List<String> expected = new ArrayList<>();
        boolean fits = true;
        for (BigDecimal[] row : rows) {
          BigDecimal value = each.value.apply(row[0], row[1]);
          fits &= value.unscaledValue().abs().compareTo(BigInteger.TEN.pow(18)) < 0;
          expected.add(value.toPlainString());
        }
        if (fits) {
          assertThat(db.rows(sql)).as(as).isEqualTo(expected);
        } else if (!each.sql.contains("a + a")) { // whose first sum may leave it, too
          assertThat(db.state(sql)).as(as).isEqualTo("22003");
        }
      }
    }
  }

  private static int digits(Random random) {
    return random.nextBoolean() ? 17 + random.nextInt(2) : 1 + random.nextInt(18);
  }

  /** With up to that many digits; an extreme one is next to the end of what these hold. */
  private static BigInteger value(Random random, int digits, boolean extreme) {
    BigInteger end = BigInteger.TEN.pow(digits);
    BigInteger value =
        extreme
            ? end.subtract(BigInteger.valueOf(1 + random.nextInt(2)))
            : new BigInteger(1 + random.nextInt(end.bitLength()), random).mod(end);
    return random.nextBoolean() ? value.negate() : value;
  }
}
