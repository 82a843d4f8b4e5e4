package io.gpdb.jdbc;

import io.gpdb.storage.memory.MemoryAccount;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What {@link MixedStatementsTest} runs in a process with a small heap: generated queries and
 * changes of a table that neither the heap nor {@code memory_limit} holds, one transaction after
 * the other. Prints a line for each; those with {@link #WRONG} say what should not be.
 */
final class MixedStatements {
  static final String WRONG = "WRONG ";
  static final String MOST = "most bytes beyond the limit: ";

  private static final int ROWS = 200_000;
  private static final long LIMIT_BYTES = 16 << 20;

  private static final List<String> FIELDS = List.of("id", "g", "v", "w", "s");

  private final Connection connection;
  private final Random random;
  private final MemoryAccount work;

  private MixedStatements(Connection connection, long seed) throws SQLException {
    this.connection = connection;
    this.random = new Random(seed);
    this.work =
        connection
            .unwrap(GpdbConnection.class)
            .session()
            .database()
            .transactions()
            .space()
            .memory()
            .work();
  }

  /** Arguments: a directory, the seed, how many statements of each kind. */
  public static void main(String[] arguments) throws Exception {
    String url = "jdbc:gpdb:" + arguments[0] + ";workers=2;memory_limit=" + LIMIT_BYTES;
    try (Connection connection = DriverManager.getConnection(url)) {
      MixedStatements program = new MixedStatements(connection, Long.parseLong(arguments[1]));
      program.fill();
      AtomicLong most = new AtomicLong();
      AtomicBoolean done = new AtomicBoolean();
      Thread watch = Thread.ofPlatform().daemon().start(() -> program.watch(most, done));
      program.runAll(Integer.parseInt(arguments[2]));
      done.set(true);
      watch.join();
      System.out.println(MOST + (most.get() - LIMIT_BYTES));
    }
  }

  private void watch(AtomicLong most, AtomicBoolean done) {
    while (!done.get()) {
      most.accumulateAndGet(work.usedBytes(), Math::max);
      Thread.yield();
    }
  }

  private void fill() throws SQLException {
    for (String table : List.of("t", "o")) {
      execute(
          "CREATE TABLE "
              + table
              + " (id INTEGER PRIMARY KEY, g INTEGER, v BIGINT, w DOUBLE, s VARCHAR)");
      for (int from = 0; from < ROWS; from += 50_000) {
        execute(
            "INSERT INTO %s SELECT x, MOD(x, 1000), MOD(CAST(x AS BIGINT) * 7919, %d), x * 0.5, 's' || MOD(x, 5000)"
                    .formatted(table, ROWS)
                + " FROM GENERATE_SERIES(%d, %d) g(x)".formatted(from, from + 49_999));
      }
    }
    execute("CHECKPOINT");
    connection.setAutoCommit(false);
  }

  private void runAll(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (String sql : queries()) {
        run(sql, false);
      }
      for (String sql : changes()) {
        run(random.nextInt(3) > 0 ? sql + " RETURNING " + fields("") : sql, true);
      }
      keys();
    }
  }

  private String field() {
    return FIELDS.get(random.nextInt(FIELDS.size()));
  }

  /** Some fields, at least one, in any order. */
  private String fields(String of) {
    List<String> some = new ArrayList<>();
    int count = 1 + random.nextInt(FIELDS.size());
    for (int i = 0; i < count; i++) {
      some.add(of + field());
    }
    return String.join(", ", some);
  }

  private String key() {
    return List.of("id", "v").get(random.nextInt(2));
  }

  private List<String> queries() {
    // A field that is asked for several times has no other name.
    TreeSet<String> by = new TreeSet<>(List.of("t." + field(), "t." + field()));
    String order = " ORDER BY " + String.join(", ", by);
    return List.of(
        "SELECT " + fields("") + " FROM t" + order,
        "SELECT id, v, COUNT(*), SUM(w), MIN(" + field() + ") FROM t GROUP BY id, v",
        "SELECT DISTINCT " + fields("") + ", id FROM t",
        "SELECT " + fields("t.") + ", o.s FROM t JOIN o ON t." + key() + " = o." + key(),
        "SELECT " + fields("t.") + ", o.w FROM t LEFT JOIN o ON t.id = o.v AND t.w < o.w",
        "SELECT id FROM t WHERE v NOT IN (SELECT " + key() + " FROM o WHERE g < 900)",
        "SELECT id, v FROM t EXCEPT SELECT v, id FROM o",
        "SELECT id, SUM(w) OVER (PARTITION BY " + field() + " ORDER BY id) FROM t",
        "SELECT g, LISTAGG(s, ',') WITHIN GROUP (ORDER BY id) FROM t GROUP BY g",
        "SELECT " + fields("") + " FROM t WHERE g < 900 FOR UPDATE");
  }

  private List<String> changes() {
    String some = " WHERE t.g < " + (1 + random.nextInt(1000));
    String from = random.nextBoolean() ? "t" : "o";
    String value = List.of("v", "v + 1", "id * 3").get(random.nextInt(3));
    return List.of(
        "INSERT INTO t SELECT id + 1000000, g, " + value + ", w, s FROM " + from,
        "UPDATE t SET v = " + value + some,
        "UPDATE t SET w = o.w + 1, s = o.s FROM o WHERE o.id = t." + key() + " AND t.g < 500",
        "UPDATE t SET v = (SELECT MAX(o.v) FROM o WHERE o.id = t.id)" + some,
        "DELETE FROM t" + some,
        "DELETE FROM t USING o WHERE o." + key() + " = t.id AND o.g < 700",
        "MERGE INTO t USING o ON o.id = t.id + 66000 WHEN MATCHED THEN UPDATE SET v = o.v"
            + " WHEN NOT MATCHED THEN INSERT VALUES (o.id + 1000000, o.g, o.v, o.w, o.s)",
        "INSERT INTO t SELECT id + 100000, g, v, w, s FROM o"
            + " ON CONFLICT (id) DO UPDATE SET v = excluded.v",
        "INSERT INTO t SELECT id + 100000, g, v, w, s FROM o ON CONFLICT (id) DO NOTHING");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs a statement in a transaction that is rolled back. */
  private void run(String sql, boolean mayExhaust) throws Exception {
    String answer;
    try (Statement statement = connection.createStatement()) {
      boolean hasRows = statement.execute(sql);
      answer = hasRows ? rows(statement.getResultSet()) : "count " + statement.getUpdateCount();
    } catch (SQLException e) {
      answer = ofFailure(e, mayExhaust);
    }
    end(sql, answer);
  }

  private static String rows(ResultSet result) throws SQLException {
    long rows = 0;
    try (result) {
      while (result.next()) {
        rows++;
      }
    }
    return "rows " + rows;
  }

  /** What a transaction changes does not spill: 53200 of memory_limit, never of the heap. */
  private static String ofFailure(SQLException e, boolean mayExhaust) {
    boolean expected =
        mayExhaust
            && e.getSQLState().equals("53200")
            && e.getMessage().contains("limitBytes=" + LIMIT_BYTES);
    return (expected ? "" : WRONG) + e.getSQLState() + " " + e.getMessage();
  }

  /** A batch whose keys are asked for. */
  private void keys() throws Exception {
    String sql = "INSERT INTO t VALUES (?, 1, 2, 3, 'four')";
    String answer;
    try (PreparedStatement statement = connection.prepareStatement(sql, new String[] {"ID"})) {
      for (int id = 0; id < 50_000; id++) {
        statement.setInt(1, 1_000_000 + id);
        statement.addBatch();
      }
      statement.executeBatch();
      answer = "keys " + rows(statement.getGeneratedKeys());
    } catch (SQLException e) {
      answer = ofFailure(e, true);
    }
    end(sql, answer);
  }

  /** After the rollback all is as it was: the rows, and the memory that is taken. */
  private void end(String sql, String answer) throws Exception {
    connection.rollback();
    System.out.println(answer + " of " + sql);
    String all = "SELECT COUNT(*), SUM(CAST(id AS BIGINT)), SUM(v) FROM t";
    List<String> rows = TestDatabase.rows(connection, all);
    connection.rollback();
    long sum = (long) ROWS * (ROWS - 1) / 2;
    if (!rows.equals(List.of(ROWS + "|" + sum + "|" + sum))) {
      System.out.println(WRONG + rows + " after " + sql);
    }
    long until = System.nanoTime() + 10_000_000_000L; // an automatic rewrite may run
    while (work.usedBytes() != 0 && System.nanoTime() < until) {
      Thread.sleep(5);
    }
    if (work.usedBytes() != 0) {
      System.out.println(WRONG + work.usedBytes() + " bytes kept after " + sql);
    }
  }
}
