package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.memory.TemporaryFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What does not fit the memory that there may be is spilled: a statement answers as it does with
 * enough memory, and its temporary file is gone when it ends, however it ends.
 */
class SpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 4);
  static final int ROWS = 30_000;
  private static final long LIMIT_BYTES = 4 << 20;
  private static final List<String> COLUMNS = List.of("i", "d", "s", "n", "w", "b", "r", "id");

  @TempDir static Path directory;

  private static Connection enough;
  private static Connection little;

  /** As little, but with room for what a scan makes of several inputs. */
  private static Connection more;

  @BeforeAll
  static void fill() throws SQLException {
    enough = open("enough", "");
    little = open("little", ";memory_limit=" + LIMIT_BYTES);
    more = open("more", ";memory_limit=" + 2 * LIMIT_BYTES);
    for (Connection connection : List.of(enough, little, more)) {
      fill(connection);
    }
  }

  static void fill(Connection connection) throws SQLException {
    TestDatabase.execute(
        connection,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, d DOUBLE, s VARCHAR, n DECIMAL(9, 2),"
            + " w DECIMAL(30, 3), b BOOLEAN, r REAL)");
    fill(connection, new Random(SEED));
  }

  private static Connection open(String name, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2" + options);
  }

  private static void fill(Connection connection, Random random) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int id = 0; id < ROWS; id++) {
        insert.setInt(1, id);
        insert.setObject(2, orNull(random, random.nextInt(20_000) - 10_000));
        insert.setObject(3, orNull(random, odd(random)));
        insert.setObject(4, orNull(random, "s" + random.nextInt(3000)));
        insert.setObject(5, orNull(random, new java.math.BigDecimal(random.nextInt(50))));
        insert.setObject(6, orNull(random, new java.math.BigDecimal(random.nextInt(900) - 400)));
        insert.setObject(7, orNull(random, random.nextBoolean()));
        insert.setObject(8, orNull(random, (float) odd(random)));
        insert.addBatch();
        if (id % 3000 == 2999) {
          insert.executeBatch();
        }
      }
    }
  }

  private static double odd(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> Double.NaN;
      case 1 -> -0.0;
      case 2 -> 0.0;
      case 3 -> Double.NEGATIVE_INFINITY;
      default -> random.nextGaussian();
    };
  }

  private static Object orNull(Random random, Object value) {
    return random.nextInt(10) == 0 ? null : value;
  }

  @AfterAll
  static void close() throws SQLException {
    enough.close();
    little.close();
    more.close();
  }

  /** The rows as texts, one after the other; the statement leaves no memory to its end. */
  static List<String> rows(Connection connection, String sql) throws SQLException {
    MemoryAccount work = memory(connection).work();
    long left = work.leftBytes();
    List<String> rows;
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      rows = rows(result);
    }
    assertThat(work.leftBytes()).as("left by %s", sql).isEqualTo(left);
    return rows;
  }

  static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    StringBuilder row = new StringBuilder();
    while (result.next()) {
      row.setLength(0);
      for (int i = 1; i <= columns; i++) {
        row.append(result.getString(i)).append('|');
      }
      rows.add(row.toString());
    }
    return rows;
  }

  private static void assertSpills(String sql) throws SQLException {
    assertThat(String.join("\n", TestDatabase.rows(little, "EXPLAIN ANALYZE " + sql)))
        .as(sql)
        .contains("bytes spilled ");
  }

  /** The temporary files that this process has open. */
  static List<String> openFiles() throws IOException {
    List<String> names = new ArrayList<>();
    Path files = Path.of("/proc/self/fd");
    if (Files.exists(files)) {
      try (Stream<Path> all = Files.list(files)) {
        for (Path file : all.toList()) {
          if (Files.isSymbolicLink(file)) { // the list's own is closed by now
            names.add(Files.readSymbolicLink(file).toString());
          }
        }
      }
    }
    names.removeIf(name -> !name.contains("gpdb.temporary-"));
    return names;
  }

  private static void assertNoFileLeft(String what) throws IOException {
    assertNoFileLeft(directory.resolve("little"), what);
  }

  static void assertNoFileLeft(Path database, String what) throws IOException {
    assertThat(openFiles()).as(what).isEmpty();
    try (Stream<Path> files = Files.list(database)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .as(what)
          .noneMatch(name -> name.startsWith("gpdb.temporary-"));
    }
  }

  static String order(Random random) {
    List<String> keys = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int k = 0; k < count; k++) {
      keys.add(
          COLUMNS.get(random.nextInt(COLUMNS.size()))
              + (random.nextBoolean() ? " DESC" : "")
              + List.of("", " NULLS FIRST", " NULLS LAST").get(random.nextInt(3)));
    }
    return " ORDER BY " + String.join(", ", keys);
  }

  private static String limit(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> " OFFSET " + random.nextInt(ROWS);
      case 1 -> " LIMIT " + (ROWS / 2 + random.nextInt(ROWS)) + " OFFSET " + random.nextInt(ROWS);
      default -> "";
    };
  }

  @Test
  void sortedRunsComeInTheOrderOfOneSort() throws Exception {
    Random random = new Random(SEED);
    assertSpills("SELECT * FROM t ORDER BY s, d DESC");
    for (int round = 0; round < ROUNDS; round++) {
      String sql = "SELECT * FROM t" + order(random) + limit(random);
      assertThat(rows(little, sql)).as("seed %d, %s", SEED, sql).isEqualTo(rows(enough, sql));
      assertNoFileLeft(sql);
    }
  }

  @Test
  void stringsThatAQueryMakesAreSortedAcrossRuns() throws Exception {
    String sql = "SELECT id, s || i AS made, w FROM t ORDER BY made DESC, w, id";
    assertSpills(sql);
    assertThat(rows(little, sql)).isEqualTo(rows(enough, sql));
  }

  /** Many groups of keys of every kind, and what comes of each, ordered where the test says so. */
  private static String groups(Random random) {
    String keys =
        List.of("id", "d, i", "s, i", "i, n, w", "id % 20000, s", "upper(s), i", "r, d, b")
            .get(random.nextInt(7));
    String where = random.nextBoolean() ? "" : " WHERE id % 10 <> 3";
    return random.nextInt(3) == 0
        ? "SELECT DISTINCT " + keys + " FROM t" + where
        : "SELECT "
            + keys
            + ", count(*), sum(n), min(s), max(s), avg(i), sum(d), count(w), max(r) FROM t"
            + where
            + " GROUP BY "
            + keys;
  }

  @Test
  void groupsOfPartsAreThoseOfAllRows() throws Exception {
    Random random = new Random(SEED);
    assertSpills("SELECT id, s, count(*), sum(i), max(s), min(w) FROM t GROUP BY id, s");
    for (int round = 0; round < ROUNDS; round++) {
      String sql = groups(random);
      List<String> few = rows(little, sql);
      assertThat(rows(little, sql)).as("twice: %s", sql).isEqualTo(few);
      List<String> all = rows(enough, sql);
      few.sort(null);
      all.sort(null);
      assertThat(few).as("seed %d, %s", SEED, sql).isEqualTo(all);
      assertNoFileLeft(sql);
    }
  }

  @Test
  void anErrorOfARowThatWasSpilledIsThatOfTheRow() throws Exception {
    String sql = "SELECT id, s, i, w, sum(1 / (id - 29990)), max(s) FROM t GROUP BY id, s, i, w";
    assertThatThrownBy(() -> rows(little, sql))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("22012");
              assertThat(e.getMessage()).contains("ID = 29990");
            });
    assertNoFileLeft(sql);
  }

  @Test
  void anErrorACancelAndAnEarlyEndLeaveNoFile() throws Exception {
    assertThatThrownBy(() -> rows(little, "SELECT 1 / (id - 29999) FROM t ORDER BY s, d, w"))
        .isInstanceOf(SQLException.class);
    assertNoFileLeft("error");
    try (Statement statement = little.createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM t ORDER BY s, d, w, n, i")) {
      assertThat(result.next()).isTrue();
      assertThat(openFiles().isEmpty()).isEqualTo(!Files.exists(Path.of("/proc/self/fd")));
    }
    assertNoFileLeft("early end");
    assertCancelled(little, "SELECT * FROM t ORDER BY s, d, w, n, i");
    assertNoFileLeft("cancel");
  }

  static void assertCancelled(Connection connection, String sql) throws Exception {
    try (Statement statement = connection.createStatement()) {
      AtomicBoolean done = new AtomicBoolean();
      Thread canceller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      try {
                        Thread.sleep(5);
                        statement.cancel();
                      } catch (InterruptedException | SQLException e) {
                        throw new IllegalStateException(e);
                      }
                    }
                  });
      assertThatThrownBy(() -> statement.executeQuery(sql))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      done.set(true);
      canceller.join();
    }
  }

  /** A file of which only the first bytes find room. */
  private static final class SmallFile implements TemporaryFile {
    private static final int BYTES_MAX = 300_000;

    private final HostBuffer bytes = HostBuffer.collected(BYTES_MAX);

    @Override
    public void write(long offset, HostBuffer source) {
      if (offset + source.bytes() > BYTES_MAX) {
        throw new GpdbException(ErrorCode.DISK_FULL, "disk is full, as asked for");
      }
      bytes.copyFrom(source, 0, offset, source.bytes());
    }

    @Override
    public void read(long offset, HostBuffer target) {
      target.copyFrom(bytes, offset, 0, target.bytes());
    }

    @Override
    public void close() {}
  }

  static DatabaseMemory memory(Connection connection) throws SQLException {
    return connection
        .unwrap(GpdbConnection.class)
        .session()
        .database()
        .transactions()
        .space()
        .memory();
  }

  /** From now on the disk has room for one small file. */
  static DatabaseMemory fillsDisk(Connection connection) throws SQLException {
    DatabaseMemory memory = memory(connection);
    memory.temporaryFiles(SmallFile::new);
    return memory;
  }

  @Test
  void aFullDiskEndsTheStatementAlone() throws Exception {
    try (Connection connection = open("full", ";memory_limit=" + LIMIT_BYTES)) {
      TestDatabase.execute(connection, "CREATE TABLE t (id INTEGER, x BIGINT, y BIGINT, z BIGINT)");
      TestDatabase.execute(
          connection,
          "INSERT INTO t WITH RECURSIVE n(i) AS (VALUES 0 UNION ALL SELECT i + 1 FROM n"
              + " WHERE i < 39999) SELECT i, i * 7, i, i FROM n");
      DatabaseMemory memory = fillsDisk(connection);
      String sql = "SELECT * FROM t ORDER BY x DESC, y, z";
      assertThatThrownBy(() -> rows(connection, sql))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53100"));
      assertThat(memory.work().usedBytes()).isLessThan(LIMIT_BYTES / 4);
      assertThat(rows(connection, "SELECT count(*) FROM t")).containsExactly("40000|");
    }
  }

  private static String several(int times, String rows) {
    return "(" + String.join(" UNION ALL ", java.util.Collections.nCopies(times, rows)) + ")";
  }

  /** Of the inputs of a product neither fits. */
  @Test
  void aProductMeetsBlocksOfTheRowsThatMemoryDoesNotHold() throws Exception {
    String many = several(5, "SELECT id, i, d, s, n, w, r, b FROM t");
    String others =
        several(
            2,
            "SELECT id, i, s FROM t, (VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) v(k) WHERE"
                + " MOD(id * 12 + k, 180000) = 7");
    for (String from : List.of(many + " a, " + others + " o", others + " o, " + many + " a")) {
      String sql =
          "SELECT a.*, o.id, o.s FROM " + from + " WHERE MOD(a.id + o.id, 97) = MOD(a.id, 13)";
      String plan = String.join("\n", TestDatabase.rows(more, "EXPLAIN ANALYZE " + sql));
      assertThat(plan).containsPattern("all pairs of.*bytes spilled ");
      List<String> some = rows(more, sql);
      assertThat(rows(more, sql).equals(some)).as("twice: %s", sql).isTrue();
      List<String> all = rows(enough, sql);
      some.sort(null);
      all.sort(null);
      assertThat(some.equals(all)).as("seed %d, %s", SEED, sql).isTrue();
      assertThat(all).hasSizeGreaterThan(1000);
      assertNoFileLeft(directory.resolve("more"), sql);
    }
  }

  /** Of each block pairs are found by an index of its own. */
  @Test
  void aRangeJoinMeetsBlocksOfTheRowsThatMemoryDoesNotHold() throws Exception {
    String many = several(5, "SELECT id, i, d, s, n, w, r, b FROM t");
    String others = several(6, "SELECT id, i, s, b, r, n, d FROM t");
    String sql =
        "SELECT COUNT(*), SUM(o.i), SUM(a.n), COUNT(o.b), COUNT(o.s), MAX(o.r), MAX(o.d), MIN(o.n)"
            + (" FROM " + many + " a, " + others + " o")
            + " WHERE o.id BETWEEN a.id AND a.id + 1 AND a.id >= o.id AND MOD(a.id + o.id, 7) = 6";
    String plan = String.join("\n", TestDatabase.rows(more, "EXPLAIN ANALYZE " + sql));
    assertThat(plan).containsPattern("pairs with .*bytes spilled ");
    List<String> all = rows(enough, sql);
    assertThat(all.getFirst()).startsWith(5 * 6 * ((ROWS + 3) / 7) + "|");
    assertThat(rows(more, sql)).as("seed %d", SEED).isEqualTo(all);
    assertNoFileLeft(directory.resolve("more"), sql);
  }

  /** The rows with subqueries are not kept, so each row's values are found by the host. */
  @Test
  void rowsThatAreNotHeldFindTheirSubqueriesOneByOne() throws SQLException {
    String sql =
        "SELECT id, s, d, w, r FROM t WHERE n < (SELECT AVG(x.n) FROM t x WHERE x.i = t.i)";
    List<String> expected = rows(enough, sql);
    assertThat(expected).hasSizeGreaterThan(1000);
    assertThat(rows(little, sql)).isEqualTo(expected);
    String held = "the outer rows \\[in place\\] rows~\\d+: ";
    assertThat(String.join("\n", TestDatabase.rows(enough, "EXPLAIN ANALYZE " + sql)))
        .containsPattern(held);
    assertThat(String.join("\n", TestDatabase.rows(little, "EXPLAIN ANALYZE " + sql)))
        .doesNotContainPattern(held);
  }

  /** The rows of EXISTS, of which there are more than memory holds, pass by those outside. */
  @Test
  void rowsThatOnlyExistAreNotHeld() throws SQLException {
    String some = "(SELECT i, d, n, id FROM t)";
    String many = String.join(" UNION ALL ", java.util.Collections.nCopies(12, some));
    String exists =
        "EXISTS (SELECT * FROM ("
            + many
            + ") x WHERE x.i = t.i AND x.d <> t.d AND x.n > t.n AND x.id <> t.id)";
    for (String condition : List.of(exists, "NOT " + exists)) {
      String sql = "SELECT id FROM t WHERE id < 3000 AND " + condition;
      List<String> expected = rows(enough, sql);
      assertThat(expected).hasSizeGreaterThan(100);
      assertThat(rows(little, sql)).isEqualTo(expected);
    }
  }
}
