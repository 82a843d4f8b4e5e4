package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Averages of exact numbers have the digits that docs/sql.md promises, and those of a model of
 * BigDecimal and of H2, wherever they are written. {@code -Dgpdb.seed=S} replays one round, {@code
 * -Dgpdb.fuzz=N} runs N rounds.
 */
class AveragesTest {
  private static final int ROUNDS = 6;
  private static final int GROUPS = 7;

  private record Row(int id, int g, boolean isOdd, @Nullable BigDecimal v) {}

  /** A table of one type of number, what it holds, and the type of its averages. */
  private static final class Round {
    private final EndToEnd db;
    private final OtherEngine h2;
    private final List<Row> rows = new ArrayList<>();
    private final String replay;
    private final int scale;

    Round(EndToEnd db, OtherEngine h2, long seed) throws SQLException {
      this.db = db;
      this.h2 = h2;
      Random random = new Random(seed);
      int digits = 1 + random.nextInt(random.nextBoolean() ? 18 : 34);
      int fraction = random.nextInt(Math.min(digits, 12) + 1);
      scale = scaleOf(digits, fraction);
      String type = "DECIMAL(" + digits + ", " + fraction + ")";
      replay = "-Dgpdb.seed=" + seed + ": " + type + ": ";
      int count = List.of(0, 1, 40, 700, 1500).get(random.nextInt(5));
      for (int id = 0; id < count; id++) {
        BigDecimal v = random.nextInt(6) == 0 ? null : value(random, digits, fraction, count);
        rows.add(new Row(id, random.nextInt(GROUPS), id % 2 == 1, v));
      }
      create("CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, odd BOOLEAN, v " + type + ")");
      if (count > 0) {
        String values =
            rows.stream()
                .map(r -> "(" + r.id + ", " + r.g + ", " + r.isOdd + ", " + literal(r.v) + ")")
                .collect(Collectors.joining(", "));
        create("INSERT INTO t VALUES " + values);
      }
    }

    /** As docs/sql.md says it, by cases. */
    private static int scaleOf(int digits, int fraction) {
      int whole = digits - fraction;
      if (fraction >= 6) {
        return fraction;
      }
      boolean isWide = digits > 18 || whole + Math.min(fraction + 3, 6) > 18;
      return isWide ? 6 : Math.min(6, 18 - whole);
    }

    /** The sum of as many of these has no more digits than SUM has. */
    private static BigDecimal value(Random random, int digits, int fraction, int count) {
      int room = (digits > 18 ? 38 : 18) - String.valueOf(count).length();
      BigInteger end = BigInteger.TEN.pow(Math.min(digits, room));
      BigInteger value =
          random.nextBoolean()
              ? new BigInteger(130, random).mod(end)
              : BigInteger.valueOf(random.nextInt(1000)).mod(end);
      return new BigDecimal(random.nextBoolean() ? value : value.negate(), fraction);
    }

    private void create(String sql) throws SQLException {
      db.run(sql);
      h2.run(sql);
    }

    private static String literal(@Nullable BigDecimal value) {
      return value == null ? "NULL" : value.toPlainString();
    }

    private @Nullable BigDecimal average(Stream<Row> of, boolean distinct) {
      Stream<BigDecimal> present = of.flatMap(row -> Stream.ofNullable(row.v));
      List<BigDecimal> values = (distinct ? present.distinct() : present).toList();
      if (values.isEmpty()) {
        return null;
      }
      BigDecimal sum = values.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
      return sum.divide(BigDecimal.valueOf(values.size()), scale, RoundingMode.HALF_UP);
    }

    private Map<Integer, List<Row>> groups() {
      return rows.stream()
          .collect(Collectors.groupingBy(Row::g, TreeMap::new, Collectors.toList()));
    }

    private void check(String sql, List<String> expected) {
      assertThat(db.rows(sql)).as(replay + sql).isEqualTo(expected);
      List<String> byHost = db.inTransaction(tx -> EndToEnd.rows(db.unshared, tx, sql));
      assertThat(byHost).as(replay + "few rows by the host: " + sql).isEqualTo(expected);
    }

    void type() {
      SqlTypeSpec type =
          db.inTransaction(tx -> db.engine.prepare("SELECT AVG(v) FROM t", tx))
              .columns()
              .getFirst()
              .type();
      assertThat(type.scale()).as(replay).isEqualTo(scale);
    }

    void groupsOfAllKinds() {
      List<String> all = new ArrayList<>();
      groups()
          .forEach(
              (g, of) ->
                  all.add(
                      g
                          + ("|" + literal(average(of.stream(), false)))
                          + ("|" + literal(average(of.stream(), true)))
                          + ("|" + literal(average(of.stream().filter(Row::isOdd), false)))));
      String calls = "AVG(v), AVG(DISTINCT v), AVG(v) FILTER (WHERE odd)";
      check("SELECT g, " + calls + " FROM t GROUP BY g ORDER BY g", all);
      String total =
          literal(average(rows.stream(), false))
              + ("|" + literal(average(rows.stream(), true)))
              + ("|" + literal(average(rows.stream().filter(Row::isOdd), false)));
      check("SELECT " + calls + " FROM t", List.of(total));
      all.add("NULL|" + total);
      check("SELECT g, " + calls + " FROM t GROUP BY ROLLUP (g) ORDER BY g NULLS LAST", all);
    }

    void conditionsAndOrder() {
      BigDecimal bound = average(rows.stream(), false);
      List<Map.Entry<BigDecimal, Integer>> averages = new ArrayList<>();
      groups()
          .forEach(
              (g, of) -> {
                BigDecimal average = average(of.stream(), false);
                if (average != null && average.compareTo(bound) >= 0) {
                  averages.add(Map.entry(average, g));
                }
              });
      averages.sort(
          Map.Entry.<BigDecimal, Integer>comparingByKey()
              .reversed()
              .thenComparing(Map.Entry::getValue));
      check(
          "SELECT g, AVG(v) x FROM t GROUP BY g HAVING AVG(v) >= (SELECT AVG(v) FROM t)"
              + " ORDER BY x DESC, g",
          averages.stream().map(e -> e.getValue() + "|" + literal(e.getKey())).toList());
      check("SELECT id FROM t WHERE v > (SELECT AVG(v) FROM t) ORDER BY id", ids(row -> bound));
      Map<Integer, List<Row>> groups = groups();
      check(
          "SELECT id FROM t o WHERE v > (SELECT AVG(v) FROM t i WHERE i.g = o.g) ORDER BY id",
          ids(row -> average(groups.get(row.g).stream(), false)));
      check(
          "SELECT id FROM t o JOIN (SELECT g, AVG(v) x FROM t GROUP BY g) q USING (g)"
              + " WHERE v > x ORDER BY id",
          ids(row -> average(groups.get(row.g).stream(), false)));
    }

    private List<String> ids(Function<Row, @Nullable BigDecimal> below) {
      List<String> ids = new ArrayList<>();
      for (Row row : rows) {
        BigDecimal bound = row.v == null ? null : below.apply(row);
        if (bound != null && row.v.compareTo(bound) > 0) {
          ids.add("" + row.id);
        }
      }
      return ids;
    }

    void windows() {
      Map<Integer, List<Row>> groups = groups();
      List<String> whole = new ArrayList<>();
      List<String> moving = new ArrayList<>();
      for (Row row : rows) {
        List<Row> of = groups.get(row.g);
        int place = of.indexOf(row);
        List<Row> frame = of.subList(Math.max(0, place - 2), Math.min(of.size(), place + 2));
        whole.add(row.id + "|" + literal(average(of.stream(), false)));
        moving.add(row.id + "|" + literal(average(frame.stream(), false)));
      }
      check("SELECT id, AVG(v) OVER (PARTITION BY g) FROM t ORDER BY id", whole);
      check(
          "SELECT id, AVG(v) OVER (PARTITION BY g ORDER BY id"
              + " ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) FROM t ORDER BY id",
          moving);
    }

    /** H2 has ten digits more than the argument, cut or rounded. */
    void otherEngine() {
      String sql = "SELECT g, AVG(v), AVG(DISTINCT v) FROM t GROUP BY g";
      List<String> others = h2.rows(sql);
      assertThat(others).as(replay + sql).isNotNull();
      List<String> own = db.rows(sql).stream().sorted(Comparator.naturalOrder()).toList();
      assertThat(own).hasSameSizeAs(others);
      BigDecimal half = BigDecimal.valueOf(6, scale + 1);
      for (int i = 0; i < own.size(); i++) {
        String[] found = own.get(i).split("\\|");
        String[] expected = others.get(i).split("\\|");
        for (int column = 0; column < found.length; column++) {
          if (found[column].equals("NULL")) {
            assertThat(expected[column]).as(replay + sql).isEqualTo("NULL");
          } else {
            assertThat(new BigDecimal(found[column]))
                .as(replay + sql)
                .isCloseTo(
                    new BigDecimal(expected[column]), org.assertj.core.data.Offset.offset(half));
          }
        }
      }
    }
  }

  @Test
  void theyHaveTheDigitsOfTheModel() {
    RandomSeeds.besideH2(
        ROUNDS,
        "averages",
        (seed, db, h2) -> {
          Round round = new Round(db, h2, seed);
          round.type();
          round.groupsOfAllKinds();
          round.conditionsAndOrder();
          round.windows();
          round.otherEngine();
        });
  }

  @Test
  void anAverageKeepsWhatItsTypePromises() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a DECIMAL(18, 2), b DECIMAL(15, 2), c DECIMAL(38, 2))");
      db.run("INSERT INTO t VALUES (1.00, 1.00, 1.00), (1.00, 1.00, 1.00), (2.00, 2.00, 3.00)");
      assertThat(db.rows("SELECT AVG(a), AVG(b), AVG(c), AVG(SUM(b)) OVER () FROM t"))
          .containsExactly("1.333333|1.33333|1.666667|4.000000");
      assertThat(db.rows("SELECT AVG(a) * 100 / 3, ABS(2 - AVG(a)) / AVG(a) FROM t"))
          .containsExactly("44.444433333333|0.500000375000094");
    }
  }
}
