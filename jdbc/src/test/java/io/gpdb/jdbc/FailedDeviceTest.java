package io.gpdb.jdbc;

import static io.gpdb.jdbc.TestDatabase.execute;
import static io.gpdb.jdbc.TestDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.AnnouncingDevice;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A GPU that fails under an open database, which SET device opens on another one. */
class FailedDeviceTest extends OnChangingDevices {
  private static final List<String> QUESTIONS =
      List.of(
          "SELECT count(*), sum(a), min(k), max(s) FROM t",
          "SELECT s, count(*), sum(a), sum(f) FROM t GROUP BY s ORDER BY s",
          "SELECT k, a FROM t ORDER BY a DESC, k LIMIT 7",
          "SELECT * FROM t WHERE k = 17");

  private static List<String> answers(Connection c) throws SQLException {
    List<String> rows = new ArrayList<>();
    for (String question : QUESTIONS) {
      rows.addAll(rows(c, question));
    }
    return rows;
  }

  private static String change(Random random, int round) {
    int k = random.nextInt(3000);
    return switch (random.nextInt(6)) {
      case 0 -> "UPDATE t SET a = a + " + k + " WHERE MOD(k, 3) = 0";
      case 1 -> "UPDATE t SET s = 'new " + k % 5 + "', f = f + 1 WHERE k = " + k;
      case 2 -> "DELETE FROM t WHERE k BETWEEN " + k + " AND " + (k + 30);
      case 3 ->
          "INSERT INTO t SELECT k + 10000 * (SELECT count(*) FROM t), a, f, s FROM t"
              + (" WHERE k BETWEEN " + k + " AND " + (k + 200));
      case 4 -> "CREATE INDEX i" + round + " ON t (a, s)";
      default -> "UPDATE t SET f = NULL WHERE a < " + k % 400;
    };
  }

  private static boolean fails(Connection c, String sql) throws SQLException {
    try {
      execute(c, sql);
      return false;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(sql).isEqualTo("58000");
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redo", "versioned", "checksummed", "auto"})
  void whatWasCommittedIsThereOnAnotherDevice(String protocol) throws SQLException {
    long seed = Long.getLong("gpdb.seed", System.nanoTime());
    Random random = new Random(seed);
    try (Connection near = DriverManager.getConnection("jdbc:gpdb:mem:");
        Connection one = DriverManager.getConnection(url() + ";protocol=" + protocol);
        Connection two = DriverManager.getConnection(url())) {
      fill(near);
      fill(one);
      int rounds = Integer.getInteger("gpdb.fuzz", 12);
      for (int round = 0; round < rounds; round++) {
        String name = "seed=" + seed + ", round=" + round;
        AnnouncingDevice device = new AnnouncingDevice(random.nextBoolean() ? 0 : 1000);
        change(() -> device);
        String failed = null;
        if (random.nextInt(3) == 0) {
          failInTransaction(random, two, device);
        } else {
          failed = failInChanges(random, round, one, near, device);
        }
        if (random.nextBoolean()) {
          change(OnChangingDevices::emulated);
        } else {
          execute(random.nextBoolean() ? one : two, "SET device = auto");
        }
        // As with a kill, a commit that failed may be in the log.
        if (failed != null && !answers(one).equals(answers(near))) {
          execute(near, failed);
        }
        assertThat(answers(two)).as(name + ": " + failed).isEqualTo(answers(near));
      }
      assertThat(one.unwrap(GpdbConnection.class).check()).as("seed=" + seed).isEmpty();
    }
  }

  /** The change that failed; null where none did before the device had. */
  private static @Nullable String failInChanges(
      Random random, int round, Connection one, Connection near, AnnouncingDevice device)
      throws SQLException {
    device.failAfter(random.nextInt(300));
    for (int i = 0; !device.hasFailed(); i++) {
      String sql = change(random, round * 100 + i);
      if (fails(one, sql)) {
        return sql;
      }
      execute(near, sql);
    }
    return null;
  }

  /** Whatever it is in, the transaction ends, and nothing of it stays. */
  private static void failInTransaction(Random random, Connection two, AnnouncingDevice device)
      throws SQLException {
    execute(two, "BEGIN");
    execute(two, "UPDATE t SET a = -1 WHERE MOD(k, 2) = 0");
    device.failAfter(random.nextInt(20));
    boolean failed = false;
    for (int i = 0; !failed && i < 20; i++) {
      failed = fails(two, "UPDATE t SET a = a - 1 WHERE MOD(k, 5) = " + i % 5);
    }
    device.failAfter(0);
    execute(two, "ROLLBACK");
  }

  @Test
  void withoutAnotherDeviceStatementsSayWhatFailed() throws SQLException {
    try (Connection one = DriverManager.getConnection(url())) {
      fill(one);
      AnnouncingDevice device = new AnnouncingDevice();
      change(() -> device);
      execute(one, "UPDATE t SET a = 5 WHERE k < 100");
      device.failAfter(0);
      assertThat(fails(one, "UPDATE t SET a = 6")).isTrue();
      assertThat(fails(one, "SELECT sum(a) FROM t")).isTrue();
      Supplier<Device> another =
          () -> {
            throw new IllegalStateException("no such device");
          };
      assertThatThrownBy(() -> change(another)).hasMessage("no such device");
      assertThat(fails(one, "UPDATE t SET a = 6")).isTrue();
      execute(one, "SET device = auto");
      execute(one, "UPDATE t SET a = 7 WHERE k = 7");
    }
  }
}
