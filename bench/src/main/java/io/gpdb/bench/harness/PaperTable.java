package io.gpdb.bench.harness;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;

/**
 * The table of the GPM paper's gpDB workload (Pandey et al. 2022, section 5): an id and six columns
 * of four bytes, uniform and normal around 5 and 20.
 */
public final class PaperTable {
  static final String CREATE =
      "CREATE TABLE test (id INTEGER PRIMARY KEY, uniformi INTEGER, normali5 INTEGER,"
          + " normali20 INTEGER, uniformf REAL, normalf5 REAL, normalf20 REAL)";
  public static final String INSERT = "INSERT INTO test VALUES (?, ?, ?, ?, ?, ?, ?)";

  /** Every value of uniformi below this is one row in twenty. */
  public static final int UNIFORM_BOUND = 1_000_000;

  public static final String UPDATE_FIVE_PERCENT =
      "UPDATE test SET normali5 = normali5 + 1 WHERE uniformi < " + UNIFORM_BOUND / 20;

  private PaperTable() {}

  public static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CREATE);
    }
  }

  /** Adds rows with ids firstId.. to the statement's batch; the same seed makes the same rows. */
  public static void fill(PreparedStatement insert, int firstId, int rows, long seed)
      throws SQLException {
    SplittableRandom random = new SplittableRandom(seed + firstId);
    for (int i = 0; i < rows; i++) {
      int uniform = random.nextInt(UNIFORM_BOUND);
      // The sum of four uniforms is normal enough here and costs a tenth of a true one.
      long bits = random.nextLong();
      int bell =
          (int) ((bits & 0xFF) + (bits >>> 8 & 0xFF) + (bits >>> 16 & 0xFF) + (bits >>> 24 & 0xFF));
      insert.setInt(1, firstId + i);
      insert.setInt(2, uniform);
      insert.setInt(3, bell * 10 / 1020);
      insert.setInt(4, bell * 40 / 1020);
      insert.setFloat(5, uniform / (float) UNIFORM_BOUND);
      insert.setFloat(6, bell / 102f);
      insert.setFloat(7, bell / 25.5f);
      insert.addBatch();
    }
  }

  /**
   * Inserts rows in transactions of {@code batchRows}; returns the seconds inside executeBatch and
   * commit.
   */
  public static double load(Connection connection, int rows, int batchRows, long seed)
      throws SQLException {
    connection.setAutoCommit(false);
    long nanos = 0;
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int at = 0; at < rows; at += batchRows) {
        fill(insert, at, Math.min(batchRows, rows - at), seed);
        long start = System.nanoTime();
        insert.executeBatch();
        connection.commit();
        nanos += System.nanoTime() - start;
      }
    }
    connection.setAutoCommit(true);
    return nanos / 1e9;
  }

  /** Inserts rows with ids from {@code firstId} on in one transaction. */
  public static void loadFrom(Connection connection, int firstId, int rows, long seed)
      throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      fill(insert, firstId, rows, seed);
      insert.executeBatch();
      connection.commit();
    }
    connection.setAutoCommit(true);
  }
}
