package io.gpdb.planner;

import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.table.TableGarbage;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.EngineThread;
import io.gpdb.txn.api.TableUse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rewrites tables that are more than half garbage, in the background, where no transaction is
 * hindered by it: when nobody has written to the table for a while, and giving way to whoever
 * writes meanwhile.
 *
 * <p>A table that is overgrown, because it is written to without a pause, is rewritten at once, and
 * writers whose transactions on it have ended wait for that: so its writers halt, one by one, and
 * the garbage that may pile up is bounded. They wait for two passes at most, and not soon again
 * after attempts in these have failed.
 */
public final class AutomaticVacuum implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AutomaticVacuum.class);
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
  private static final int PASSES_WAITED = 2;

  private final TransactionManager transactions;
  private final Catalog catalog;
  private final Map<Integer, Pause> pauses = new HashMap<>();
  private volatile boolean enabled;
  private boolean wanted;
  private boolean closed;
  private long passes;
  private int waiting;
  private volatile long givenUp;
  private @Nullable EngineThread worker;
  private final StopSignal stop = new StopSignal(null);

  /** When a table may be tried again. */
  private record Pause(long untilNanos, long nanos) {}

  AutomaticVacuum(TransactionManager transactions, Catalog catalog, boolean enabled) {
    this.transactions = transactions;
    this.catalog = catalog;
    this.enabled = enabled && !transactions.options().readOnly();
    transactions.onGarbage(this::found);
    transactions.releaseStrings(this.enabled);
  }

  public boolean isEnabled() {
    return enabled;
  }

  public synchronized void enable(boolean on) {
    enabled = on && !transactions.options().readOnly();
    transactions.releaseStrings(enabled);
    if (enabled) {
      wake();
    }
  }

  /** Attempts that ended because somebody else wrote. */
  long givenUp() {
    return givenUp;
  }

  private synchronized void found(int tableId, TableGarbage garbage) {
    if (!enabled || closed || (worker != null && worker.isCurrent())) {
      return;
    }
    wake();
    if (garbage.overgrown()) {
      waiting++;
      awaitPasses(tableId);
      waiting--;
    }
  }

  private void wake() {
    wanted = true;
    if (worker == null && !closed) {
      worker = EngineThread.start("gpdb-vacuum", this::work);
    }
    notifyAll();
  }

  private void awaitPasses(int tableId) {
    long until = passes + PASSES_WAITED;
    while (enabled && !closed && passes < until && isOvergrown(tableId) && !isPaused(tableId)) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private boolean isOvergrown(int tableId) {
    TableUse use = transactions.tableUse(tableId);
    return use != null && use.garbage().overgrown();
  }

  private synchronized boolean isPaused(int tableId) {
    Pause pause = pauses.get(tableId);
    return pause != null && pause.untilNanos() - System.nanoTime() > 0;
  }

  private void work() {
    try {
      while (awaitWork()) {
        if (pass()) {
          rest();
        }
      }
    } catch (RuntimeException e) {
      if (!(e instanceof GpdbException g && g.code() == ErrorCode.CLOSED)) {
        LOG.warn("automatic VACUUM ends: {}", e.getMessage(), e);
      }
      enabled = false;
    } finally {
      synchronized (this) {
        closed = true;
        notifyAll();
      }
    }
  }

  private synchronized boolean awaitWork() {
    while (!closed && !(wanted && enabled)) {
      try {
        wait();
      } catch (InterruptedException e) {
        return false;
      }
    }
    wanted = false;
    return !closed;
  }

  /** Tables wait for their time: looks again after a while, or when somebody calls. */
  private synchronized void rest() {
    long until = System.nanoTime() + LOOK_NANOS;
    try {
      long left = LOOK_NANOS;
      while (!closed && !wanted && waiting == 0 && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = until - System.nanoTime();
      }
    } catch (InterruptedException e) {
      closed = true;
    }
    wanted = true;
  }

  /** Looks at every table; returns whether some of them are left for later. */
  private boolean pass() {
    boolean left = false;
    for (TableDef table : tables()) {
      TableUse use = transactions.tableUse(table.tableId());
      if (use != null && use.garbage().garbageBytes() > TableGarbage.LITTLE_BYTES) {
        boolean ripe = use.idleNanos() > IDLE_NANOS || (use.garbage().overgrown() && isAwaited());
        boolean done =
            ripe && !use.writing() && !isPaused(table.tableId()) && attempt(table.tableId());
        left |= !done;
      }
    }
    passed();
    return left;
  }

  private synchronized boolean isAwaited() {
    return waiting > 0;
  }

  private synchronized void passed() {
    passes++;
    notifyAll();
  }

  private Iterable<TableDef> tables() {
    Transaction transaction = transactions.begin();
    try {
      return catalog.snapshot(transaction).tables();
    } finally {
      transaction.rollback();
    }
  }

  private boolean attempt(int tableId) {
    Transaction transaction = transactions.begin();
    try (StopSignal.Scope _ = stop.bind()) {
      CatalogSnapshot snapshot = catalog.snapshot(transaction);
      TableDef table = snapshot.table(tableId);
      if (table != null) {
        catalog.rewriteTableUnlessWritten(transaction, table);
        transaction.commit();
      }
      forgive(tableId);
      return true;
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.SERIALIZATION_CONFLICT && e.code() != ErrorCode.CANCELLED) {
        LOG.warn("automatic VACUUM of table {} failed: {}", tableId, e.getMessage());
      }
      pause(tableId);
      return false;
    } finally {
      if (transaction.isActive()) {
        transaction.rollback();
      }
    }
  }

  private synchronized void forgive(int tableId) {
    pauses.remove(tableId);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // changed by the worker alone
  private synchronized void pause(int tableId) {
    givenUp++;
    Pause last = pauses.get(tableId);
    long nanos = last == null ? 0 : Math.clamp(last.nanos() * 2, PAUSE_NANOS_MIN, PAUSE_NANOS_MAX);
    pauses.put(tableId, new Pause(System.nanoTime() + nanos, nanos));
  }

  /** Stops a rewrite that runs and waits for its end. */
  @Override
  public void close() {
    EngineThread running;
    synchronized (this) {
      closed = true;
      running = worker;
      stop.request();
      notifyAll();
    }
    if (running != null) {
      running.awaitEnd();
    }
  }
}
