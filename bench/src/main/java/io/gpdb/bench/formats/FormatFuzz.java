package io.gpdb.bench.formats;

import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.jdbc.DatabaseCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Opens databases of which one field was changed, with right checksums: each opens and can be read,
 * or is refused as damaged (XX001), in bounded time and memory.
 */
final class FormatFuzz implements AutoCloseable {
  private static final String[] PROTOCOLS = {"redo", "undo", "versioned", "checksummed", "auto"};
  private static final long MILLIS_MAX = 10_000;
  private static final long RESIDENT_BYTES_MAX = 512L << 20;
  private static final int PAGE_BYTES = 4096;

  /** Damage, an unknown version or a file of another database. */
  private static final List<String> STATES = List.of("XX001", "0A000");

  private final long seed;
  private final ScratchDirectory scratch;
  private final List<Path> bases = new ArrayList<>();
  private final Map<String, int[]> tallies = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  FormatFuzz(long seed) throws IOException, SQLException {
    this.seed = seed;
    scratch = new ScratchDirectory(null);
    for (String protocol : PROTOCOLS) {
      bases.addAll(make(protocol));
    }
  }

  /** By structure: how many were opened, and how many refused. */
  Map<String, int[]> tallies() {
    return tallies;
  }

  List<String> violations() {
    return violations;
  }

  /** A database while it is open, one transaction in it, and after it was closed. */
  private List<Path> make(String protocol) throws IOException, SQLException {
    Path path = scratch.fresh();
    Path killed = scratch.fresh();
    String url = "jdbc:gpdb:" + path + ";protocol=" + protocol;
    try (Connection connection = DriverManager.getConnection(url)) {
      try (Statement s = connection.createStatement()) {
        s.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BIGINT, w DOUBLE, name VARCHAR(40))");
        for (int from = 0; from < 300; from += 100) {
          s.execute(insert(from, 100));
        }
      }
    }
    try (Connection connection = DriverManager.getConnection(url);
        Connection open = DriverManager.getConnection(url)) {
      try (Statement s = connection.createStatement()) {
        s.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, v BIGINT)");
        s.execute("INSERT INTO u VALUES (1, 1), (2, NULL)");
        s.execute(insert(300, 40));
        s.execute("UPDATE t SET v = v + 1, name = 'changed ' || id WHERE id < 50");
        s.execute("UPDATE t SET w = NULL WHERE id BETWEEN 100 AND 299");
        s.execute("DELETE FROM t WHERE id BETWEEN 20 AND 30");
        s.execute("UPDATE t SET id = id + 10000 WHERE id = 60");
      }
      open.setAutoCommit(false);
      try (Statement s = open.createStatement()) {
        s.execute("UPDATE t SET v = 0 WHERE id BETWEEN 70 AND 90");
      }
      copy(path, killed);
      open.rollback();
    }
    return List.of(killed, path);
  }

  private static String insert(int from, int n) {
    StringBuilder sql = new StringBuilder("INSERT INTO t VALUES ");
    for (int id = from; id < from + n; id++) {
      sql.append(id == from ? "" : ", ").append('(').append(id).append(", ");
      sql.append(id % 7 == 0 ? "NULL" : id * 1000L).append(", ").append(id * 0.5);
      sql.append(", 'name ").append(id % 40).append("')");
    }
    return sql.toString();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.toList()) {
        if (!file.getFileName().toString().equals("gpdb.lock")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }

  /** Judges the n-th changed database of the seed. */
  void run(int n) throws IOException {
    Random random = new Random(seed * 1_000_003 + n);
    FormatImage image = new FormatImage(bases.get(random.nextInt(bases.size())));
    List<String> structures = image.parts().stream().map(Part::structure).distinct().toList();
    String structure = structures.get(random.nextInt(structures.size()));
    List<Part> parts = image.parts().stream().filter(p -> p.structure().equals(structure)).toList();
    Part part = parts.get(random.nextInt(parts.size()));
    String change = change(image.file(part.file()), part, random);
    String what = "seed=%d n=%d %s %s".formatted(seed, n, structure, change);
    Path path = scratch.fresh();
    image.write(path);
    long start = System.nanoTime();
    long before = residentBytes();
    String outcome = outcome(path);
    long millis = (System.nanoTime() - start) / 1_000_000;
    long more = residentBytes() - before;
    ScratchDirectory.delete(path);
    int[] tally = tallies.computeIfAbsent(structure, s -> new int[2]);
    tally[outcome.equals("opened") ? 0 : 1]++;
    if (outcome.startsWith("!")) {
      violations.add(what + ": " + outcome.substring(1));
    }
    if (millis > MILLIS_MAX || more > RESIDENT_BYTES_MAX) {
      violations.add(
          "%s: %d ms, %d bytes of memory, files of %d bytes"
              .formatted(what, millis, more, image.bytes()));
    }
  }

  private static String change(ByteBuffer file, Part part, Random random) {
    int width = Math.min(1 << random.nextInt(4), Integer.highestOneBit(part.to() - part.from()));
    int places = (part.to() - part.from()) / width;
    int at = part.from() + random.nextInt(places) * width;
    long old = get(file, at, width);
    long value =
        switch (random.nextInt(9)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> old + 1;
          case 3 -> old - 1;
          case 4 -> Long.MIN_VALUE >> (Long.SIZE - 8 * width);
          case 5 -> Long.MAX_VALUE >>> (Long.SIZE - 8 * width);
          case 6 -> old ^ 1L << random.nextInt(8 * width);
          case 7 -> 60_000_000_000L >>> random.nextInt(30);
          default -> random.nextLong();
        };
    put(file, at, width, value);
    part.seal().run();
    return "%s:%d of %d..%d, %d bytes, %d for %d"
        .formatted(part.file(), at, part.from(), part.to(), width, value, old);
  }

  private static long get(ByteBuffer file, int at, int width) {
    return switch (width) {
      case 1 -> file.get(at);
      case 2 -> file.getShort(at);
      case 4 -> file.getInt(at);
      default -> file.getLong(at);
    };
  }

  private static void put(ByteBuffer file, int at, int width, long value) {
    switch (width) {
      case 1 -> file.put(at, (byte) value);
      case 2 -> file.putShort(at, (short) value);
      case 4 -> file.putInt(at, (int) value);
      default -> file.putLong(at, value);
    }
  }

  /** The outcome of opening and reading; with an exclamation mark where that is a fault. */
  private static String outcome(Path path) {
    try {
      DatabaseCheck.run(path);
    } catch (SQLException e) {
      if (!STATES.contains(String.valueOf(e.getSQLState()))) {
        return "!check: " + e.getSQLState() + " " + e;
      }
    } catch (RuntimeException | Error e) {
      return "!check: " + text(e);
    }
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + path)) {
      try (Statement s = connection.createStatement()) {
        for (String sql :
            List.of(
                "SELECT * FROM t",
                "SELECT count(*), sum(v) FROM t WHERE name LIKE '%e%'",
                "SELECT * FROM t WHERE id = 65",
                "SELECT * FROM u",
                "INSERT INTO t VALUES (-5, 1, 2, 'new')",
                "UPDATE t SET v = 5 WHERE id = -5")) {
          run(s, sql);
        }
      }
      return "opened";
    } catch (SQLException e) {
      return STATES.contains(String.valueOf(e.getSQLState())) || isOfContents(e)
          ? "refused"
          : "!" + e.getSQLState() + " " + text(e);
    } catch (RuntimeException | Error e) {
      return "!" + text(e);
    }
  }

  /** Names and values that were changed into others make other answers: a table has gone, say. */
  private static boolean isOfContents(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("42") || state.startsWith("22") || state.startsWith("23");
  }

  private static String text(Throwable e) {
    StringBuilder text = new StringBuilder(e.toString());
    for (Throwable t = e; t != null; t = t.getCause()) {
      StackTraceElement[] trace = t.getStackTrace();
      text.append(" <- ").append(t.getClass().getSimpleName());
      for (int i = 0; i < Math.min(4, trace.length); i++) {
        text.append(" at ").append(trace[i]);
      }
    }
    return text.toString();
  }

  private static void run(Statement s, String sql) throws SQLException {
    if (s.execute(sql)) {
      try (ResultSet rows = s.getResultSet()) {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          for (int c = 1; c <= columns; c++) {
            rows.getObject(c);
          }
        }
      }
    }
  }

  private static long residentBytes() throws IOException {
    Path statm = Path.of("/proc/self/statm");
    if (!Files.exists(statm)) {
      return 0;
    }
    String text = Files.readString(statm);
    int from = text.indexOf(' ') + 1;
    return Long.parseLong(text, from, text.indexOf(' ', from), 10) * PAGE_BYTES;
  }

  @Override
  public void close() throws IOException {
    scratch.close();
  }
}
