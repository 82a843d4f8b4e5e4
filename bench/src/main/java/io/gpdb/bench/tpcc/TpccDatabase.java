package io.gpdb.bench.tpcc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/**
 * A database that runs the transactions.
 *
 * @param durability what is durable when a commit has returned
 * @param locks whether it has SELECT … FOR UPDATE
 * @param settings statements for each connection
 */
record TpccDatabase(
    String name, String url, String durability, boolean locks, List<String> settings) {
  static final List<String> PEERS = List.of("h2", "hsqldb", "sqlite");

  static TpccDatabase of(String name, Path directory) {
    return switch (name) {
      case "gpdb" ->
          new TpccDatabase(
              name,
              "jdbc:gpdb:" + directory + ";lock_timeout=10000",
              "each commit is synced",
              true,
              List.of());
      case "h2" ->
          new TpccDatabase(
              name,
              "jdbc:h2:" + directory.resolve("db") + ";WRITE_DELAY=0;LOCK_TIMEOUT=10000",
              "WRITE_DELAY=0: each commit is written; H2 does not wait for a sync",
              true,
              List.of());
      case "hsqldb" ->
          new TpccDatabase(
              name,
              "jdbc:hsqldb:file:"
                  + directory.resolve("db")
                  + ";hsqldb.write_delay=false;hsqldb.tx=mvcc;hsqldb.default_table_type=cached",
              "write_delay=false: each commit is synced",
              false,
              List.of());
      case "sqlite" ->
          new TpccDatabase(
              name,
              "jdbc:sqlite:" + directory.resolve("db"),
              "WAL, synchronous=FULL: each commit is synced",
              false,
              List.of(
                  "PRAGMA busy_timeout = 10000",
                  "PRAGMA journal_mode = WAL",
                  "PRAGMA synchronous = FULL"));
      default -> throw new IllegalArgumentException("no such database: " + name);
    };
  }

  /**
   * Whether transactions are begun and ended by statements: SQLite's driver would begin the next
   * one, which keeps other writers out, with the commit of the last.
   */
  boolean beginsByStatement() {
    return name.equals("sqlite");
  }

  Connection connect() throws SQLException {
    Properties properties = new Properties();
    if (name.equals("hsqldb")) {
      properties.setProperty("user", "SA");
    }
    Connection connection = DriverManager.getConnection(url, properties);
    try (Statement statement = connection.createStatement()) {
      for (String setting : settings) {
        statement.execute(setting);
      }
    }
    if (!name.equals("sqlite")) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
    return connection;
  }
}
