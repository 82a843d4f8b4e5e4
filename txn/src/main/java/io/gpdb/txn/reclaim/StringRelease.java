package io.gpdb.txn.reclaim;

import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.ChangeMark;
import io.gpdb.txn.api.EngineThread;
import io.gpdb.txn.change.OpenTables;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.CodeUsers;
import io.gpdb.txn.version.CodesInUse;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.TableVersions;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases strings that no row has any more, while writers and readers go on: finds the codes in
 * use, frees the others, and has the remaining strings moved together (docs/internals/garbage.md).
 *
 * <p>D3. A code is freed only if no row or version has it after the round was begun, and no thread
 * that found it before is still at work.
 */
public final class StringRelease {
  private static final Logger LOG = LoggerFactory.getLogger(StringRelease.class);

  /** New strings after which a round is due: at least, and as a part of all strings. */
  private static final int DUE_MIN = 32_768;

  private static final int DUE_PART = 3;

  /** With this many times as many new strings, transactions that add some wait. */
  private static final int LATE = 3;

  private final OpenTables tables;
  private final VersionReclaim reclaim;
  private final CodeUsers users;
  private final ReentrantLock round = new ReentrantLock();
  private final Set<TableVersions> due = new LinkedHashSet<>();
  private @Nullable EngineThread worker;
  private boolean closed;
  private volatile boolean enabled;
  private volatile Map<TableVersions, Settled> settled = Map.of();

  /**
   * A table as an orderly close has left it, all of whose strings some row has.
   *
   * @param assigned how many strings its dictionaries had been given
   */
  private record Settled(ChangeMark mark, long assigned) {
    static Settled of(TableVersions table) {
      return new Settled(table.store().marks().mark(), assigned(table));
    }

    boolean holdsFor(TableVersions table) {
      return mark.isCurrent() && assigned == assigned(table);
    }

    private static long assigned(TableVersions table) {
      long sum = 0;
      for (int column : table.stringColumns()) {
        Dictionary dictionary = table.store().dictionary(column);
        sum += dictionary == null ? 0 : dictionary.version();
      }
      return sum;
    }
  }

  public StringRelease(OpenTables tables, VersionReclaim reclaim, boolean possible) {
    this.tables = tables;
    this.reclaim = reclaim;
    this.users = new CodeUsers(tables.space());
    this.enabled = possible;
  }

  public CodeUsers users() {
    return users;
  }

  public boolean isEnabled() {
    return enabled;
  }

  public void enable(boolean on) {
    enabled = on;
  }

  /** After a transaction's end: has its tables looked at where many strings came. */
  void ended(TransactionWrites writes) {
    if (!enabled) {
      return;
    }
    for (TableVersions table : writes.touched()) {
      int late = lateness(table);
      if (late > 0) {
        want(table, late >= LATE);
      }
    }
  }

  private static int lateness(TableVersions table) {
    if (table.stringColumns().length == 0) {
      return 0;
    }
    long most = 0;
    for (int column : table.stringColumns(null)) {
      Dictionary dictionary = table.store().dictionary(column);
      if (dictionary != null) {
        long limit = Math.max(DUE_MIN, dictionary.usedCodes() / DUE_PART);
        most = Math.max(most, dictionary.assignedSinceRelease() / limit);
      }
    }
    return (int) most;
  }

  private void want(TableVersions table, boolean wait) {
    synchronized (this) {
      if (closed) {
        return;
      }
      due.add(table);
      if (worker == null) {
        worker = EngineThread.start("gpdb-strings", this::work);
      }
      notifyAll();
    }
    if (wait) {
      awaitRound();
    }
  }

  /** Returns when the round that runs, if any, has ended. */
  private void awaitRound() {
    round.lock();
    try {
      assert round.isHeldByCurrentThread();
    } finally {
      round.unlock();
    }
  }

  private void work() {
    for (TableVersions table = next(); table != null; table = next()) {
      try {
        release(table);
      } catch (RuntimeException e) {
        if (!(e instanceof GpdbException g && g.code() == ErrorCode.CLOSED)) {
          LOG.warn("releasing strings ends: {}", e.getMessage(), e);
        }
        enabled = false;
        return;
      }
    }
  }

  private synchronized @Nullable TableVersions next() {
    while (due.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        return null;
      }
    }
    if (closed) {
      return null;
    }
    TableVersions table = due.iterator().next();
    due.remove(table);
    return table;
  }

  /** Before the first transaction, where nothing was recovered: the last close was orderly. */
  public void settle() {
    Map<TableVersions, Settled> all = new HashMap<>();
    for (TableVersions table : tables.all()) {
      all.put(table, Settled.of(table));
    }
    settled = all;
  }

  /**
   * At the close: looks at the tables that have changed since the last one. A round reads all of a
   * table's codes, and hashes its strings.
   */
  public void releaseChanged() {
    if (enabled) {
      for (TableVersions table : tables.all()) {
        Settled before = settled.get(table);
        if (before == null || !before.holdsFor(table)) {
          release(table);
        }
      }
    }
  }

  /** Looks at all tables. */
  public void releaseAll() {
    if (enabled) {
      tables.all().forEach(this::release);
    }
  }

  private void release(TableVersions table) {
    round.lock();
    try {
      if (!enabled || !isStored(table)) {
        return;
      }
      reclaim.collect();
      int begun = tables.space().beginCodeRound();
      int protectedFrom = users.protectedFrom(begun);
      for (int column : table.stringColumns(null)) {
        Dictionary dictionary = table.store().dictionary(column);
        if (dictionary != null) {
          int count = dictionary.size();
          CodesInUse codes = new CodesInUse(table, column);
          dictionary.release(codes.collect(), count, protectedFrom);
          dictionary.compact();
        }
      }
      tables.space().trim();
    } finally {
      round.unlock();
    }
  }

  /** Whether the table is there for good: neither being made nor being dropped. */
  private boolean isStored(TableVersions table) {
    CommitStamp creator = table.creator();
    return (creator == null || creator.sequence() != CommitStamp.ACTIVE)
        && table.dropper() == null
        && tables.table(table.store()) == table;
  }

  public void close() {
    EngineThread running;
    synchronized (this) {
      closed = true;
      running = worker;
      notifyAll();
    }
    if (running != null) {
      running.awaitEnd();
    }
  }
}
