package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.planner.Prepared;
import io.gpdb.planner.QueryEngine;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@link RehearsedStatements} in a database in memory that nobody else sees, so that the JIT
 * compiler has seen and compiled what statements over many rows run, planner, kernels and loops of
 * the host, before one of the application's waits for it: once a process, on a thread of its own.
 * Pays where that thread and the compiler find processors without work.
 */
final class Rehearsal {
  /** The one of the process, whose code all databases share. */
  static final Rehearsal OF_PROCESS = new Rehearsal(Rehearsal::runQuietly);

  static final String THREAD = "gpdb-rehearsal";

  static final int PROCESSORS_MIN = 8;

  /** Eight tablets: with fewer, joins, groups and ranges are not done as with many. */
  private static final int ROWS = 8 << 16;

  private static final int ROUNDS = 4;
  private static final int WORKERS = 4;

  /** The machine's and the heap's, of which a rehearsal takes a tenth for some seconds. */
  private static final long MEMORY_BYTES_MIN = 4L << 30;

  static final long HEAP_BYTES_MIN = 512L << 20;

  private static final long MEMORY_LIMIT_BYTES = 384L << 20;

  /** Beside much other work it ends early. */
  private static final long SECONDS_MAX = 10;

  private final Runnable work;
  private final AtomicBoolean begun = new AtomicBoolean();

  Rehearsal(Runnable work) {
    this.work = work;
  }

  /**
   * Begins in the background where it pays and was not begun; returns at once.
   *
   * @param workers threads of the database whose statements are to be fast
   */
  void begin(int workers) {
    int processors = Math.min(workers, Runtime.getRuntime().availableProcessors());
    begin(processors, Runtime.getRuntime().maxMemory());
  }

  /**
   * @param processors that statements may use
   * @return the thread that rehearses, null where none begins
   */
  @Nullable Thread begin(int processors, long heapBytes) {
    if (begun.get()
        || processors < PROCESSORS_MIN
        || heapBytes < HEAP_BYTES_MIN
        || !begun.compareAndSet(false, true)) {
      return null;
    }
    return Thread.ofPlatform().daemon().name(THREAD).start(work);
  }

  /** Where a rehearsal fails, statements run as they do without. */
  private static void runQuietly() {
    try {
      run(ROWS, ROUNDS, MEMORY_BYTES_MIN);
    } catch (RuntimeException | Error e) {
      System.getLogger("io.gpdb").log(System.Logger.Level.DEBUG, "the rehearsal ended", e);
    }
  }

  /** Runs all statements over so many rows, so many times, where there is that much memory. */
  static void run(int rows, int rounds, long memoryBytesMin) {
    EmulatedOptions options = new EmulatedOptions(EmulatedOptions.Mode.AUTO, WORKERS, false);
    try (StorageDirectory directory = new VolatileDirectory("rehearsal");
        Device device = new EmulatedDevice(options);
        TransactionManager transactions =
            TransactionManager.open(directory, device, TxnOptions.standard())) {
      if (!transactions.workMemory().hasRoomFor(memoryBytesMin)) {
        return;
      }
      transactions.limitMemory(MEMORY_LIMIT_BYTES);
      Catalog catalog = Catalog.open(transactions);
      EngineOptions planning = EngineOptions.standard().withAutoVacuum(false);
      try (QueryEngine engine = new QueryEngine(transactions, catalog, device, planning)) {
        new Rehearsing(transactions, engine).run(rows, rounds);
      } finally {
        catalog.close();
      }
    }
  }

  private record Rehearsing(TransactionManager transactions, QueryEngine engine) {
    void run(int rows, int rounds) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
      RehearsedStatements.tables(rows).forEach(this::run);
      for (int round = 0; round < rounds; round++) {
        for (String sql : RehearsedStatements.ALL) {
          if (System.nanoTime() > end) {
            return;
          }
          run(sql);
        }
      }
    }

    private void run(String sql) {
      Transaction transaction = transactions.begin();
      try (MemoryAccount memory = transactions.workMemory().statement(sql);
          MemoryAccount.Scope _ = memory.bind()) {
        Prepared plan = engine.prepare(sql, transaction);
        Result result = plan.execute(transaction, new ParameterColumns(List.of()).current());
        if (result instanceof Result.Rows(RowSet rows)) {
          readAll(rows);
        }
        transaction.commit();
      } finally {
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
    }
  }

  private static void readAll(RowSet rows) {
    try (rows) {
      while (rows.next()) {
        rows.isNull(0);
      }
    }
  }
}
