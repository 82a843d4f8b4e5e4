package io.gpdb.bench.kill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One row that several connections count up, each waiting for the others: a row is free for the
 * next of them as soon as its last commit is in the log, and not yet durable. Each count writes a
 * row of its own beside it.
 *
 * <p>What is found after a kill: the counts from 1 to that of the row, each once, so that no
 * transaction is there without the one whose count it went on from, or in part; each connection's
 * own numbers from 1 on, in the order of the counts, and whatever was acknowledged of them; and no
 * count below one that a transaction saw which has ended, even if it changed nothing.
 */
final class HotRow {
  static final int WORKERS = 4;

  /** Another one wrote, waited too long, or waits for this one. */
  private static final Set<String> CONFLICTS = Set.of("40001", "55P03", "40P01");

  private final Connection connection;
  private final Ledger ledger;
  private final int worker;
  private final SplittableRandom random;

  /** {@code worker} is counted from {@link KillWorkload#WORKERS} in the ledger. */
  HotRow(Connection connection, Ledger ledger, long seed, int worker) {
    this.connection = connection;
    this.ledger = ledger;
    this.worker = worker;
    this.random = new SplittableRandom(seed + worker);
  }

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE hot (id INTEGER PRIMARY KEY, n BIGINT NOT NULL)");
      statement.execute("INSERT INTO hot VALUES (1, 0)");
      statement.execute(
          "CREATE TABLE counted (n BIGINT PRIMARY KEY, worker INTEGER NOT NULL, k BIGINT NOT NULL,"
              + " UNIQUE (worker, k))");
    }
  }

  /** Counts until the parent ends it, or until its count {@code last} is done. */
  void run(long last) throws SQLException {
    long done;
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT coalesce(max(k), 0) FROM counted WHERE worker = " + worker)) {
      row.next();
      done = row.getLong(1);
    }
    ledger.settle(worker, done);
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    try (Statement setting = connection.createStatement();
        PreparedStatement count = connection.prepareStatement("UPDATE hot SET n = n + 1");
        PreparedStatement beside =
            connection.prepareStatement("INSERT INTO counted SELECT n, ?, ? FROM hot");
        PreparedStatement look =
            connection.prepareStatement("SELECT n FROM hot WHERE id = 1 FOR UPDATE")) {
      setting.execute("SET lock_timeout = 5000");
      beside.setInt(1, worker);
      while (done < last && !ledger.mustEnd()) {
        int kind = random.nextInt(8);
        if (kind == 0) {
          look(look);
        } else if (count(count, beside, done + 1, kind > 1)) {
          done++;
        }
      }
    }
  }

  /** Whether it is committed. */
  private boolean count(PreparedStatement count, PreparedStatement beside, long k, boolean commits)
      throws SQLException {
    try {
      ledger.begin(worker, commits ? k : k - 1);
      count.executeUpdate();
      beside.setLong(2, k);
      beside.executeUpdate();
      if (commits) {
        connection.commit();
        ledger.acknowledge(worker, k);
      } else {
        connection.rollback();
      }
      return commits;
    } catch (SQLException e) {
      giveWay(e);
      return false;
    }
  }

  /** Sees the newest count, which may not be durable, and changes nothing. */
  private void look(PreparedStatement look) throws SQLException {
    try {
      long seen;
      try (ResultSet row = look.executeQuery()) {
        row.next();
        seen = row.getLong(1);
      }
      connection.rollback();
      ledger.see(worker, seen);
    } catch (SQLException e) {
      giveWay(e);
    }
  }

  private void giveWay(SQLException conflict) throws SQLException {
    if (!CONFLICTS.contains(conflict.getSQLState())) {
      throw conflict;
    }
    connection.rollback();
  }

  /** What is wrong with what was found; the workers go on behind it. */
  static List<String> problems(Connection connection, Ledger ledger) throws SQLException {
    List<String> problems = new ArrayList<>();
    long[] found = new long[KillWorkload.WORKERS + WORKERS];
    long counts = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT n, worker, k FROM counted ORDER BY n")) {
      while (rows.next()) {
        counts++;
        if (rows.getLong(1) != counts || rows.getLong(3) != ++found[rows.getInt(2)]) {
          problems.add(
              "count %d of worker %d, its %d., is found as number %d, its %d."
                  .formatted(
                      rows.getLong(1),
                      rows.getInt(2),
                      rows.getLong(3),
                      counts,
                      found[rows.getInt(2)]));
          return problems;
        }
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT n FROM hot")) {
      row.next();
      if (row.getLong(1) != counts) {
        problems.add("the hot row has %d, and %d counts".formatted(row.getLong(1), counts));
      }
    }
    for (int worker = KillWorkload.WORKERS; worker < found.length; worker++) {
      problems.addAll(problems(ledger, worker, found[worker], counts));
      ledger.settle(worker, found[worker]);
    }
    return problems;
  }

  private static List<String> problems(Ledger ledger, int worker, long found, long counts) {
    List<String> problems = new ArrayList<>();
    if (found < ledger.acknowledged(worker) || found > ledger.begun(worker)) {
      problems.add(
          "worker %d: count %d is the last found, %d the last acknowledged, %d the last begun"
              .formatted(worker, found, ledger.acknowledged(worker), ledger.begun(worker)));
    }
    if (ledger.seen(worker) > counts) {
      problems.add(
          "worker %d saw count %d, and %d are there"
              .formatted(worker, ledger.seen(worker), counts));
    }
    return problems;
  }
}
