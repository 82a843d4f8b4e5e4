package io.gpdb.jdbc;

import static io.gpdb.jdbc.TestDatabase.execute;
import static io.gpdb.jdbc.TestDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.simulation.far.FarDevice;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that is opened on another device while its connections go on. */
class DeviceChangeTest extends OnChangingDevices {
  private static final List<Supplier<Device>> DEVICES =
      List.of(
          OnChangingDevices::emulated,
          AnnouncingDevice::new,
          () -> new AnnouncingDevice(1000),
          () -> new FarDevice(emulated()));

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT count(*), sum(a), min(k), max(s) FROM t",
          "SELECT s, count(*), sum(a), sum(f) FROM t GROUP BY s ORDER BY s",
          "SELECT t.k, u.k FROM t JOIN u ON t.a = u.k WHERE t.k < 50 ORDER BY t.k, u.k",
          "SELECT k, a FROM t ORDER BY a DESC, k LIMIT 7",
          "SELECT * FROM t WHERE k = 17");

  private static final String BOUND = "SELECT s FROM t WHERE k < ? ORDER BY k";

  private int copies;

  private static void begin(Connection c) throws SQLException {
    fill(c);
    execute(c, "CREATE TABLE u (k INT PRIMARY KEY REFERENCES t)");
    execute(c, "CREATE SEQUENCE n");
    execute(c, "INSERT INTO u SELECT k FROM t WHERE k < 300");
  }

  /** A statement over values that random numbers say. */
  private static String change(Random random, int round) {
    int k = random.nextInt(3000);
    return switch (random.nextInt(8)) {
      case 0 -> "UPDATE t SET a = a + " + k + " WHERE MOD(k, 3) = 0";
      case 1 -> "UPDATE t SET s = 'new " + k % 5 + "', f = f + 1 WHERE k = " + k;
      case 2 -> "DELETE FROM t WHERE k BETWEEN " + (k + 300) + " AND " + (k + 330);
      case 3 -> "DELETE FROM u WHERE k = " + k % 300;
      case 4 ->
          "INSERT INTO t SELECT k + 10000 * (NEXT VALUE FOR n), a, f, s FROM t WHERE k BETWEEN "
              + k
              + " AND "
              + (k + 200);
      case 5 -> "CREATE TABLE x" + round + " AS SELECT k, s FROM t WHERE a < 100";
      case 6 -> "CREATE INDEX i" + round + " ON t (a, s)";
      default -> "UPDATE t SET f = NULL WHERE a < " + k % 400;
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"redo", "versioned", "checksummed", "auto"})
  void randomChangesAreThoseOfADatabaseThatKeepsItsDevice(String protocol) throws SQLException {
    long seed = Long.getLong("gpdb.seed", System.nanoTime());
    Random random = new Random(seed);
    String options = ";protocol=" + protocol;
    try (Connection near = DriverManager.getConnection("jdbc:gpdb:mem:");
        Connection one = DriverManager.getConnection(url() + options);
        Connection two = DriverManager.getConnection(url())) {
      begin(near);
      begin(one);
      PreparedStatement prepared = one.prepareStatement(BOUND);
      PreparedStatement counted = near.prepareStatement(BOUND);
      int rounds = Integer.getInteger("gpdb.fuzz", 12);
      for (int round = 0; round < rounds; round++) {
        String name = "seed=" + seed + ", round=" + round;
        for (int i = 0; i < 3; i++) {
          String sql = change(random, round * 3 + i);
          execute(random.nextBoolean() ? one : two, sql);
          execute(near, sql);
        }
        if (random.nextBoolean()) {
          execute(one, "BEGIN");
          execute(one, "UPDATE t SET a = -1");
          execute(one, "ROLLBACK");
        }
        if (random.nextInt(3) == 0) {
          requireCopyHas(near, name);
        }
        change(DEVICES.get(random.nextInt(DEVICES.size())));
        for (String question : QUESTIONS) {
          assertThat(rows(two, question))
              .as(name + ": " + question)
              .isEqualTo(rows(near, question));
        }
        int below = random.nextInt(3000);
        prepared.setInt(1, below);
        counted.setInt(1, below);
        assertThat(rows(prepared.executeQuery())).as(name).isEqualTo(rows(counted.executeQuery()));
      }
      assertThat(one.unwrap(GpdbConnection.class).check()).as("seed=" + seed).isEmpty();
    }
  }

  /** What a kill would leave now is recovered by a database that knows nothing of devices. */
  private void requireCopyHas(Connection near, String name) throws SQLException {
    Path copy = folder.resolve("copy" + copies++);
    CopiedFiles.copy(folder.resolve("db"), copy);
    try (Connection recovered = DriverManager.getConnection("jdbc:gpdb:" + copy)) {
      for (String question : QUESTIONS) {
        assertThat(rows(recovered, question)).as(name).isEqualTo(rows(near, question));
      }
    }
  }

  @Test
  void whatIsInUseIsRefusedAndGoesOn() throws SQLException {
    try (Connection one = DriverManager.getConnection(url());
        Connection two = DriverManager.getConnection(url());
        Statement reading = two.createStatement()) {
      begin(one);
      execute(two, "BEGIN");
      execute(two, "UPDATE t SET a = 5 WHERE k = 5");
      requireState("55006", () -> execute(one, "SET device = auto"));
      requireState("25000", () -> execute(two, "SET device = auto"));
      execute(two, "COMMIT");
      try (ResultSet open = reading.executeQuery("SELECT * FROM t")) {
        assertThat(open.next()).isTrue();
        requireState("55006", () -> execute(one, "SET device = auto"));
        requireState("55006", () -> execute(two, "SET device = auto"));
        assertThat(rows(open)).hasSize(2999);
      }
      execute(two, "DECLARE c CURSOR WITH HOLD FOR SELECT k FROM t");
      execute(two, "OPEN c");
      requireState("55006", () -> execute(one, "SET device = auto"));
      execute(two, "CLOSE c");
      execute(two, "SET persistency = versioned");
      requireState("55006", () -> execute(one, "SET device = auto"));
      execute(two, "SET persistency = DEFAULT");
      execute(one, "SET device = auto");
      assertThat(rows(two, "SELECT a FROM t WHERE k = 5")).containsExactly("5");
    }
  }

  private static void requireState(String state, ThrowingCallable act) {
    assertThatThrownBy(act)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void temporaryTablesSequencesAndSettingsStay() throws SQLException {
    try (Connection one = DriverManager.getConnection(url());
        Connection two = DriverManager.getConnection(url())) {
      begin(one);
      execute(two, "CREATE TEMPORARY TABLE own (a INT)");
      execute(two, "INSERT INTO own VALUES (1), (2)");
      execute(two, "SET auto_vacuum = off");
      assertThat(rows(two, "VALUES NEXT VALUE FOR n")).containsExactly("1");
      one.setAutoCommit(false);
      execute(one, "SET device = auto");
      assertThat(rows(one, "SHOW device").getFirst()).startsWith("emulated");
      one.commit();
      change(AnnouncingDevice::new);
      assertThat(rows(one, "SHOW device").getFirst()).doesNotStartWith("emulated");
      one.commit();
      assertThat(rows(two, "SELECT sum(a) FROM own")).containsExactly("3");
      assertThat(rows(two, "SHOW auto_vacuum")).containsExactly("off");
      assertThat(rows(two, "VALUES NEXT VALUE FOR n")).containsExactly("2");
      execute(two, "SET device = DEFAULT");
      assertThat(rows(two, "SELECT sum(a) FROM own")).containsExactly("3");
      assertThat(two.isValid(1)).isTrue();
    }
  }

  @Test
  void aDeviceThatIsNotThereOrCannotOpenItChangesNothing() throws SQLException {
    assumeThat(Path.of("/dev/nvidiactl")).doesNotExist();
    try (Connection one = DriverManager.getConnection(url() + ";protocol=undo")) {
      begin(one);
      requireState("08001", () -> execute(one, "SET device = 'cuda:1'"));
      requireState("22023", () -> execute(one, "SET device = 'gpu'"));
      assertThat(rows(one, "SHOW device").getFirst()).startsWith("emulated");
      Supplier<Device> refused =
          () -> {
            throw new IllegalStateException("no such device");
          };
      assertThatThrownBy(() -> change(refused)).hasMessage("no such device");
      execute(one, "UPDATE t SET a = 7 WHERE k = 7");
      assertThat(rows(one, "SELECT a FROM t WHERE k = 7")).containsExactly("7");
    }
  }

  /** Kernels of that device cannot store to a disk's file, which protocol=undo needs. */
  @Test
  void aDatabaseThatCannotBeOpenedThereGoesOnWhereItWas() throws SQLException, IOException {
    assumeThat(Files.getFileStore(folder).type()).isNotEqualTo("tmpfs");
    try (Connection one = DriverManager.getConnection(url() + ";protocol=undo")) {
      begin(one);
      assertThatThrownBy(() -> change(AnnouncingDevice::new)).hasMessageContaining("protocol=undo");
      assertThat(rows(one, "SHOW device").getFirst()).startsWith("emulated");
      execute(one, "UPDATE t SET a = 7 WHERE k = 7");
      assertThat(rows(one, "SELECT a FROM t WHERE k = 7")).containsExactly("7");
    }
  }

  @Test
  void aStatementThatRunsIsNotDisturbed() throws Exception {
    try (Connection one = DriverManager.getConnection(url());
        Connection two = DriverManager.getConnection(url())) {
      begin(one);
      CompletableFuture<Integer> changes =
          CompletableFuture.supplyAsync(
              () -> {
                int done = 0;
                for (int i = 0; i < 300; i++) {
                  done += addOne(two);
                }
                return done;
              });
      int changed = 0;
      while (!changes.isDone()) {
        try {
          change(DEVICES.get(changed % 2));
          changed++;
        } catch (GpdbException e) {
          assertThat(e).hasMessageContaining("SET device while");
        }
      }
      assertThat(changes.get()).isEqualTo(300);
      assertThat(changed).isPositive();
      assertThat(rows(one, "SELECT a FROM t WHERE k = 0")).containsExactly("300");
    }
  }

  private static int addOne(Connection c) {
    try (Statement s = c.createStatement()) {
      return s.executeUpdate("UPDATE t SET a = a + 1 WHERE k = 0");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
