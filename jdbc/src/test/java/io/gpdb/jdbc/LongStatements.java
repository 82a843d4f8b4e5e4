package io.gpdb.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Statements of every kind that run for minutes, or as long as a test can have them run. */
final class LongStatements {
  private static final int BATCH_ROWS = 400_000;

  private final List<Kind> kinds = new ArrayList<>();
  private final Path directory;
  private int files;

  /** A kind of statement. */
  interface Kind {
    String name();

    default Statement open(Connection connection) throws SQLException {
      return connection.createStatement();
    }

    void run(Statement statement) throws SQLException;
  }

  private record Query(String name, String sql) implements Kind {
    @Override
    public void run(Statement statement) throws SQLException {
      try (ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          rows.getObject(1);
        }
      }
    }
  }

  private interface Text {
    String next();
  }

  private record Change(String name, Text sql) implements Kind {
    @Override
    public void run(Statement statement) throws SQLException {
      statement.execute(sql.next());
    }
  }

  /** Rows of a batch, changed by key. */
  private record Batch(String name, String sql) implements Kind {
    @Override
    public Statement open(Connection connection) throws SQLException {
      PreparedStatement prepared = connection.prepareStatement(sql);
      for (int i = 0; i < BATCH_ROWS; i++) {
        prepared.setInt(1, i);
        prepared.setInt(2, i + 2_000_000);
        prepared.addBatch();
      }
      return prepared;
    }

    @Override
    public void run(Statement statement) throws SQLException {
      ((PreparedStatement) statement).executeBatch();
    }
  }

  LongStatements(Path directory) {
    this.directory = directory;
    queries();
    texts();
    changes();
    files();
  }

  List<Kind> kinds() {
    return kinds;
  }

  void prepare(Connection connection) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute("CREATE TABLE one (x INTEGER)");
      s.execute("INSERT INTO one VALUES (1)");
      s.execute("CREATE TABLE d (i INTEGER)");
      s.execute("INSERT INTO d VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
      s.execute("CREATE TABLE mid (id INTEGER PRIMARY KEY, k INTEGER, s VARCHAR(40))");
      s.execute(
          "INSERT INTO mid SELECT a.i + 10 * b.i + 100 * c.i + 1000 * e.i, 7,"
              + " 'row ' || CAST(b.i AS VARCHAR(9)) FROM d a, d b, d c, d e WHERE e.i < 3");
      s.execute("CREATE TABLE big (id INTEGER PRIMARY KEY, k INTEGER, s VARCHAR(40))");
      s.execute("INSERT INTO big SELECT m.id + 3000 * d.i, m.k, m.s FROM mid m, d");
      for (int n = 30_000; n < 400_000; n *= 2) {
        s.execute("INSERT INTO big SELECT id + " + n + ", k, s FROM big");
      }
      s.execute("CREATE TABLE target (id INTEGER, k INTEGER, s VARCHAR(80))");
      s.execute("CREATE TABLE keyed (id INTEGER PRIMARY KEY, s VARCHAR(40))");
    }
    csv();
  }

  private void csv() {
    String lines =
        IntStream.range(0, 1_000)
            .mapToObj(i -> i + ",7,text " + i + "\n")
            .collect(Collectors.joining());
    try (var out = Files.newBufferedWriter(directory.resolve("in.csv"))) {
      for (int i = 0; i < 3_000; i++) {
        out.write(lines);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void query(String name, String sql) {
    kinds.add(new Query(name, sql));
  }

  private void change(String name, String sql) {
    kinds.add(new Change(name, () -> sql));
  }

  private void queries() {
    query(
        "recursion",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT MOD(n + 1, 1000) FROM t)"
            + " SELECT count(*) FROM t");
    query(
        "recursion to nothing",
        "WITH RECURSIVE t(n) AS (SELECT id FROM mid UNION ALL SELECT n FROM t)"
            + " SELECT n FROM t WHERE n < 0");
    query("skewed join", "SELECT count(*) FROM big a JOIN big b ON a.k = b.k");
    query("skewed join rows", "SELECT a.id, b.id FROM big a JOIN big b ON a.k = b.k");
    query(
        "skewed outer join",
        "SELECT count(b.id) FROM big a LEFT JOIN big b ON a.k = b.k AND a.id + b.id < 0");
    query("cross join", "SELECT count(*) FROM big a, big b, big c");
    query("cross join rows", "SELECT a.id FROM mid a, mid b, mid c");
    query("band join", "SELECT count(*) FROM big a JOIN big b ON a.id < b.id - 5");
    query(
        "full join",
        "SELECT count(*) FROM big a FULL JOIN big b ON a.id + b.id = -1 OR a.k = b.id");
    query("sort", "SELECT a.id FROM mid a, mid b, mid c ORDER BY a.id + b.id DESC, c.id");
    query("group", "SELECT a.id, b.id, count(*) FROM mid a, mid b, mid c GROUP BY a.id, b.id");
    query("distinct", "SELECT count(DISTINCT a.id * 3000 + b.id + c.k) FROM mid a, mid b, mid c");
    query(
        "wide window",
        "SELECT max(x) FROM (SELECT count(DISTINCT id) OVER (ORDER BY id ROWS BETWEEN 200000"
            + " PRECEDING AND 200000 FOLLOWING EXCLUDE CURRENT ROW) AS x FROM big)");
    query(
        "ranged window",
        "SELECT max(x) FROM (SELECT mode(s) OVER (ORDER BY id RANGE BETWEEN 100000 PRECEDING AND"
            + " 100000 FOLLOWING) AS x FROM big)");
    query("intersect", "SELECT a.id FROM mid a, mid b, mid c INTERSECT SELECT id FROM mid");
    query(
        "union", "SELECT a.id FROM mid a, mid b, mid c UNION SELECT b.id FROM mid a, mid b, mid c");
    query(
        "correlated",
        "SELECT count(*) FROM big a WHERE (SELECT count(*) FROM big b WHERE b.id < a.id) = -1");
    query("listagg", "SELECT LISTAGG(a.s) FROM mid a, mid b, mid c WHERE a.id + b.id + c.id = -1");
    query("like", "SELECT count(*) FROM mid WHERE REPEAT('a', 3000) || s LIKE '%a%a%a%a%a%a%a%b'");
    query(
        "similar",
        "SELECT count(*) FROM mid WHERE REPEAT('a', 60) || s SIMILAR TO"
            + " '(a*)*(a|aa)*(a*)*(aa|a)*b'");
    query(
        "position",
        "SELECT count(*) FROM mid WHERE POSITION(CONCAT(REPEAT('a', 400000), s) IN REPEAT('a',"
            + " 900000)) > 0");
    query(
        "replace",
        "SELECT count(*) FROM mid WHERE CHAR_LENGTH(REPLACE(REPEAT('a', 900000),"
            + " REPEAT('a', 400000) || s, '')) = 1");
    query("explain", "EXPLAIN ANALYZE SELECT count(*) FROM big a, big b, big c");
  }

  private void texts() {
    String list =
        IntStream.range(0, 150_000).mapToObj(i -> "" + 7 * i).collect(Collectors.joining(","));
    query("long list", "SELECT count(*) FROM big WHERE id IN (" + list + ")");
    String ors =
        IntStream.range(0, 4_000)
            .mapToObj(i -> "(k = " + i + " AND s <> 'x" + i + "')")
            .collect(Collectors.joining(" OR "));
    query("many conditions", "SELECT count(*) FROM mid WHERE " + ors);
    String joins =
        IntStream.range(0, 24)
            .mapToObj(i -> " JOIN mid t" + i + " ON t" + i + ".id = m.k AND t" + i + ".s <> m.s")
            .collect(Collectors.joining());
    query("many joins", "SELECT count(*) FROM mid m" + joins);
    String unions =
        IntStream.range(0, 400)
            .mapToObj(i -> "SELECT id + " + i + " FROM mid WHERE k = " + i)
            .collect(Collectors.joining(" UNION "));
    query("many unions", unions);
  }

  private void changes() {
    change("insert", "INSERT INTO target SELECT a.id, b.k, c.s FROM mid a, mid b, mid c");
    change("insert keys", "INSERT INTO keyed SELECT id + 5000000, s FROM big");
    change(
        "insert own",
        "INSERT INTO target SELECT a.id, b.k, a.s FROM mid a, mid b, target c, mid e");
    change("create as", "CREATE TABLE made AS SELECT a.id, b.k, c.s FROM mid a, mid b, mid c");
    change("update", "UPDATE big SET s = s || (SELECT max(a.s) FROM mid a, mid b, mid c)");
    change(
        "update correlated", "UPDATE big SET k = (SELECT count(*) FROM big b WHERE b.id < big.id)");
    change("update keys", "UPDATE big SET id = id + 1000000");
    change("delete", "DELETE FROM big WHERE id IN (SELECT a.id FROM big a, mid b, mid c)");
    kinds.add(new Batch("batch insert", "INSERT INTO keyed VALUES (? + 1, CAST(? AS VARCHAR(9)))"));
    kinds.add(new Batch("batch update", "UPDATE big SET s = CAST(? AS VARCHAR(9)) WHERE id = ?"));
    change("truncate", "TRUNCATE TABLE big");
    change("vacuum", "VACUUM");
    change("checkpoint", "CHECKPOINT");
  }

  private void files() {
    kinds.add(
        new Change("backup", () -> "BACKUP TO '" + directory.resolve("backup" + files++) + "'"));
    kinds.add(
        new Change(
            "copy out",
            () ->
                "COPY (SELECT a.id, b.s FROM mid a, mid b, mid c) TO '"
                    + directory.resolve("out" + files++ + ".csv.gz")
                    + "' (FORMAT CSV)"));
    kinds.add(
        new Change(
            "copy in",
            () -> "COPY target FROM '" + directory.resolve("in.csv") + "' (FORMAT CSV)"));
  }
}
