package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Aggregates over a table of several tablets on the CUDA device, run again and again between
 * changes and beside them: a plan that keeps its windows answers as one that is made anew.
 */
class KeptReductionTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);

  private static final int FIRST_ROWS = 1 << 16;

  /** Four tablets. */
  private static final int DOUBLINGS = 2;

  private static final List<String> QUERIES =
      List.of(
          "SELECT count(*), sum(a), count(x) FROM t WHERE b < ?",
          "SELECT min(a), max(x), sum(d) FROM t WHERE a > ?",
          "SELECT count(*), max(s), min(s) FROM t WHERE s LIKE '%7%' AND b <> ?",
          "SELECT sum(100 / (b - ?)) FROM t");

  private int texts;

  private static void fill(EndToEnd database) {
    database.run("CREATE TABLE t (a INT, b INT, x INT, d DOUBLE PRECISION, s VARCHAR(10))");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < FIRST_ROWS; i++) {
      rows.add(new Object[] {i, i % 100, i % 3, i / 7.0, "s" + i % 50});
    }
    database.batch("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows);
    for (int i = 0; i < DOUBLINGS; i++) {
      database.run("INSERT INTO t SELECT a, b, x, d, s FROM t");
    }
  }

  private static String answer(
      QueryEngine engine, Transaction tx, String sql, @Nullable Object parameter) {
    try {
      return EndToEnd.rows(engine, tx, sql, parameter).toString();
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    }
  }

  private void compare(EndToEnd database, Transaction tx, Random random, String place) {
    for (String sql : QUERIES) {
      for (int run = 0; run < 3; run++) {
        Object parameter = random.nextInt(10) == 0 ? null : random.nextInt(110);
        assertThat(answer(database.engine, tx, sql, parameter))
            .as(place + ", run=" + run + ": " + sql + " of " + parameter)
            .isEqualTo(answer(database.engine, tx, alike(sql), parameter));
      }
    }
  }

  /** Has a plan of its own. */
  private String alike(String sql) {
    return sql.replace("FROM t", "FROM t AS t" + ++texts);
  }

  private static void change(EndToEnd database, Random random) {
    int some = random.nextInt(FIRST_ROWS);
    switch (random.nextInt(7)) {
      case 0 -> database.run("UPDATE t SET a = a + 1, d = d + 1 WHERE a = ?", some);
      case 1 -> database.run("UPDATE t SET x = NULL WHERE a = ?", some);
      case 2 -> database.run("DELETE FROM t WHERE a = ?", some);
      case 3, 5 -> database.run("INSERT INTO t (a, b, s) VALUES (?, 3, ?)", some, "n7" + some);
      case 4 -> database.transactions().checkpoint();
      default -> {}
    }
  }

  private void compareBetweenChanges(EndToEnd database, int steps) {
    Random random = new Random(SEED);
    fill(database);
    Transaction older = database.begin();
    for (int step = 0; step < steps; step++) {
      String place = "seed=" + SEED + ", step=" + step;
      change(database, random);
      database.inTransaction(
          tx -> {
            compare(database, tx, random, place);
            return 0;
          });
      if (step % 4 == 3) {
        compare(database, older, random, place + ", older");
        older.rollback();
        older = database.begin();
      }
    }
    older.rollback();
  }

  @Test
  void tabletsOfTwoDevicesAreKeptByEach() {
    List<AnnouncingDevice> members = AnnouncingDevice.linked(2, 0);
    VolatileDirectory directory = new VolatileDirectory("kept-by-two");
    try (EndToEnd database =
        new EndToEnd(directory, new SpreadDevice(members), TxnOptions.standard())) {
      compareBetweenChanges(database, 4);
      for (AnnouncingDevice member : members) {
        assertThat(member.keptLaunches()).isGreaterThan(4);
      }
    }
  }

  @Test
  void queriesBetweenChangesAnswerAsThoseWhosePlansAreNew() {
    AnnouncingDevice device = new AnnouncingDevice();
    VolatileDirectory directory = new VolatileDirectory("kept-reduction");
    try (EndToEnd database = new EndToEnd(directory, device, TxnOptions.standard())) {
      compareBetweenChanges(database, 8);
      assertThat(device.keptLaunches()).as("launches of windows that were kept").isGreaterThan(4);
    }
  }

  private void requireKept(AnnouncingDevice device, EndToEnd database, String sql, int kept) {
    for (int run = 0; run < 4; run++) {
      int before = device.keptLaunches();
      List<String> rows = database.rows(sql, 50 + run);
      assertThat(device.keptLaunches() - before)
          .as("kept launches of run " + run + ": " + sql)
          .isEqualTo(run < 2 ? 0 : kept);
      assertThat(rows).isEqualTo(database.rows(alike(sql), 50 + run));
    }
  }

  @Test
  void whatIsReadFromTheThirdRunOnIsNotBoundAgain() {
    AnnouncingDevice device = new AnnouncingDevice();
    VolatileDirectory directory = new VolatileDirectory("kept-third");
    try (EndToEnd database = new EndToEnd(directory, device, TxnOptions.standard())) {
      fill(database);
      String sums = "SELECT count(*), sum(b), sum(d) FROM t WHERE b < ?";
      requireKept(device, database, sums, 1);
      database.run("UPDATE t SET x = x + 1 WHERE a = 7");
      requireKept(device, database, sums, 1);
      requireKept(device, database, "SELECT sum(100 / (b + 1)) FROM t WHERE b < ?", 1);
      requireKept(device, database, "SELECT count(*) FROM t WHERE s <> '7' AND b < ?", 0);
    }
  }

  /** The statement has a snapshot already, and holds no latch. */
  @Test
  void whatIsChangedBesideAKeptLaunchIsNotSeen() {
    AnnouncingDevice device = new AnnouncingDevice();
    VolatileDirectory directory = new VolatileDirectory("kept-beside");
    try (EndToEnd database = new EndToEnd(directory, device, TxnOptions.standard());
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      fill(database);
      String sum = "SELECT sum(b) FROM t WHERE a < 1000";
      String before = "[" + 4 * 1000 * 99 / 2 + "]";
      for (int run = 0; run < 3; run++) {
        assertThat(database.rows(sum)).hasToString(before);
      }
      device.beforeKeptLaunch(
          () -> done(threads.submit(() -> database.run("UPDATE t SET b = b + 1 WHERE a < 500"))));
      int kept = device.keptLaunches();
      assertThat(database.rows(sum)).hasToString(before);
      assertThat(device.keptLaunches()).isEqualTo(kept + 1);
      assertThat(database.rows(sum)).hasToString("[" + (4 * 1000 * 99 / 2 + 4 * 500) + "]");
    }
  }

  private static void done(Future<?> work) {
    try {
      work.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  /** Each row's two numbers add up to 1000, whatever a snapshot sees. */
  @Test
  void everySnapshotSeesWholeTransactions() throws Exception {
    AnnouncingDevice device = new AnnouncingDevice();
    VolatileDirectory directory = new VolatileDirectory("kept-threads");
    try (EndToEnd database = new EndToEnd(directory, device, TxnOptions.standard())) {
      fill(database);
      database.run("UPDATE t SET b = 1000 - a");
      AtomicBoolean isDone = new AtomicBoolean();
      try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
        Future<?> reader = threads.submit(() -> read(database, isDone));
        Future<?> second = threads.submit(() -> read(database, isDone));
        Future<?> writer = threads.submit(() -> move(device, database));
        try {
          writer.get();
        } finally {
          isDone.set(true);
        }
        reader.get();
        second.get();
      }
      assertThat(device.keptLaunches()).as("launches of windows that were kept").isPositive();
    }
  }

  private static void read(EndToEnd database, AtomicBoolean isDone) {
    while (!isDone.get()) {
      assertThat(database.rows("SELECT count(*), sum(a + b), min(a + b), max(a + b) FROM t"))
          .containsExactly("%d|%d|1000|1000".formatted(4 * FIRST_ROWS, 4000L * FIRST_ROWS));
    }
  }

  /** Readers go on until their windows are kept again. */
  private static void awaitKept(AnnouncingDevice device, int before) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (device.keptLaunches() == before && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void move(AnnouncingDevice device, EndToEnd database) {
    Random random = new Random(SEED);
    for (int i = 0; i < 20; i++) {
      int from = random.nextInt(FIRST_ROWS);
      int rows = 1 + random.nextInt(random.nextBoolean() ? 3 : 3000);
      database.run("UPDATE t SET a = a + 3, b = b - 3 WHERE a >= ? AND a < ?", from, from + rows);
      if (i % 10 == 9) {
        database.transactions().checkpoint();
      }
      if (i % 4 == 0) {
        awaitKept(device, device.keptLaunches());
      }
    }
  }
}
