package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Values of UUID, TIMESTAMP WITH TIME ZONE and wide decimals compared, sorted, grouped, joined and
 * found by key, as literals, parameters and columns, with and without an index, beside the order of
 * their Java classes. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class OrderedTypesTest {
  private static final int ROWS = 60;

  private static final Map<String, IntPredicate> COMPARISONS =
      Map.of(
          "=", c -> c == 0,
          "<>", c -> c != 0,
          "<", c -> c < 0,
          "<=", c -> c <= 0,
          ">", c -> c > 0,
          ">=", c -> c >= 0);

  static LongStream seeds() {
    Long given = Long.getLong("gpdb.seed");
    return given == null
        ? LongStream.rangeClosed(1, Integer.getInteger("gpdb.fuzz", 9))
        : LongStream.of(given);
  }

  /** A type, its values, and their order. */
  private interface Kind {
    String sql();

    Object value(Random random);

    String literal(Object value);

    int compare(Object one, Object other);

    Class<?> read();

    default Object asRead(Object value) {
      return value;
    }
  }

  private static final class Uuids implements Kind {
    @Override
    public String sql() {
      return "UUID";
    }

    @Override
    public Object value(Random random) {
      long[] parts = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 255, random.nextLong()};
      return new UUID(parts[random.nextInt(7)], parts[random.nextInt(7)]);
    }

    @Override
    public String literal(Object value) {
      return "UUID '" + value + "'";
    }

    @Override
    public int compare(Object one, Object other) {
      UUID a = (UUID) one;
      UUID b = (UUID) other;
      int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
      return high != 0
          ? high
          : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    @Override
    public Class<?> read() {
      return UUID.class;
    }
  }

  private static final class Instants implements Kind {
    @Override
    public String sql() {
      return "TIMESTAMP WITH TIME ZONE";
    }

    @Override
    public Object value(Random random) {
      long[] seconds = {
        0, -1, 1, 951_782_399, -62_135_000_000L, 253_402_200_000L, random.nextInt()
      };
      Instant instant =
          Instant.ofEpochSecond(
              seconds[random.nextInt(7)], random.nextInt(3) * 999_999_000L % 1_000_000_000L);
      return instant.atOffset(ZoneOffset.ofTotalSeconds(random.nextInt(-9, 9) * 1800));
    }

    @Override
    public String literal(Object value) {
      OffsetDateTime v = (OffsetDateTime) value;
      String text = v.toLocalDateTime().toString().replace('T', ' ');
      return "TIMESTAMP WITH TIME ZONE '"
          + (text.length() == 16 ? text + ":00" : text)
          + v.getOffset().getId()
          + "'";
    }

    @Override
    public int compare(Object one, Object other) {
      return ((OffsetDateTime) one).toInstant().compareTo(((OffsetDateTime) other).toInstant());
    }

    @Override
    public Class<?> read() {
      return Instant.class;
    }

    @Override
    public Object asRead(Object value) {
      return ((OffsetDateTime) value).toInstant();
    }
  }

  /**
   * @param digits 19 to 38
   */
  private record Decimals(int digits, int scale) implements Kind {
    @Override
    public String sql() {
      return "DECIMAL(" + digits + ", " + scale + ")";
    }

    @Override
    public Object value(Random random) {
      BigInteger limit = BigInteger.TEN.pow(digits).subtract(BigInteger.ONE);
      BigDecimal value =
          switch (random.nextInt(4)) {
            case 0 -> new BigDecimal(limit, scale);
            case 1 -> new BigDecimal(new BigInteger(3 * digits, random), scale);
            default ->
                BigDecimal.valueOf(random.nextInt(9)).setScale(scale, RoundingMode.UNNECESSARY);
          };
      BigDecimal held = value.precision() > digits ? BigDecimal.ONE.setScale(scale) : value;
      return random.nextBoolean() ? held : held.negate();
    }

    @Override
    public String literal(Object value) {
      return ((BigDecimal) value).toPlainString();
    }

    @Override
    public int compare(Object one, Object other) {
      return ((BigDecimal) one).compareTo((BigDecimal) other);
    }

    @Override
    public Class<?> read() {
      return BigDecimal.class;
    }
  }

  private record Row(int id, @Nullable Object a, @Nullable Object b) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void valuesAreOrderedAsInJava(long seed) throws SQLException {
    Random random = new Random(seed);
    int digits = 19 + random.nextInt(20);
    Kind kind =
        switch ((int) (seed % 3)) {
          case 0 -> new Uuids();
          case 1 -> new Instants();
          default -> new Decimals(digits, random.nextInt(digits - 1));
        };
    try (TestDatabase db = new TestDatabase()) {
      new Round(db.connection(), kind, random, "seed " + seed + ", " + kind.sql() + ": ").run();
    }
  }

  private record Round(Connection connection, Kind kind, Random random, String told) {
    void run() throws SQLException {
      List<Row> rows = new ArrayList<>();
      for (int id = 0; id < ROWS; id++) {
        rows.add(new Row(id, valueOrNull(), valueOrNull()));
      }
      TestDatabase.execute(
          connection, "CREATE TABLE t (id INTEGER, a " + kind.sql() + ", b " + kind.sql() + ")");
      fill(rows);
      check(rows);
      TestDatabase.execute(connection, "CREATE INDEX ON t (a, b DESC)");
      TestDatabase.execute(connection, "CREATE INDEX ON t (b)");
      check(rows);
    }

    private @Nullable Object valueOrNull() {
      return random.nextInt(8) == 0 ? null : kind.value(random);
    }

    private void fill(List<Row> rows) throws SQLException {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
        for (Row row : rows) {
          if (row.id % 2 == 0) {
            insert.setInt(1, row.id);
            insert.setObject(2, row.a);
            insert.setObject(3, row.b);
            insert.addBatch();
          } else {
            TestDatabase.execute(
                connection,
                "INSERT INTO t VALUES (%d, %s, %s)"
                    .formatted(row.id, literal(row.a), literal(row.b)));
          }
        }
        insert.executeBatch();
      }
    }

    private String literal(@Nullable Object value) {
      return value == null ? "NULL" : kind.literal(value);
    }

    private void check(List<Row> rows) throws SQLException {
      for (Map.Entry<String, IntPredicate> comparison : COMPARISONS.entrySet()) {
        String operator = comparison.getKey();
        IntPredicate holds = comparison.getValue();
        Object bound =
            Objects.requireNonNullElseGet(
                rows.get(random.nextInt(ROWS)).a, () -> kind.value(random));
        List<Integer> wanted =
            rows.stream()
                .filter(r -> r.a != null && holds.test(kind.compare(r.a, bound)))
                .map(Row::id)
                .toList();
        assertIds("SELECT id FROM t WHERE a " + operator + " " + kind.literal(bound), null, wanted);
        assertIds("SELECT id FROM t WHERE a " + operator + " ?", bound, wanted);
        assertIds(
            "SELECT id FROM t WHERE a " + operator + " b",
            null,
            rows.stream()
                .filter(r -> r.a != null && r.b != null && holds.test(kind.compare(r.a, r.b)))
                .map(Row::id)
                .toList());
      }
      order(rows);
      groups(rows);
      join(rows);
    }

    private void order(List<Row> rows) throws SQLException {
      Comparator<Object> order = kind::compare;
      List<Integer> wanted =
          rows.stream()
              .sorted(
                  Comparator.comparing(Row::a, Comparator.nullsLast(order))
                      .thenComparing(Row::b, Comparator.nullsLast(order.reversed()))
                      .thenComparing(Row::id))
              .map(Row::id)
              .toList();
      String sql = "SELECT id FROM t ORDER BY a NULLS LAST, b DESC NULLS LAST, id";
      assertThat(ids(sql, null)).as(told + sql).isEqualTo(wanted);
      assertThat(ids(sql + " LIMIT 7", null)).as(told + sql).isEqualTo(wanted.subList(0, 7));
    }

    private void groups(List<Row> rows) throws SQLException {
      TreeMap<Object, Integer> counts = new TreeMap<>(kind::compare);
      rows.stream().filter(r -> r.a != null).forEach(r -> counts.merge(r.a, 1, Integer::sum));
      List<String> wanted = new ArrayList<>();
      counts.forEach((value, n) -> wanted.add(kind.asRead(value) + " " + n));
      List<String> found = new ArrayList<>();
      try (Statement statement = connection.createStatement();
          ResultSet groups =
              statement.executeQuery(
                  "SELECT a, COUNT(*) FROM t WHERE a IS NOT NULL GROUP BY a ORDER BY a")) {
        while (groups.next()) {
          found.add(groups.getObject(1, kind.read()) + " " + groups.getInt(2));
        }
      }
      assertThat(found).as(told).isEqualTo(wanted);
      try (Statement statement = connection.createStatement();
          ResultSet ends =
              statement.executeQuery("SELECT MIN(a), MAX(a), COUNT(DISTINCT a) FROM t")) {
        ends.next();
        assertThat(ends.getObject(1, kind.read()))
            .as(told)
            .isEqualTo(kind.asRead(counts.firstKey()));
        assertThat(ends.getObject(2, kind.read()))
            .as(told)
            .isEqualTo(kind.asRead(counts.lastKey()));
        assertThat(ends.getInt(3)).as(told).isEqualTo(counts.size());
      }
    }

    private void join(List<Row> rows) throws SQLException {
      List<Integer> wanted = new ArrayList<>();
      for (Row one : rows) {
        for (Row other : rows) {
          if (one.a != null && other.b != null && kind.compare(one.a, other.b) == 0) {
            wanted.add(one.id * 1000 + other.id);
          }
        }
      }
      assertIds("SELECT x.id * 1000 + y.id FROM t x JOIN t y ON x.a = y.b", null, wanted);
    }

    private void assertIds(String sql, @Nullable Object bound, List<Integer> wanted)
        throws SQLException {
      assertThat(ids(sql, bound))
          .as(told + sql + " with " + bound)
          .containsExactlyInAnyOrderElementsOf(wanted);
    }

    private List<Integer> ids(String sql, @Nullable Object bound) throws SQLException {
      List<Integer> ids = new ArrayList<>();
      try (PreparedStatement query = connection.prepareStatement(sql)) {
        if (bound != null) {
          query.setObject(1, bound);
        }
        try (ResultSet rows = query.executeQuery()) {
          while (rows.next()) {
            ids.add(rows.getInt(1));
          }
        }
      }
      return ids;
    }
  }
}
