package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Comparisons of exact numbers of random types and values are those of {@link BigDecimal}, with
 * kernels and through the bridge. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N}
 * runs N rounds.
 */
class ExactComparisonsTest {
  private static final int ROUNDS = 2;
  private static final int COLUMNS = 5;
  private static final int PAIRS = 2;
  private static final int ROWS = 24;

  private enum Operator {
    LESS("<", order -> order < 0),
    LESS_OR_EQUAL("<=", order -> order <= 0),
    EQUAL("=", order -> order == 0),
    UNEQUAL("<>", order -> order != 0),
    GREATER_OR_EQUAL(">=", order -> order >= 0),
    GREATER(">", order -> order > 0);

    private final String sign;
    private final IntPredicate holds;

    Operator(String sign, IntPredicate holds) {
      this.sign = sign;
      this.holds = holds;
    }

    /** True, false, or null where a value is NULL. */
    @Nullable Boolean of(@Nullable BigDecimal a, @Nullable BigDecimal b) {
      return a == null || b == null ? null : holds.test(a.compareTo(b));
    }
  }

  /** An exact type: an integer type by its name, or a DECIMAL. */
  private record ExactType(String name, int scale, BigDecimal least, BigDecimal most) {
    static ExactType integer(String name, long least, long most) {
      return new ExactType(name, 0, BigDecimal.valueOf(least), BigDecimal.valueOf(most));
    }

    static ExactType decimal(int precision, int scale) {
      BigInteger digits = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
      BigDecimal most = new BigDecimal(digits, scale);
      return new ExactType("DECIMAL(" + precision + "," + scale + ")", scale, most.negate(), most);
    }

    static ExactType random(Random random) {
      return switch (random.nextInt(11)) {
        case 0 -> integer("SMALLINT", Short.MIN_VALUE, Short.MAX_VALUE);
        case 1 -> integer("INTEGER", Integer.MIN_VALUE, Integer.MAX_VALUE);
        case 2, 3 -> integer("BIGINT", Long.MIN_VALUE, Long.MAX_VALUE);
        case 4 -> decimal(18, 0);
        case 5, 6 -> decimal(18, random.nextInt(19));
        case 7, 8 -> {
          int precision = 19 + random.nextInt(20);
          yield decimal(precision, random.nextInt(precision + 1));
        }
        default -> {
          int precision = 1 + random.nextInt(18);
          yield decimal(precision, random.nextInt(precision + 1));
        }
      };
    }

    /** The value rounded to this type, or its nearest bound. */
    BigDecimal held(BigDecimal value, RoundingMode mode) {
      return value.setScale(scale, mode).max(least).min(most);
    }
  }

  private final List<String> problems = new ArrayList<>();

  @Test
  void comparisonsAreThoseOfMathematics() {
    RandomSeeds.of(ROUNDS).forEach(this::round);
    assertThat(problems).isEmpty();
  }

  private void round(long seed) {
    Random random = new Random(seed);
    List<ExactType> types = new ArrayList<>();
    for (int i = 0; i < COLUMNS; i++) {
      types.add(ExactType.random(random));
    }
    List<List<@Nullable BigDecimal>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(row(random, types));
    }
    try (EndToEnd db = new EndToEnd()) {
      create(db, types, rows);
      for (int pair = 0; pair < PAIRS; pair++) {
        int left = random.nextInt(COLUMNS);
        int right = random.nextInt(COLUMNS);
        String at =
            "-Dgpdb.seed="
                + seed
                + " "
                + types.get(left).name()
                + ", "
                + types.get(right).name()
                + ": ";
        columns(db, at, rows, left, right);
        joins(db, at, rows, left, right);
        BigDecimal number = literal(value(random, types));
        Operator[] operators = Operator.values();
        literals(db, at, rows, left, number, operators[random.nextInt(operators.length)]);
        lists(db, at, rows, left, List.of(number, value(random, types), value(random, types)));
      }
    }
  }

  /** A value near an edge of one of the types, or near zero. */
  private static BigDecimal value(Random random, List<ExactType> types) {
    ExactType type = types.get(random.nextInt(types.size()));
    BigDecimal unit = BigDecimal.ONE.movePointLeft(type.scale());
    BigDecimal base =
        switch (random.nextInt(5)) {
          case 0 -> type.least();
          case 1 -> type.most();
          case 2 -> new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(19));
          default -> BigDecimal.valueOf(random.nextInt(7) - 3);
        };
    return switch (random.nextInt(4)) {
      case 0 -> base.add(unit);
      case 1 -> base.subtract(unit);
      case 2 -> base.add(new BigDecimal("0.5"));
      default -> base;
    };
  }

  /** A row whose values are often one value, as far as the types hold it. */
  private static List<@Nullable BigDecimal> row(Random random, List<ExactType> types) {
    List<@Nullable BigDecimal> row = new ArrayList<>();
    BigDecimal shared = value(random, types);
    for (ExactType type : types) {
      RoundingMode mode = random.nextBoolean() ? RoundingMode.FLOOR : RoundingMode.CEILING;
      BigDecimal own = random.nextInt(3) > 0 ? shared : value(random, types);
      row.add(random.nextInt(12) == 0 ? null : type.held(own, mode));
    }
    return row;
  }

  private static void create(
      EndToEnd db, List<ExactType> types, List<List<@Nullable BigDecimal>> rows) {
    StringBuilder table = new StringBuilder("CREATE TABLE t (id INTEGER PRIMARY KEY");
    for (int i = 0; i < types.size(); i++) {
      table.append(", c").append(i).append(' ').append(types.get(i).name());
    }
    db.run(table.append(")").toString());
    for (int i = 0; i < rows.size(); i++) {
      String values =
          rows.get(i).stream()
              .map(value -> value == null ? "NULL" : "'" + value.toPlainString() + "'")
              .collect(Collectors.joining(", "));
      db.run("INSERT INTO t VALUES (" + i + ", " + values + ")");
    }
  }

  private void columns(
      EndToEnd db, String at, List<List<@Nullable BigDecimal>> rows, int left, int right) {
    List<String> terms = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (Operator operator : Operator.values()) {
      terms.add("c" + left + " " + operator.sign + " c" + right);
    }
    terms.add("c" + left + " IS DISTINCT FROM c" + right);
    terms.add("c" + left + " IN (c" + right + ", NULL)");
    terms.add("c" + left + " NOT BETWEEN c" + right + " AND c" + right);
    terms.add("CASE c" + left + " WHEN c" + right + " THEN 1 ELSE 0 END");
    terms.add("(id, c" + left + ") = (id, c" + right + ")");
    for (int i = 0; i < rows.size(); i++) {
      BigDecimal a = rows.get(i).get(left);
      BigDecimal b = rows.get(i).get(right);
      StringBuilder line = new StringBuilder().append(i);
      for (Operator operator : Operator.values()) {
        line.append('|').append(text(operator.of(a, b)));
      }
      Boolean equal = Operator.EQUAL.of(a, b);
      line.append('|').append(text(equal == null ? (a == null) != (b == null) : !equal));
      line.append('|').append(Boolean.TRUE.equals(equal) ? "TRUE" : "NULL");
      line.append('|').append(text(Operator.UNEQUAL.of(a, b)));
      line.append('|').append(Boolean.TRUE.equals(equal) ? 1 : 0);
      line.append('|').append(text(equal));
      expected.add(line.toString());
    }
    check(db, at, "SELECT id, " + String.join(", ", terms) + " FROM t", expected);
  }

  /** Joins and subqueries, which compare each row with each. */
  private void joins(
      EndToEnd db, String at, List<List<@Nullable BigDecimal>> rows, int left, int right) {
    List<String> pairs = new ArrayList<>();
    List<String> in = new ArrayList<>();
    List<String> notIn = new ArrayList<>();
    List<String> below = new ArrayList<>();
    List<String> counts = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      int found = 0;
      boolean lesser = false;
      for (int j = 0; j < rows.size(); j++) {
        BigDecimal a = rows.get(i).get(left);
        BigDecimal b = rows.get(j).get(right);
        if (Boolean.TRUE.equals(Operator.EQUAL.of(a, b))) {
          pairs.add(i + "|" + j);
          found++;
        }
        lesser |= Boolean.TRUE.equals(Operator.LESS.of(a, b));
      }
      (found > 0 ? in : notIn).add(String.valueOf(i));
      counts.add(i + "|" + found);
      if (lesser) {
        below.add(String.valueOf(i));
      }
    }
    notIn.removeIf(id -> rows.get(Integer.parseInt(id)).get(left) == null);
    String a = "c" + left;
    String b = "c" + right;
    check(db, at, "SELECT l.id, r.id FROM t l JOIN t r ON l." + a + " = r." + b, pairs);
    check(
        db,
        at,
        "SELECT l.i, r.j FROM (SELECT id AS i, "
            + a
            + " AS k FROM t) l JOIN (SELECT id AS j, "
            + b
            + " AS k FROM t) r USING (k)",
        pairs);
    check(db, at, "SELECT id FROM t WHERE " + a + " IN (SELECT " + b + " FROM t)", in);
    check(db, at, "SELECT id FROM t WHERE " + a + " = ANY (SELECT " + b + " FROM t)", in);
    check(
        db,
        at,
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t r WHERE r." + b + " = t." + a + ")",
        in);
    check(
        db,
        at,
        "SELECT id FROM t WHERE "
            + a
            + " NOT IN (SELECT "
            + b
            + " FROM t WHERE "
            + b
            + " IS NOT NULL)",
        notIn);
    check(
        db,
        at,
        "SELECT id, (SELECT COUNT(*) FROM t r WHERE r." + b + " = t." + a + ") FROM t",
        counts);
    check(db, at, "SELECT id FROM t WHERE " + a + " < SOME (SELECT " + b + " FROM t)", below);
  }

  /** The number with the digits that a literal may have. */
  private static BigDecimal literal(BigDecimal number) {
    BigDecimal value = number;
    while (value.scale() > 0 && (value.precision() > 18 || value.scale() > 18)) {
      value = value.setScale(value.scale() - 1, RoundingMode.DOWN);
    }
    return value.toBigInteger().bitLength() > 63 ? BigDecimal.TEN : value;
  }

  /** A literal on either side: in conditions, of which texts may share a plan, and in results. */
  private void literals(
      EndToEnd db,
      String at,
      List<List<@Nullable BigDecimal>> rows,
      int column,
      BigDecimal b,
      Operator chosen) {
    String c = "c" + column;
    String number = b.toPlainString();
    List<String> terms = new ArrayList<>();
    for (Operator operator : Operator.values()) {
      terms.add(c + " " + operator.sign + " " + number);
      terms.add(number + " " + operator.sign + " " + c);
    }
    terms.add(c + " NOT IN (" + number + ")");
    terms.add("(" + c + ", 1) IN ((" + number + ", 1))");
    terms.add(c + " NOT BETWEEN SYMMETRIC " + number + " AND " + number);
    terms.add(c + " IS NOT DISTINCT FROM " + number);
    terms.add(c + " = (SELECT " + number + " FROM t WHERE id = 0)");
    terms.add("CASE " + c + " WHEN " + number + " THEN 1 ELSE 0 END");
    List<String> expected = new ArrayList<>();
    List<String> holds = new ArrayList<>();
    List<String> not = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      BigDecimal a = rows.get(i).get(column);
      StringBuilder line = new StringBuilder().append(i);
      for (Operator operator : Operator.values()) {
        line.append('|').append(text(operator.of(a, b)));
        line.append('|').append(text(operator.of(b, a)));
      }
      String equal = text(Operator.EQUAL.of(a, b));
      String unequal = text(Operator.UNEQUAL.of(a, b));
      boolean same = equal.equals("TRUE");
      line.append('|').append(unequal).append('|').append(equal).append('|').append(unequal);
      line.append('|')
          .append(text(same))
          .append('|')
          .append(equal)
          .append('|')
          .append(same ? 1 : 0);
      expected.add(line.toString());
      if (Boolean.TRUE.equals(chosen.of(a, b))) {
        holds.add(String.valueOf(i));
      } else if (a != null) {
        not.add(String.valueOf(i));
      }
    }
    check(db, at, "SELECT id, " + String.join(", ", terms) + " FROM t", expected);
    String compared = c + " " + chosen.sign + " " + number;
    check(db, at, "SELECT id FROM t WHERE " + compared, holds);
    check(db, at, "SELECT id FROM t WHERE NOT " + compared, not);
    check(db, at, "SELECT id FROM t WHERE " + c + " " + chosen.sign + " '" + number + "'", holds);
  }

  /** Several literals, which a plan may take together, and a range between two. */
  private void lists(
      EndToEnd db,
      String at,
      List<List<@Nullable BigDecimal>> rows,
      int column,
      List<BigDecimal> values) {
    List<BigDecimal> numbers = values.stream().map(ExactComparisonsTest::literal).toList();
    BigDecimal least = numbers.get(1);
    BigDecimal most = numbers.get(2);
    List<String> in = new ArrayList<>();
    List<String> not = new ArrayList<>();
    List<String> within = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      BigDecimal a = rows.get(i).get(column);
      if (a != null) {
        (numbers.stream().anyMatch(b -> a.compareTo(b) == 0) ? in : not).add(String.valueOf(i));
        if (a.compareTo(least) > 0 && a.compareTo(most) <= 0) {
          within.add(String.valueOf(i));
        }
      }
    }
    String c = "c" + column;
    String list = numbers.stream().map(BigDecimal::toPlainString).collect(Collectors.joining(", "));
    check(db, at, "SELECT id FROM t WHERE " + c + " IN (" + list + ")", in);
    check(db, at, "SELECT id FROM t WHERE " + c + " NOT IN (" + list + ")", not);
    check(
        db,
        at,
        "SELECT id FROM t WHERE "
            + c
            + " > "
            + least.toPlainString()
            + " AND "
            + c
            + " <= "
            + most.toPlainString(),
        within);
  }

  private static String text(@Nullable Boolean truth) {
    return truth == null ? "NULL" : truth ? "TRUE" : "FALSE";
  }

  private void check(EndToEnd db, String at, String sql, List<String> expected) {
    if (db.rows("EXPLAIN " + sql).toString().contains("enumerable")) {
      problems.add(at + "by the bridge: " + sql);
    }
    for (boolean kernels : new boolean[] {true, false}) {
      String answer;
      try {
        answer = sorted(kernels ? db.rows(sql) : db.bridgeRows(sql));
      } catch (RuntimeException | AssertionError e) {
        answer = e.toString();
      }
      if (!answer.equals(sorted(expected))) {
        problems.add(
            at
                + (kernels ? "kernels: " : "bridge: ")
                + sql
                + "\n    gives   "
                + answer
                + "\n    and not "
                + sorted(expected));
      }
    }
  }

  private static String sorted(List<String> rows) {
    return rows.stream().sorted().toList().toString();
  }
}
