package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random recursive queries, whose columns widen in their steps, against their rows in plain Java.
 * Numbers are compared as numbers, for their digits after the point are those of the column's type.
 * {@code -Dgpdb.seed=S} replays one query, {@code -Dgpdb.fuzz=N} runs N.
 */
class RandomRecursionsTest {
  private static final int QUERIES = 40;
  private static final long FIRST_SEED = 1;
  private static final int DEPTH_MAX = 5;

  private enum Kind {
    NUMBER,
    TEXT,
    DAY
  }

  /** An expression over a row, as SQL and as its value; the row's first field is the depth. */
  private record Term(String sql, Function<@Nullable Object[], @Nullable Object> value) {}

  /** A member that reads the recursion. */
  private record Step(List<Term> terms, String where, Predicate<@Nullable Object[]> keeps) {}

  private Random random = new Random();

  @Test
  void queriesHaveTheRowsOfTheirPlainEvaluation() throws SQLException {
    Long given = Long.getLong("gpdb.seed");
    long first = given == null ? FIRST_SEED : given;
    int queries = given == null ? Integer.getInteger("gpdb.fuzz", QUERIES) : 1;
    try (TestDatabase database = new TestDatabase()) {
      for (long seed = first; seed < first + queries; seed++) {
        random = new Random(seed);
        check(database, seed);
      }
    }
  }

  private void check(TestDatabase database, long seed) {
    Kind[] kinds = new Kind[1 + random.nextInt(4)];
    Arrays.setAll(kinds, i -> Kind.values()[random.nextInt(Kind.values().length)]);
    boolean all = random.nextBoolean();
    int depth = 2 + random.nextInt(DEPTH_MAX - 1);
    List<List<Term>> seeds = members(1 + random.nextInt(2), kinds);
    List<Step> steps = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      steps.add(step(kinds, depth));
    }
    String sql = sql(kinds, seeds, steps, all);
    List<String> rows =
        rows(database, seed, sql).stream().map(row -> plain(row, kinds)).sorted().toList();
    assertThat(rows)
        .as("-Dgpdb.seed=%d: %s", seed, sql)
        .isEqualTo(evaluated(seeds, steps, all).stream().sorted().toList());
  }

  private static List<String> rows(TestDatabase database, long seed, String sql) {
    try {
      return database.rows(sql);
    } catch (SQLException e) {
      throw new AssertionError("-Dgpdb.seed=" + seed + ": " + sql, e);
    }
  }

  private List<List<Term>> members(int count, Kind[] kinds) {
    return Stream.generate(() -> Arrays.stream(kinds).map(this::seed).toList())
        .limit(count)
        .toList();
  }

  private String sql(Kind[] kinds, List<List<Term>> seeds, List<Step> steps, boolean all) {
    List<String> members = new ArrayList<>();
    seeds.forEach(seed -> members.add("SELECT 1, " + list(seed)));
    steps.forEach(
        step -> members.add("SELECT n + 1, " + list(step.terms) + " FROM t WHERE " + step.where));
    String union = all ? " UNION ALL " : " UNION ";
    StringBuilder columns = new StringBuilder("n");
    for (int i = 0; i < kinds.length; i++) {
      columns.append(", ").append(column(i));
    }
    return "WITH RECURSIVE t("
        + columns
        + ") AS ("
        + String.join(union, members)
        + ") SELECT * FROM t";
  }

  private static String list(List<Term> terms) {
    return String.join(", ", terms.stream().map(Term::sql).toList());
  }

  private static String column(int index) {
    return "c" + index;
  }

  private Term constant(String sql, @Nullable Object value) {
    return new Term(sql, row -> value);
  }

  private Term seed(Kind kind) {
    return switch (kind) {
      case NUMBER ->
          switch (random.nextInt(6)) {
            case 0 -> constant("CAST(7 AS SMALLINT)", new BigDecimal(7));
            case 1 -> constant("3000000000", new BigDecimal("3000000000"));
            case 2 -> constant("CAST(1.5 AS DECIMAL(2, 1))", new BigDecimal("1.5"));
            case 3 -> constant("CAST(NULL AS INTEGER)", null);
            case 4 -> constant("CAST(NULL AS BIGINT)", null);
            default -> constant("1", BigDecimal.ONE);
          };
      case TEXT ->
          switch (random.nextInt(5)) {
            case 0 -> constant("CAST('ab' AS VARCHAR(2))", "ab");
            case 1 -> constant("CAST('x  ' AS VARCHAR(3))", "x  ");
            case 2 -> constant("CAST(NULL AS VARCHAR(1))", null);
            case 3 -> constant("CAST('' AS VARCHAR(1))", "");
            default -> constant("CAST('a' AS VARCHAR(1))", "a");
          };
      case DAY ->
          random.nextInt(4) == 0
              ? constant("CAST(NULL AS DATE)", null)
              : constant("DATE '2020-02-28'", LocalDate.of(2020, 2, 28).atStartOfDay());
    };
  }

  private Step step(Kind[] kinds, int depth) {
    List<Term> terms = new ArrayList<>();
    for (Kind kind : kinds) {
      terms.add(term(kind, kinds));
    }
    int tested = random.nextInt(kinds.length);
    String where = "n < " + depth;
    Predicate<@Nullable Object[]> within = row -> ((BigDecimal) row[0]).intValue() < depth;
    return switch (random.nextInt(4)) {
      case 0 ->
          new Step(
              terms,
              where + " AND " + column(tested) + " IS NOT NULL",
              within.and(row -> row[tested + 1] != null));
      case 1 ->
          new Step(
              terms,
              where + " AND (" + column(tested) + " IS NULL OR n < 2)",
              within.and(row -> row[tested + 1] == null || row[0].equals(BigDecimal.ONE)));
      default -> new Step(terms, where, within);
    };
  }

  /** A column of that kind, or what widens one. */
  private Term term(Kind kind, Kind[] kinds) {
    List<Integer> same = new ArrayList<>();
    for (int i = 0; i < kinds.length; i++) {
      if (kinds[i] == kind) {
        same.add(i);
      }
    }
    int index = same.get(random.nextInt(same.size()));
    Term column = new Term(column(index), row -> row[index + 1]);
    return switch (random.nextInt(6)) {
      case 0 -> column;
      case 1 -> orElse(column, seed(kind));
      case 2 -> constant("NULL", null);
      default -> widened(kind, column);
    };
  }

  /** COALESCE whose other value has a type, unlike NULL alone. */
  private Term orElse(Term column, Term other) {
    if (other.sql.equals("NULL")) {
      return column;
    }
    return new Term(
        "CASE WHEN " + column.sql + " IS NULL THEN " + other.sql + " ELSE " + column.sql + " END",
        row -> column.value.apply(row) == null ? other.value.apply(row) : column.value.apply(row));
  }

  private Term widened(Kind kind, Term column) {
    return switch (kind) {
      case NUMBER -> {
        String added =
            List.of("1", "0.5", "0.25", "3000000000", "CAST(0.5 AS DOUBLE)").get(random.nextInt(5));
        BigDecimal number = new BigDecimal(added.replaceAll("[^0-9.]", ""));
        yield new Term(
            column.sql + " + " + added, row -> of(column, row, v -> ((BigDecimal) v).add(number)));
      }
      case TEXT ->
          random.nextBoolean()
              ? new Term(column.sql + " || 'bc'", row -> of(column, row, v -> v + "bc"))
              : new Term("'>' || " + column.sql, row -> of(column, row, v -> ">" + v));
      case DAY ->
          random.nextBoolean()
              ? new Term(
                  column.sql + " + INTERVAL '1' DAY",
                  row -> of(column, row, v -> ((LocalDateTime) v).plusDays(1)))
              : new Term("CAST(" + column.sql + " AS TIMESTAMP)", column.value);
    };
  }

  private static @Nullable Object of(
      Term term, @Nullable Object[] row, Function<Object, Object> function) {
    Object value = term.value.apply(row);
    return value == null ? null : function.apply(value);
  }

  private static List<String> evaluated(List<List<Term>> seeds, List<Step> steps, boolean all) {
    List<String> rows = new ArrayList<>();
    Set<String> known = new HashSet<>();
    List<@Nullable Object[]> last = new ArrayList<>();
    for (List<Term> seed : seeds) {
      add(row(BigDecimal.ONE, seed, new Object[0]), all, rows, known, last);
    }
    while (!last.isEmpty()) {
      List<@Nullable Object[]> next = new ArrayList<>();
      for (@Nullable Object[] row : last) {
        for (Step step : steps) {
          if (step.keeps.test(row)) {
            BigDecimal n = ((BigDecimal) row[0]).add(BigDecimal.ONE);
            add(row(n, step.terms, row), all, rows, known, next);
          }
        }
      }
      last = next;
    }
    return rows;
  }

  private static @Nullable Object[] row(BigDecimal n, List<Term> terms, @Nullable Object[] from) {
    @Nullable Object[] row = new Object[terms.size() + 1];
    row[0] = n;
    for (int i = 0; i < terms.size(); i++) {
      row[i + 1] = terms.get(i).value.apply(from);
    }
    return row;
  }

  private static void add(
      @Nullable Object[] row,
      boolean all,
      List<String> rows,
      Set<String> known,
      List<@Nullable Object[]> next) {
    String text =
        String.join("|", Arrays.stream(row).map(RandomRecursionsTest::plainValue).toList());
    if (known.add(text) || all) {
      rows.add(text);
      next.add(row);
    }
  }

  private static String plainValue(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case BigDecimal number -> plainNumber(number);
      case LocalDateTime day -> day.toLocalDate().toString();
      default -> value.toString();
    };
  }

  private static String plainNumber(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  /** A row of the database with its numbers and days in the one form that they are compared in. */
  private static String plain(String row, Kind[] kinds) {
    String[] fields = row.split("\\|", -1);
    for (int i = 0; i < fields.length; i++) {
      Kind kind = i == 0 ? Kind.NUMBER : kinds[i - 1];
      if (!fields[i].equals("null")) {
        fields[i] =
            switch (kind) {
              case NUMBER -> plainNumber(new BigDecimal(fields[i]));
              case TEXT -> fields[i];
              case DAY -> fields[i].replace(" 00:00:00", "");
            };
      }
    }
    return String.join("|", fields);
  }
}
