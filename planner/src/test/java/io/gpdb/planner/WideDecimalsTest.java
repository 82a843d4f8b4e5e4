package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TxnOptions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Decimals of 19 to 38 digits beside exact numbers of every other type, against a model of
 * BigDecimal. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class WideDecimalsTest {
  private static final int ROUNDS = 2;
  private static final int ROWS = 24;

  private static final Map<String, IntPredicate> COMPARISONS =
      Map.of(
          "=", c -> c == 0,
          "<>", c -> c != 0,
          "<", c -> c < 0,
          "<=", c -> c <= 0,
          ">", c -> c > 0,
          ">=", c -> c >= 0);

  private static final Map<String, BinaryOperator<BigDecimal>> OPERATIONS =
      Map.of("+", BigDecimal::add, "-", BigDecimal::subtract, "*", BigDecimal::multiply);

  /** An exact type and random values of it. */
  private record Type(String name, int digits, int scale) {
    static Type wide(Random random) {
      int digits = 19 + random.nextInt(20);
      return decimal(digits, random.nextInt(Math.min(digits, 30) + 1));
    }

    static Type decimal(int digits, int scale) {
      return new Type("DECIMAL(" + digits + ", " + scale + ")", digits, scale);
    }

    static Type any(Random random) {
      return switch (random.nextInt(5)) {
        case 0 -> new Type("BIGINT", 18, 0);
        case 1 -> new Type("INTEGER", 9, 0);
        case 2 -> decimal(9 + random.nextInt(10), random.nextInt(10));
        default -> wide(random);
      };
    }

    BigDecimal value(Random random) {
      BigDecimal value =
          switch (random.nextInt(5)) {
            case 0 -> new BigDecimal(BigInteger.TEN.pow(digits).subtract(BigInteger.ONE), scale);
            case 1 -> new BigDecimal(new BigInteger(random.nextInt(3 * digits), random), scale);
            default ->
                BigDecimal.valueOf(random.nextInt(8), random.nextInt(2))
                    .setScale(scale, RoundingMode.HALF_UP);
          };
      BigDecimal held = value.precision() > digits ? BigDecimal.ZERO.setScale(scale) : value;
      return random.nextBoolean() ? held : held.negate();
    }
  }

  private record Row(int id, @Nullable BigDecimal a, @Nullable BigDecimal b) {
    Object[] parameters() {
      return new @Nullable Object[] {id, a, b};
    }
  }

  /** One table of two columns, and what it holds. */
  private static final class Round {
    private final EndToEnd db;
    private final Random random;
    private final Type a;
    private final Type b;
    private final List<Row> rows = new ArrayList<>();
    private final String replay;

    Round(EndToEnd db, long seed) {
      this.db = db;
      random = new Random(seed);
      a = Type.wide(random);
      b = random.nextInt(4) == 0 ? a : Type.any(random);
      replay = "-Dgpdb.seed=%d: a %s, b %s: ".formatted(seed, a.name, b.name);
      for (int id = 0; id < ROWS; id++) {
        rows.add(
            new Row(
                id,
                random.nextInt(6) == 0 ? null : a.value(random),
                random.nextInt(6) == 0 ? null : b.value(random)));
      }
      db.run("DROP TABLE IF EXISTS t");
      db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, a " + a.name + ", b " + b.name + ")");
      List<@Nullable Object[]> batch = new ArrayList<>();
      rows.subList(0, ROWS / 2).forEach(row -> batch.add(row.parameters()));
      db.batch("INSERT INTO t VALUES (?, ?, ?)", batch);
      String literals =
          rows.subList(ROWS / 2, ROWS).stream()
              .map(row -> "(" + row.id + ", " + literal(row.a) + ", " + literal(row.b) + ")")
              .collect(Collectors.joining(", "));
      db.run("INSERT INTO t VALUES " + literals);
    }

    private static String literal(@Nullable BigDecimal value) {
      return value == null ? "NULL" : value.toPlainString();
    }

    private static String shown(@Nullable BigDecimal value) {
      return value == null ? "NULL" : value.toPlainString();
    }

    void check(String sql, Collection<String> expected, @Nullable Object... parameters) {
      assertThat(db.rows(sql, parameters))
          .as(replay + sql)
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(db.bridgeRows(sql, parameters))
          .as(replay + "by the bridge: " + sql)
          .containsExactlyInAnyOrderElementsOf(expected);
    }

    void comparisons() {
      BigDecimal bound = random.nextBoolean() ? b.value(random) : Type.wide(random).value(random);
      COMPARISONS.forEach(
          (operator, holds) -> {
            check("SELECT id FROM t WHERE a " + operator + " b", ids(r -> r.b, holds));
            check("SELECT id FROM t WHERE NOT b " + operator + " a", ids(r -> r.b, negated(holds)));
            check("SELECT id FROM t WHERE a " + operator + " ?", ids(r -> bound, holds), bound);
            check(
                "SELECT id FROM t WHERE a " + operator + " " + literal(bound),
                ids(r -> bound, holds));
          });
    }

    /** NOT b op a: the operands are the other way round. */
    private static IntPredicate negated(IntPredicate holds) {
      return c -> !holds.test(-c);
    }

    private List<String> ids(
        java.util.function.Function<Row, @Nullable BigDecimal> other, IntPredicate holds) {
      List<String> ids = new ArrayList<>();
      for (Row row : rows) {
        BigDecimal with = other.apply(row);
        if (row.a != null && with != null && holds.test(row.a.compareTo(with))) {
          ids.add("" + row.id);
        }
      }
      return ids;
    }

    void order() {
      Comparator<Row> byA =
          Comparator.comparing(Row::a, Comparator.nullsLast(Comparator.naturalOrder()));
      List<String> sorted =
          rows.stream()
              .sorted(byA.thenComparing(Row::id))
              .map(row -> row.id + "|" + shown(row.a))
              .toList();
      String order = "SELECT id, a FROM t ORDER BY a NULLS LAST, id";
      assertThat(db.rows(order)).as(replay + order).isEqualTo(sorted);
      assertThat(db.bridgeRows(order)).as(replay + order).isEqualTo(sorted);
      assertThat(db.rows(order + " LIMIT 5")).as(replay + order).isEqualTo(sorted.subList(0, 5));
    }

    void groups() {
      Map<String, List<Row>> groups = new TreeMap<>();
      rows.forEach(r -> groups.computeIfAbsent(shown(r.a), k -> new ArrayList<>()).add(r));
      check(
          "SELECT a, COUNT(*), COUNT(b), MIN(b), MAX(a) FROM t GROUP BY a",
          groups.entrySet().stream()
              .map(
                  g ->
                      g.getKey()
                          + ("|" + g.getValue().size())
                          + ("|" + g.getValue().stream().filter(r -> r.b != null).count())
                          + ("|" + shown(bs(g.getValue()).min(Comparator.naturalOrder())))
                          + ("|" + g.getKey()))
              .toList());
      check("SELECT DISTINCT a FROM t", groups.keySet());
      check(
          "SELECT COUNT(DISTINCT a), MIN(a), MAX(a) FROM t",
          List.of(
              (groups.size() - (groups.containsKey("NULL") ? 1 : 0))
                  + ("|" + shown(as(rows).min(Comparator.naturalOrder())))
                  + ("|" + shown(as(rows).max(Comparator.naturalOrder())))));
      sums(groups);
    }

    private void sums(Map<String, List<Row>> groups) {
      boolean fits =
          groups.values().stream()
              .allMatch(g -> as(g).reduce(BigDecimal.ZERO, BigDecimal::add).precision() <= 38);
      boolean averagesFit =
          as(rows).allMatch(x -> x.setScale(Math.max(a.scale, 6)).precision() <= 38);
      if (fits && !averagesFit) {
        assertThat(db.state("SELECT a, AVG(a) FROM t GROUP BY a")).as(replay).isEqualTo("22003");
      } else if (fits) {
        check(
            "SELECT a, SUM(a), AVG(a) = a FROM t GROUP BY a",
            groups.values().stream()
                .map(
                    g ->
                        shown(g.getFirst().a)
                            + ("|" + shown(as(g).reduce(BigDecimal::add)))
                            + (g.getFirst().a == null ? "|NULL" : "|TRUE"))
                .toList());
      }
      BigDecimal sum = as(rows).reduce(BigDecimal.ZERO, BigDecimal::add);
      if (sum.precision() > 38) {
        assertThat(db.state("SELECT SUM(a) FROM t")).as(replay).isEqualTo("22003");
      } else {
        check("SELECT SUM(a) FROM t", List.of(shown(sum)));
      }
    }

    private static String shown(java.util.Optional<BigDecimal> value) {
      return shown(value.orElse(null));
    }

    private static Stream<BigDecimal> as(List<Row> rows) {
      return rows.stream().flatMap(row -> Stream.ofNullable(row.a));
    }

    private static Stream<BigDecimal> bs(List<Row> rows) {
      return rows.stream().flatMap(row -> Stream.ofNullable(row.b));
    }

    void joins() {
      long pairs = as(rows).mapToLong(x -> bs(rows).filter(y -> x.compareTo(y) == 0).count()).sum();
      check("SELECT COUNT(*) FROM t x JOIN t y ON x.a = y.b", List.of("" + pairs));
      long same = as(rows).mapToLong(x -> as(rows).filter(x::equals).count()).sum();
      check("SELECT COUNT(*) FROM t x JOIN t y ON x.a = y.a", List.of("" + same));
      Set<BigDecimal> others =
          bs(rows).map(BigDecimal::stripTrailingZeros).collect(Collectors.toSet());
      List<String> within =
          rows.stream()
              .filter(r -> r.a != null && others.contains(r.a.stripTrailingZeros()))
              .map(r -> "" + r.id)
              .toList();
      check("SELECT id FROM t WHERE a IN (SELECT b FROM t)", within);
      check("SELECT id FROM t x WHERE EXISTS (SELECT * FROM t y WHERE y.b = x.a)", within);
    }

    void arithmetic() {
      OPERATIONS.forEach(
          (operator, exact) -> {
            String sql = "SELECT a " + operator + " b FROM t WHERE id = ?";
            SqlTypeSpec type =
                db.inTransaction(tx -> db.engine.prepare(sql, tx).columns().getFirst().type());
            for (Row row : rows) {
              String expected = expected(row, exact, type);
              assertThat(outcome(db.engine, sql, row.id)).as(replay + sql).isEqualTo(expected);
              String scanned = sql.replace("id = ?", "id + 0 = ?");
              assertThat(outcome(db.engine, scanned, row.id)).as(replay + sql).isEqualTo(expected);
            }
          });
    }

    private static String expected(Row row, BinaryOperator<BigDecimal> exact, SqlTypeSpec type) {
      if (row.a == null || row.b == null) {
        return "NULL";
      }
      BigDecimal value = exact.apply(row.a, row.b).setScale(type.scale(), RoundingMode.HALF_UP);
      return value.precision() > 38 ? "22003" : value.toPlainString();
    }

    private String outcome(QueryEngine engine, String sql, int id) {
      Transaction tx = db.begin();
      try {
        return EndToEnd.rows(engine, tx, sql, id).getFirst();
      } catch (GpdbException e) {
        return e.code().sqlState();
      } finally {
        tx.rollback();
      }
    }

    void sets() {
      Set<BigDecimal> left =
          as(rows).map(BigDecimal::stripTrailingZeros).collect(Collectors.toSet());
      Set<BigDecimal> right =
          bs(rows).map(BigDecimal::stripTrailingZeros).collect(Collectors.toSet());
      if (Math.max(a.digits - a.scale, b.digits + 1 - b.scale) + Math.max(a.scale, b.scale) > 38) {
        return; // no type holds both
      }
      Set<BigDecimal> all = new LinkedHashSet<>(left);
      all.addAll(right);
      String both = "(SELECT a FROM t WHERE a IS NOT NULL %s SELECT b FROM t WHERE b IS NOT NULL)";
      check("SELECT COUNT(*) FROM " + both.formatted("UNION"), List.of("" + all.size()));
      all.retainAll(left);
      all.retainAll(right);
      check("SELECT COUNT(*) FROM " + both.formatted("INTERSECT"), List.of("" + all.size()));
    }
  }

  @Test
  void theyAreComparedSortedGroupedJoinedAndComputedAsNumbers() {
    try (EndToEnd db = new EndToEnd()) {
      RandomSeeds.of(ROUNDS)
          .forEach(
              seed -> {
                Round round = new Round(db, seed);
                round.comparisons();
                round.order();
                round.groups();
                round.joins();
                round.arithmetic();
                round.sets();
              });
    }
  }

  @Test
  void changesAreUndoneAndFoundAgainAfterACrash(@TempDir Path path) {
    StorageDirectory directory = FileDirectory.open(path, true);
    EndToEnd db = new EndToEnd(directory, EmulatedOptions.standard(), TxnOptions.standard());
    db.run("CREATE TABLE k (w NUMERIC(25, 3) PRIMARY KEY, v NUMERIC(38, 2) DEFAULT 1e20, n INT)");
    List<@Nullable Object[]> batch = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      batch.add(new Object[] {BigDecimal.valueOf(i - 100).movePointRight(15), i, i});
    }
    db.batch("INSERT INTO k (w, v, n) VALUES (?, ?, ?)", batch);
    db.run("INSERT INTO k (w) VALUES (0.001)");
    assertThat(db.state("INSERT INTO k (w) VALUES (0.0005)")).isEqualTo("23505");
    Transaction tx = db.begin();
    db.batch(tx, "UPDATE k SET v = v * ? WHERE w = ?", List.<Object[]>of(new Object[] {-3, 0}));
    assertThat(db.rows(tx, "SELECT v FROM k WHERE w = 0.000")).containsExactly("-300.00");
    assertThat(EndToEnd.rows(db.engine, tx, "SELECT SUM(v) FROM k WHERE n = 100"))
        .containsExactly("-300.00");
    tx.rollback();
    db.run("UPDATE k SET v = v + 0.5 WHERE n < 10");
    db.run("UPDATE k SET v = ? WHERE w = ?", new BigDecimal("1e35"), new BigDecimal("5e15"));
    db.run("DELETE FROM k WHERE w < -1e16");
    List<String> rows = db.rows("SELECT * FROM k ORDER BY w");
    db.abandon();
    directory.close();
    try (EndToEnd again =
        new EndToEnd(
            FileDirectory.open(path, true), EmulatedOptions.standard(), TxnOptions.standard())) {
      assertThat(again.rows("SELECT * FROM k ORDER BY w")).isEqualTo(rows);
      assertThat(again.rows("SELECT v FROM k WHERE w = 5000000000000000"))
          .containsExactly("100000000000000000000000000000000000.00");
      assertThat(again.rows("SELECT v FROM k WHERE w = ?", new BigDecimal("0.001")))
          .containsExactly("100000000000000000000.00");
      assertThat(again.state("INSERT INTO k (w) VALUES (-1e15)")).isEqualTo("23505");
    }
  }
}
