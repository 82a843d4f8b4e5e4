package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Statements of several threads on the CUDA device, whose launches share a queue. */
class StubbedCudaThreadsTest {
  private static final int ROWS = 1500;
  private static final int STATEMENTS = 12;

  /** Each row's two numbers add up to 1000, whatever a snapshot sees. */
  @Test
  void everySnapshotSeesWholeTransactions() throws Exception {
    try (EndToEnd database =
        new EndToEnd(
            new VolatileDirectory("threads"), new AnnouncingDevice(), TxnOptions.standard())) {
      fill(database);
      List<Future<?>> running = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
        for (int seed = 0; seed < 2; seed++) {
          Random random = new Random(seed);
          running.add(threads.submit(() -> change(database, random)));
          running.add(threads.submit(() -> read(database, random)));
        }
      }
      for (Future<?> each : running) {
        requireDone(each);
      }
      requireSums(database);
    }
  }

  private static void fill(EndToEnd database) {
    database.run("CREATE TABLE t (k INT PRIMARY KEY, a INT, b INT)");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      rows.add(new Object[] {k, k % 1000, 1000 - k % 1000});
    }
    database.batch("INSERT INTO t VALUES (?, ?, ?)", rows);
  }

  private static void requireDone(Future<?> each) throws InterruptedException {
    try {
      each.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static void requireSums(EndToEnd database) {
    assertThat(database.rows("SELECT count(*), sum(a + b), min(a + b), max(a + b) FROM t"))
        .containsExactly("%d|%d|1000|1000".formatted(ROWS, 1000 * ROWS));
  }

  private static void read(EndToEnd database, Random random) {
    for (int i = 0; i < STATEMENTS; i++) {
      switch (random.nextInt(3)) {
        case 0 -> requireSums(database);
        case 1 ->
            assertThat(database.rows("SELECT k FROM t ORDER BY k DESC LIMIT 2"))
                .containsExactly(Integer.toString(ROWS - 1), Integer.toString(ROWS - 2));
        default ->
            assertThat(
                    database.rows(
                        "SELECT count(*) FROM t x JOIN t y ON x.k = y.k WHERE y.a + y.b = 1000"))
                .containsExactly(Integer.toString(ROWS));
      }
    }
  }

  private static void change(EndToEnd database, Random random) {
    for (int i = 0; i < STATEMENTS; i++) {
      int from = random.nextInt(ROWS);
      int to = from + (random.nextBoolean() ? 1 : random.nextInt(ROWS));
      try {
        int by = random.nextInt(9);
        database.run("UPDATE t SET a = a + ?, b = b - ? WHERE k >= ? AND k < ?", by, by, from, to);
      } catch (GpdbException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.SERIALIZATION_CONFLICT);
      }
    }
  }
}
