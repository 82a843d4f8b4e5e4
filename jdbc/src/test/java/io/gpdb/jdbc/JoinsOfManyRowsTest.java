package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Joins of tables of several tablets return what two loops over a model do, and the same rows in
 * the same order with any number of workers. {@code -Dgpdb.seed=S} replays one run; {@code
 * -Dgpdb.fuzz=2} makes every join instead of a third of them, with a third tablet, and compares
 * each with that of one worker.
 */
class JoinsOfManyRowsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final boolean THOROUGH = Integer.getInteger("gpdb.fuzz", 1) > 1;
  private static final int LEFT_ROWS = THOROUGH ? 135_000 : 70_000;
  private static final int RIGHT_ROWS = 67_000;
  private static final int BATCH = 20_000;
  private static final String COLUMNS =
      " (id INTEGER PRIMARY KEY, k INTEGER, q SMALLINT, s VARCHAR(20), w BIGINT, d DOUBLE"
          + " PRECISION)";

  private final Random random = new Random(SEED);
  private final Map<Keys, Map<Object, List<Row>>> rightByKey = new EnumMap<>(Keys.class);

  @TempDir Path directory;

  /** A row of either table. */
  private record Row(
      int id,
      @Nullable Integer k,
      short q,
      @Nullable String s,
      @Nullable Long w,
      @Nullable Double d) {}

  /** Equal keys: as SQL, and as the model sees them; a row without a key matches none. */
  private enum Keys {
    NEAR("a.k = b.k", Row::k, Row::k),
    UNIQUE("a.k = b.id", Row::k, row -> row.id),
    NEAR_TWICE("a.k = b.k AND a.q = b.q", Keys::kAndQ, Keys::kAndQ),
    TEXT("a.s = b.s", Row::s, Row::s),
    TEXT_AND_NEAR("a.q = b.q AND a.s = b.s", Keys::qAndS, Keys::qAndS),
    FAR("a.w = b.w", Row::w, Row::w),
    MIXED("a.k = b.w", row -> row.k == null ? null : Long.valueOf(row.k), Row::w),
    FLOAT("a.d = b.d", Row::d, Row::d);

    private final String sql;
    private final Function<Row, @Nullable Object> left;
    private final Function<Row, @Nullable Object> right;

    Keys(String sql, Function<Row, @Nullable Object> left, Function<Row, @Nullable Object> right) {
      this.sql = sql;
      this.left = left;
      this.right = right;
    }

    private static @Nullable Object kAndQ(Row row) {
      return row.k == null ? null : List.of(row.k, row.q);
    }

    private static @Nullable Object qAndS(Row row) {
      return row.s == null ? null : List.of(row.q, row.s);
    }
  }

  /** A join; {@code %s} is the condition of its keys. */
  private enum Kind {
    INNER("SELECT a.id, b.id FROM l a JOIN r b ON %s"),
    INNER_BEYOND("SELECT a.id, b.id FROM l a JOIN r b ON %s AND a.q + b.q < 3"),
    OF_FEW("SELECT a.id, b.id FROM l a JOIN r b ON %s WHERE b.id < 700"),
    OF_NONE("SELECT a.id, b.id FROM l a JOIN r b ON %s WHERE b.id < 0"),
    LEFT("SELECT a.id, b.id FROM l a LEFT JOIN r b ON %s"),
    LEFT_OF_FEW("SELECT a.id, b.id FROM l a LEFT JOIN r b ON %s AND b.q = 2"),
    RIGHT("SELECT a.id, b.id FROM l a RIGHT JOIN r b ON %s"),
    SEMI("SELECT a.id, -1 FROM l a WHERE EXISTS (SELECT 1 FROM r b WHERE %s)"),
    ANTI("SELECT a.id, -1 FROM l a WHERE NOT EXISTS (SELECT 1 FROM r b WHERE %s)");

    private final String sql;

    Kind(String sql) {
      this.sql = sql;
    }

    BiPredicate<Row, Row> matches() {
      return switch (this) {
        case INNER_BEYOND -> (a, b) -> a.q + b.q < 3;
        case OF_FEW -> (_, b) -> b.id < 700;
        case OF_NONE -> (_, b) -> b.id < 0;
        case LEFT_OF_FEW -> (_, b) -> b.q == 2;
        default -> (_, _) -> true;
      };
    }
  }

  /** What is joined with little memory, too. */
  private static final List<Keys> KEYS_LIMITED = List.of(Keys.NEAR, Keys.TEXT, Keys.FAR);

  private static final List<Kind> KINDS_LIMITED =
      List.of(Kind.OF_FEW, Kind.INNER, Kind.LEFT, Kind.ANTI);

  private List<Row> table(int rows, String prefix) {
    int strings = 3000;
    List<Row> table = new ArrayList<>();
    for (int id = 0; id < rows; id++) {
      boolean skewed = random.nextInt(800) == 0;
      int key = skewed ? 7 : random.nextInt(rows) - 500;
      String text = (key % 3 == 0 ? prefix : "both") + Math.floorMod(key * 31, strings * 20);
      table.add(
          new Row(
              id,
              random.nextInt(20) == 0 ? null : key,
              (short) random.nextInt(4),
              random.nextInt(20) == 0 ? null : text,
              random.nextInt(20) == 0 ? null : key % 2 == 0 ? key : key * 1_000_000_007L,
              random.nextInt(20) == 0 ? null : key == 3 ? -0.0 : key == 4 ? 0.0 : key / 4.0));
    }
    return table;
  }

  private void fill(Connection connection, String name, List<Row> rows) throws SQLException {
    TestDatabase.execute(connection, "CREATE TABLE " + name + COLUMNS);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + name + " VALUES (?, ?, ?, ?, ?, ?)")) {
      for (Row row : rows) {
        insert.setInt(1, row.id);
        insert.setObject(2, row.k);
        insert.setShort(3, row.q);
        insert.setObject(4, row.s);
        insert.setObject(5, row.w);
        insert.setObject(6, row.d);
        insert.addBatch();
        if (row.id % BATCH == BATCH - 1) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
    TestDatabase.execute(connection, "DELETE FROM " + name + " WHERE id - id / 11 * 11 = 3");
    rows.removeIf(row -> row.id % 11 == 3);
  }

  @Test
  void joinsReturnWhatAModelDoes() throws SQLException {
    List<Row> left = table(LEFT_ROWS, "left");
    List<Row> right = table(RIGHT_ROWS, "right");
    try (Connection connection = open(2)) {
      fill(connection, "l", left);
      fill(connection, "r", right);
    }
    Map<String, long[]> first = new HashMap<>();
    compareWorkers(left, right, first);
    compareLimits(first);
  }

  /** Each sort of keys meets a third of the kinds, and others with another seed. */
  private static boolean isMade(Keys keys, Kind kind) {
    return THOROUGH
        || Math.floorMod(keys.ordinal() + kind.ordinal() + SEED, 3) == 0
        || (KEYS_LIMITED.contains(keys) && KINDS_LIMITED.contains(kind));
  }

  private void compareWorkers(List<Row> left, List<Row> right, Map<String, long[]> first)
      throws SQLException {
    List<Integer> several = List.of(2, 3, 8);
    int alone = random.nextInt(several.size());
    for (int workers : List.of(2, 3, 8, 1)) {
      int turn = workers == 1 ? alone : several.indexOf(workers);
      boolean all = workers == 1 && THOROUGH;
      try (Connection connection = open(workers)) {
        for (Keys keys : Keys.values()) {
          for (Kind kind : Kind.values()) {
            int number = keys.ordinal() + kind.ordinal();
            if (!isMade(keys, kind) || (!all && number / several.size() % several.size() != turn)) {
              continue; // each with several, and one of three with 1 too
            }
            String sql = kind.sql.formatted(keys.sql);
            String what = "seed=" + SEED + ", workers=" + workers + ": " + sql;
            long[] pairs = pairs(connection, sql);
            long[] before = first.putIfAbsent(sql, pairs);
            if (before == null) {
              long[] sorted = pairs.clone();
              Arrays.sort(sorted);
              assertThat(sorted).as(what).isEqualTo(expected(kind, keys, left, right));
            } else {
              assertThat(pairs).as(what).isEqualTo(before);
            }
          }
        }
      }
    }
  }

  /**
   * With little memory windows are short, and joins go part by part: rows are the same, in another
   * order, or there are none.
   */
  private void compareLimits(Map<String, long[]> first) throws SQLException {
    int answered = 0;
    int turn = 0;
    for (int mebibytes : new int[] {3, 6, 12, 48}) {
      turn++;
      String limit = ";memory_limit=" + (mebibytes << 20);
      try (Connection connection =
          DriverManager.getConnection("jdbc:gpdb:" + directory + "/d" + limit)) {
        for (Keys keys : KEYS_LIMITED) {
          for (Kind kind : KINDS_LIMITED) {
            if (!THOROUGH && (keys.ordinal() + kind.ordinal() + turn) % 2 == 0) {
              continue; // each with two of the limits
            }
            String sql = kind.sql.formatted(keys.sql);
            try {
              long[] pairs = pairs(connection, sql);
              Arrays.sort(pairs);
              long[] expected = first.get(sql).clone();
              Arrays.sort(expected);
              assertThat(Arrays.equals(pairs, expected)).as(sql + limit).isTrue();
              answered++;
            } catch (SQLException e) {
              assertThat(e.getSQLState()).as(sql + limit).isEqualTo("53200");
              assertThat(mebibytes).as(sql).isLessThan(48);
            }
          }
        }
      }
    }
    assertThat(answered).isGreaterThan(THOROUGH ? 12 : 6);
  }

  private Connection open(int workers) throws SQLException {
    return DriverManager.getConnection("jdbc:gpdb:" + directory + "/d;workers=" + workers);
  }

  private static long pair(int left, int right) {
    return ((long) left << 32) + right;
  }

  private static long[] pairs(Connection connection, String sql) throws SQLException {
    LongStream.Builder pairs = LongStream.builder();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        pairs.add(pair(number(rows, 1), number(rows, 2)));
      }
    }
    return pairs.build().toArray();
  }

  private static int number(ResultSet rows, int column) throws SQLException {
    int number = rows.getInt(column);
    return rows.wasNull() ? -1 : number;
  }

  private static Map<Object, List<Row>> byKey(List<Row> rows, Function<Row, @Nullable Object> of) {
    Map<Object, List<Row>> byKey = new HashMap<>();
    for (Row row : rows) {
      Object key = normal(of.apply(row));
      if (key != null) {
        byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
      }
    }
    return byKey;
  }

  private long[] expected(Kind kind, Keys keys, List<Row> left, List<Row> right) {
    BiPredicate<Row, Row> matches = kind.matches();
    boolean byRight = kind == Kind.RIGHT;
    Map<Object, List<Row>> byKey =
        byRight
            ? byKey(left, keys.left)
            : rightByKey.computeIfAbsent(keys, _ -> byKey(right, keys.right));
    LongStream.Builder pairs = LongStream.builder();
    for (Row row : byRight ? right : left) {
      Object key = normal((byRight ? keys.right : keys.left).apply(row));
      List<Row> others =
          key == null
              ? List.of()
              : byKey.getOrDefault(key, List.of()).stream()
                  .filter(other -> byRight || matches.test(row, other))
                  .toList();
      switch (kind) {
        case INNER, INNER_BEYOND, OF_FEW, OF_NONE ->
            others.forEach(other -> pairs.add(pair(row.id, other.id)));
        case LEFT, LEFT_OF_FEW -> {
          others.forEach(other -> pairs.add(pair(row.id, other.id)));
          if (others.isEmpty()) {
            pairs.add(pair(row.id, -1));
          }
        }
        case RIGHT -> {
          others.forEach(other -> pairs.add(pair(other.id, row.id)));
          if (others.isEmpty()) {
            pairs.add(pair(-1, row.id));
          }
        }
        case SEMI -> {
          if (!others.isEmpty()) {
            pairs.add(pair(row.id, -1));
          }
        }
        case ANTI -> {
          if (others.isEmpty()) {
            pairs.add(pair(row.id, -1));
          }
        }
      }
    }
    return pairs.build().sorted().toArray();
  }

  private static @Nullable Object normal(@Nullable Object key) {
    return Objects.equals(key, -0.0) ? Double.valueOf(0.0) : key;
  }

  /** One key on both sides: 400 million pairs, which come in batches. */
  @Test
  void aJoinOfEachRowWithEachIsStopped() throws SQLException {
    try (TestDatabase database =
            new TestDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER)");
        Statement statement = database.connection().createStatement()) {
      try (PreparedStatement insert =
          database.connection().prepareStatement("INSERT INTO t VALUES (?, 1)")) {
        for (int id = 0; id < 20_000; id++) {
          insert.setInt(1, id);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      assertThat(
              TestDatabase.rows(
                  database.connection(),
                  "SELECT count(*), sum(x) FROM (SELECT a.id AS x FROM t a JOIN t b ON a.k = b.k"
                      + " WHERE a.id < 500) p"))
          .containsExactly("10000000|2495000000");
      statement.setQueryTimeout(1);
      assertThatThrownBy(
              () ->
                  statement.executeQuery(
                      "SELECT sum(a.id + b.id + c.id) FROM t a JOIN t b ON a.k = b.k JOIN t c ON"
                          + " a.k = c.k"))
          .isInstanceOf(SQLException.class)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("57014");
      statement.setQueryTimeout(0);
      try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(20_000);
      }
    }
  }
}
