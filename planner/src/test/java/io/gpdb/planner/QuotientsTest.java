package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Quotients of exact numbers have the digits that docs/sql.md promises, and those of a model of
 * BigDecimal and of H2, by kernels, by the host and through the bridge. {@code -Dgpdb.seed=S}
 * replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class QuotientsTest {
  private static final int ROUNDS = 12;
  private static final int GROUPS = 5;

  /** A type of exact numbers: its name, digits before the point and after it. */
  private record Exact(String name, int whole, int scale) {
    static Exact of(Random random) {
      return switch (random.nextInt(8)) {
        case 0 -> new Exact("SMALLINT", 5, 0);
        case 1 -> new Exact("INTEGER", 10, 0);
        case 2 -> new Exact("BIGINT", 19, 0);
        default -> decimal(random);
      };
    }

    static Exact decimal(Random random) {
      int[] most = {6, 12, 18, 18, 30};
      int digits = 1 + random.nextInt(most[random.nextInt(most.length)]);
      int scale = random.nextInt(Math.min(digits, 9) + 1);
      return new Exact("DECIMAL(" + digits + ", " + scale + ")", digits - scale, scale);
    }

    boolean isWide() {
      return whole + scale > 18 && !name.equals("BIGINT");
    }

    /** The greatest number that surely is one. */
    BigInteger end() {
      return switch (name) {
        case "SMALLINT" -> BigInteger.valueOf(Short.MAX_VALUE);
        case "INTEGER" -> BigInteger.valueOf(Integer.MAX_VALUE);
        case "BIGINT" -> BigInteger.valueOf(Long.MAX_VALUE);
        default -> BigInteger.TEN.pow(whole + scale).subtract(BigInteger.ONE);
      };
    }

    BigDecimal value(Random random) {
      BigInteger end = end();
      BigInteger some =
          switch (random.nextInt(5)) {
            case 0 -> end;
            case 1 -> BigInteger.ONE;
            case 2 -> BigInteger.valueOf(1 + random.nextInt(1000)).min(end);
            default -> new BigInteger(130, random).mod(end).add(BigInteger.ONE);
          };
      return new BigDecimal(random.nextBoolean() ? some : some.negate(), scale);
    }
  }

  private record Row(int id, int g, @Nullable BigDecimal a, @Nullable BigDecimal b) {}

  /** A table of two numbers, and their quotient's digits after the point. */
  private static final class Round {
    private final EndToEnd db;
    private final OtherEngine h2;
    private final List<Row> rows = new ArrayList<>();
    private final Exact dividend;
    private final Exact divisor;
    private final String replay;
    private final int whole;
    private final int scale;
    private final boolean isWide;

    Round(EndToEnd db, OtherEngine h2, long seed) throws SQLException {
      this.db = db;
      this.h2 = h2;
      Random random = new Random(seed);
      boolean first = random.nextBoolean();
      dividend = first ? Exact.decimal(random) : Exact.of(random);
      divisor = first ? Exact.of(random) : Exact.decimal(random);
      replay = "-Dgpdb.seed=" + seed + ": " + dividend.name + " / " + divisor.name + ": ";
      whole = dividend.whole + divisor.scale;
      int least = Math.max(6, dividend.scale);
      isWide = dividend.isWide() || divisor.isWide() || whole + least > 18;
      scale = scaleOf(least);
      int count = List.of(0, 1, 33, 700).get(random.nextInt(4));
      for (int id = 0; id < count; id++) {
        BigDecimal a = random.nextInt(7) == 0 ? null : dividend.value(random);
        BigDecimal b = random.nextInt(7) == 0 ? null : divisor.value(random);
        rows.add(new Row(id, random.nextInt(GROUPS), a, b));
      }
      String columns = "g INTEGER, a " + dividend.name + ", b " + divisor.name;
      create("CREATE TABLE t (id INTEGER PRIMARY KEY, " + columns + ")");
      if (count > 0) {
        String values =
            rows.stream()
                .map(r -> "(" + r.id + ", " + r.g + ", " + text(r.a) + ", " + text(r.b) + ")")
                .collect(Collectors.joining(", "));
        create("INSERT INTO t VALUES " + values);
      }
    }

    /** As docs/sql.md says it, by cases. */
    private int scaleOf(int least) {
      int telling = dividend.scale + divisor.whole + divisor.scale + 1;
      if (isWide) {
        return Math.max(6, Math.min(Math.max(least, telling), 38 - whole));
      }
      return telling >= 6 && whole + telling <= 12 ? telling : least;
    }

    private void create(String sql) throws SQLException {
      db.run(sql);
      h2.run(sql);
    }

    private static String text(@Nullable BigDecimal value) {
      return value == null ? "NULL" : value.toPlainString();
    }

    private @Nullable BigDecimal quotient(Row row) {
      return row.a == null || row.b == null
          ? null
          : row.a.divide(row.b, scale, RoundingMode.HALF_UP);
    }

    private void check(String sql, List<String> expected) {
      assertThat(db.rows(sql)).as(replay + sql).isEqualTo(expected);
      List<String> byHost = db.inTransaction(tx -> EndToEnd.rows(db.unshared, tx, sql));
      assertThat(byHost).as(replay + "few rows by the host: " + sql).isEqualTo(expected);
      List<String> byBridge = db.inTransaction(tx -> EndToEnd.rows(db.bridge, tx, sql));
      assertThat(byBridge).as(replay + "through the bridge: " + sql).isEqualTo(expected);
    }

    void type() {
      SqlTypeSpec type =
          db.inTransaction(tx -> db.engine.prepare("SELECT a / b FROM t", tx))
              .columns()
              .getFirst()
              .type();
      assertThat(type)
          .as(replay)
          .isEqualTo(SqlTypeSpec.decimal(Math.min(38, whole + scale), scale));
      assertThat(type.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL).as(replay).isEqualTo(isWide);
    }

    void rowsAndConditions() {
      check(
          "SELECT id, a / b FROM t ORDER BY id",
          rows.stream().map(row -> row.id + "|" + text(quotient(row))).toList());
      List<String> above = new ArrayList<>();
      for (Row row : rows) {
        BigDecimal quotient = quotient(row);
        if (quotient != null && quotient.compareTo(new BigDecimal("0.5")) > 0) {
          above.add("" + row.id);
        }
      }
      check("SELECT id FROM t WHERE a / b > 0.5 ORDER BY id", above);
      check("SELECT id FROM t WHERE a / NULLIF(b - b, 0) > 0.5 OR a / b > 0.5 ORDER BY id", above);
    }

    /** Those are left out whose sum needs more digits than it has. */
    void groups() {
      int most = (isWide ? 38 : 18) - scale - 4;
      BigDecimal end = BigDecimal.TEN.pow(Math.max(0, most));
      Map<Integer, BigDecimal> sums = new TreeMap<>();
      for (Row row : rows) {
        BigDecimal quotient = quotient(row);
        if (quotient != null && quotient.abs().compareTo(end) < 0) {
          sums.merge(row.g, quotient, BigDecimal::add);
        }
      }
      check(
          "SELECT g, SUM(a / b) FROM t WHERE ABS(a / b) < " + end + " GROUP BY g ORDER BY g",
          sums.entrySet().stream().map(e -> e.getKey() + "|" + text(e.getValue())).toList());
    }

    /** H2 has as many digits or more, cut or rounded; fewer where those are many. */
    void otherEngine() {
      String sql = "SELECT id, CAST(a AS DECIMAL(60, 30)) / b FROM t";
      List<String> others = h2.rows(sql);
      assertThat(others).as(replay + sql).isNotNull();
      Map<Integer, String> found = new TreeMap<>();
      for (String other : others) {
        String[] parts = other.split("\\|");
        found.put(Integer.parseInt(parts[0]), parts[1]);
      }
      BigDecimal half = BigDecimal.valueOf(6, scale + 1);
      for (Row row : rows) {
        BigDecimal own = quotient(row);
        String other = found.get(row.id);
        if (own == null) {
          assertThat(other).as(replay + row).isEqualTo("NULL");
        } else {
          assertThat(own).as(replay + row).isCloseTo(new BigDecimal(other), Offset.offset(half));
        }
      }
    }
  }

  @Test
  void theyHaveTheDigitsOfTheModel() {
    RandomSeeds.besideH2(
        ROUNDS,
        "quotients",
        (seed, db, h2) -> {
          Round round = new Round(db, h2, seed);
          round.type();
          round.rowsAndConditions();
          round.groups();
          round.otherEngine();
        });
  }

  @Test
  void whatIsMultipliedAfterADivisionKeepsItsDigits() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a DECIMAL(15, 2), n INTEGER)");
      db.run("INSERT INTO t VALUES (328274.64, 7), (663317.86, 102)");
      assertThat(db.rows("SELECT MIN(a) / MAX(a) * 100 FROM t"))
          .containsExactly("49.4897936262413");
      assertThat(db.rows("SELECT SUM(n) * 1.0 / (SUM(n) + 7) / 3.0 * 100, SUM(a) / MAX(n) FROM t"))
          .containsExactly("31.3218390805|9721.4950980392157");
    }
  }

  @Test
  void narrowQuotientsAreComputedByKernels() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a DECIMAL(12, 2), b DECIMAL(12, 2), c DECIMAL(13, 2))");
      db.run("INSERT INTO t VALUES (9999999999.99, -0.01, 1), (-9999999999.99, 0.03, 1)");
      assertThat(db.rows("SELECT a / b, ROUND(a, 0) / 0.3 FROM t"))
          .containsExactly(
              "-999999999999.000000|33333333333.333333",
              "-333333333333.000000|-33333333333.333333");
      assertThat(String.join("\n", db.rows("EXPLAIN SELECT a / b FROM t"))).contains("kernel");
      assertThat(String.join("\n", db.rows("EXPLAIN SELECT c / b FROM t")))
          .doesNotContain("(C / B)) [kernel");
    }
  }

  @Test
  void aDivisorOfZeroRaisesWhereTheRowHasBoth() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INTEGER, a DECIMAL(12, 2), b DECIMAL(12, 2))");
      db.run("INSERT INTO t VALUES (1, NULL, 0), (2, 1, NULL), (3, 1, 4)");
      assertThat(db.rows("SELECT a / b FROM t ORDER BY id"))
          .containsExactly("NULL", "NULL", "0.250000");
      db.run("INSERT INTO t VALUES (4, 1, 0)");
      assertThatThrownBy(() -> db.rows("SELECT a / b FROM t"))
          .isInstanceOfSatisfying(
              GpdbException.class,
              e -> assertThat(e.code()).isEqualTo(SqlCondition.DIVISION_BY_ZERO));
    }
  }
}
