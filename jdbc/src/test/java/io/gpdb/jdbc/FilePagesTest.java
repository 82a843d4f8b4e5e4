package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With a {@code memory_limit} the process keeps few pages of the database's file, whatever is read
 * of it, and reads the same of it as with all of them.
 */
class FilePagesTest {
  private static final int ROWS = 1 << 21;

  /** Of the columns that are read. */
  private static final int TABLE_MIB = (ROWS >> 20) * 5 * Long.BYTES;

  /** 32 MiB may come before pages are given up, and an eighth, or a read of as much, beside. */
  private static final int KEPT_MIB = 32 + 2 * 8 + 4;

  private static final String SUM =
      "SELECT sum(a), sum(b), sum(c), sum(d), sum(e), avg(d * e), min(id), max(e - d) FROM t";

  private static final Path STATUS = Path.of("/proc/self/status");

  @TempDir static Path directory;

  @BeforeAll
  static void fill() throws SQLException {
    try (Connection connection = open("")) {
      TestDatabase.execute(
          connection,
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a BIGINT, b BIGINT, c BIGINT,"
              + " d DOUBLE PRECISION, e DOUBLE PRECISION)");
      TestDatabase.execute(connection, "INSERT INTO t VALUES (0, 7, 3, 0, 5e-1, 1)");
      for (int rows = 1; rows < ROWS; rows *= 2) {
        TestDatabase.execute(
            connection,
            "INSERT INTO t SELECT id + "
                + rows
                + ", MOD(a * 7919 + id, 100003), b + MOD(id, 3), c + "
                + rows
                + ", d * 1.00001e0 + id, 1 / (d + 1e0) FROM t");
      }
    }
  }

  @BeforeEach
  void isOnLinux() {
    assumeTrue(Files.exists(STATUS));
  }

  private static Connection open(String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve("db") + ";workers=2" + options);
  }

  /** Pages of files that this process has in its memory. */
  private static long fileMib() throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith("RssFile:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
      }
    }
    throw new AssertionError("RssFile is not in " + STATUS);
  }

  @Test
  void aScanKeepsNoMorePagesThanThereMayBe() throws Exception {
    String all;
    long before = fileMib();
    try (Connection connection = open("")) {
      all = String.join("", TestDatabase.rows(connection, SUM));
      assertThat(fileMib() - before).isGreaterThan(TABLE_MIB);
    }
    before = fileMib();
    try (Connection connection = open(";memory_limit=16777216")) {
      for (int round = 0; round < 3; round++) {
        assertThat(TestDatabase.rows(connection, SUM)).containsExactly(all);
        assertThat(fileMib() - before).as("round %d", round).isLessThan(KEPT_MIB);
      }
    }
  }

  @Test
  void rowsByKeyKeepNoMorePagesThanThereMayBe() throws Exception {
    Random random = new Random(1);
    long before = fileMib();
    try (Connection connection = open(";memory_limit=16777216");
        PreparedStatement query =
            connection.prepareStatement("SELECT a, b, c, d, e FROM t WHERE id = ?")) {
      for (int k = 0; k < 10_000; k++) {
        int id = random.nextInt(ROWS);
        query.setInt(1, id);
        try (ResultSet row = query.executeQuery()) {
          assertThat(row.next()).isTrue();
          assertThat(row.getLong(3)).isEqualTo(id);
        }
      }
      assertThat(fileMib() - before).isLessThan(KEPT_MIB + 16); // pages of the key's index, too
    }
  }
}
