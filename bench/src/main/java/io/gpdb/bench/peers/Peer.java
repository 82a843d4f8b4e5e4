package io.gpdb.bench.peers;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** An embedded database with one setting of durability. */
public enum Peer {
  GPDB("gpdb", true, "each commit is synced"),
  H2("h2", false, "WRITE_DELAY=0: each commit is written, not synced"),
  H2_DEFAULT("h2-default", false, "default: written within 500 ms"),
  HSQLDB("hsqldb", true, "write_delay=false: each commit is synced"),
  HSQLDB_DEFAULT("hsqldb-default", false, "default: synced within 500 ms"),
  DERBY("derby", true, "default: each commit is synced"),
  SQLITE("sqlite", true, "WAL, synchronous=FULL: each commit is synced"),
  DUCKDB("duckdb", true, "default: each commit is synced");

  private static final int KIBIBYTE = 1024;

  private final String label;
  private final boolean durable;
  private final String durability;

  Peer(String label, boolean durable, String durability) {
    this.label = label;
    this.durable = durable;
    this.durability = durability;
  }

  /** Its name on the command line and in reports. */
  public String label() {
    return label;
  }

  /** Whether what is committed survives a loss of power. */
  boolean isDurable() {
    return durable;
  }

  /** What is durable when a commit has returned. */
  public String durability() {
    return durability;
  }

  /** The peer of that name, null where there is none. */
  public static @Nullable Peer named(String label) {
    return Arrays.stream(values()).filter(p -> p.label.equals(label)).findAny().orElse(null);
  }

  /** The peer of that name, of which there is one. */
  public static Peer required(String label) {
    return Objects.requireNonNull(named(label), label);
  }

  /** All names, as the command line takes them. */
  static List<String> labels() {
    return Arrays.stream(values()).map(Peer::label).toList();
  }

  /** Whether one statement runs on several threads, as many as it is told. */
  public boolean hasWorkers() {
    return this == GPDB || this == DUCKDB;
  }

  /** Whether its driver runs a batch as so many statements, one after another. */
  boolean runsBatchesByRow() {
    return this == DUCKDB;
  }

  private String url(Path directory, int workers, long memoryBytes) {
    Path file = directory.resolve("db");
    return switch (this) {
      case GPDB ->
          "jdbc:gpdb:"
              + file
              + ";lock_timeout=10000;workers="
              + workers
              + (memoryBytes == 0 ? "" : ";memory_limit=" + memoryBytes);
      case H2 -> "jdbc:h2:" + file + ";WRITE_DELAY=0;LOCK_TIMEOUT=10000";
      case H2_DEFAULT -> "jdbc:h2:" + file + ";LOCK_TIMEOUT=10000";
      case HSQLDB ->
          "jdbc:hsqldb:file:"
              + file
              + ";shutdown=true;hsqldb.write_delay=false;hsqldb.tx=mvcc;hsqldb.default_table_type=cached";
      case HSQLDB_DEFAULT ->
          "jdbc:hsqldb:file:"
              + file
              + ";shutdown=true;hsqldb.tx=mvcc;hsqldb.default_table_type=cached";
      case DERBY -> "jdbc:derby:" + file + ";create=true";
      case SQLITE -> "jdbc:sqlite:" + file;
      case DUCKDB -> "jdbc:duckdb:" + file;
    };
  }

  /** Whether its driver is on the class path. */
  public boolean hasDriver() {
    return driver().isPresent();
  }

  /** Its driver, where that is on the class path. */
  Optional<Driver> driver() {
    String url = url(Path.of("none"), 1, 0);
    return DriverManager.drivers()
        .filter(
            driver -> {
              try {
                return driver.acceptsURL(url);
              } catch (SQLException e) {
                return false;
              }
            })
        .findFirst();
  }

  /** A connection to the database in the directory, which is made where there is none. */
  public Connection connect(Path directory, int workers) throws SQLException {
    return connect(directory, workers, 0);
  }

  /**
   * As {@link #connect(Path, int)}, with a limit of memory where statements have one.
   *
   * @param memoryBytes 0 where the database decides
   */
  public Connection connect(Path directory, int workers, long memoryBytes) throws SQLException {
    Properties properties = new Properties();
    if (this == HSQLDB || this == HSQLDB_DEFAULT) {
      properties.setProperty("user", "SA");
    }
    Connection connection =
        DriverManager.getConnection(url(directory, workers, memoryBytes), properties);
    try (Statement statement = connection.createStatement()) {
      for (String setting : settings(workers, memoryBytes)) {
        statement.execute(setting);
      }
    }
    return connection;
  }

  private List<String> settings(int workers, long memoryBytes) {
    List<String> settings = new ArrayList<>();
    if (this == SQLITE) {
      settings.add("PRAGMA busy_timeout = 10000");
      settings.add("PRAGMA journal_mode = WAL");
      settings.add("PRAGMA synchronous = FULL");
    }
    if (this == DUCKDB) {
      settings.add("SET threads = " + workers);
      if (memoryBytes != 0) {
        settings.add("SET memory_limit = '" + memoryBytes / KIBIBYTE + "KiB'");
      }
    }
    return settings;
  }

  /** Ends what goes on after the last connection was closed. */
  void shutDown(Path directory) {
    if (this == DERBY) {
      try {
        DriverManager.getConnection("jdbc:derby:" + directory.resolve("db") + ";shutdown=true")
            .close();
      } catch (SQLException e) {
        assert "08006".equals(e.getSQLState()) : e; // what a shutdown that succeeded raises
      }
    }
  }

  /** The query in the peer's dialect. */
  String dialect(String sql) {
    return this == DERBY ? sql.replaceAll(" LIMIT (\\d+)$", " FETCH FIRST $1 ROWS ONLY") : sql;
  }
}
