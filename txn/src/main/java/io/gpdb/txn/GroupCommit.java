package io.gpdb.txn;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.storage.PersistentMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes waiting commits durable together. A committer that finds no leader becomes one: it takes
 * all waiting requests, writes their records with one write, syncs once, makes them visible in the
 * order of the log, wakes them, and wakes a next leader when more wait.
 *
 * <p>G1. A request is done only after the sync that follows its last record's write. G2. Sequences
 * rise along the log, and a snapshot sees a prefix of the log.
 */
final class GroupCommit {
  private final @Nullable Wal wal;
  private final PersistentMemory home;
  private final Snapshots snapshots;
  private final TxnCounters counters;
  private final Poison poison;
  private final ConcurrentLinkedQueue<CommitRequest> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean leading = new AtomicBoolean();
  private final List<CommitRequest> batch = new ArrayList<>();
  private long lastSequence;

  /** A place in the log and the snapshot of exactly the commits before it. */
  record LogPoint(long position, int snapshotSlot) {}

  /**
   * @param wal null when the database outlives nothing
   */
  GroupCommit(
      @Nullable Wal wal,
      PersistentMemory home,
      Snapshots snapshots,
      TxnCounters counters,
      Poison poison,
      long lastSequence) {
    this.wal = wal;
    this.home = home;
    this.snapshots = snapshots;
    this.counters = counters;
    this.poison = poison;
    this.lastSequence = lastSequence;
  }

  /** Returns when the request's records are durable and its stamp is visible. */
  void commit(CommitRequest request) {
    waiting.add(request);
    boolean interrupted = false;
    while (!request.isDone()) {
      if (leading.compareAndSet(false, true)) {
        interrupted |= Thread.interrupted(); // an interrupt would close the file's channel
        try {
          lead();
        } finally {
          resign();
        }
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    request.throwIfFailed();
  }

  private void resign() {
    leading.set(false);
    CommitRequest next = waiting.peek();
    if (next != null) {
      next.wake();
    }
  }

  private void lead() {
    for (CommitRequest r = waiting.poll(); r != null; r = waiting.poll()) {
      batch.add(r);
    }
    if (batch.isEmpty()) {
      return;
    }
    try {
      poison.check();
      batch.forEach(CommitRequest::takePlace);
      write();
      publish();
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      batch.forEach(CommitRequest::finish);
      batch.clear();
    }
  }

  private void write() {
    Wal log = wal;
    if (log == null) {
      return;
    }
    long before = log.position();
    long sequence = lastSequence;
    for (CommitRequest request : batch) {
      if (request.isFailed()) {
        continue;
      }
      sequence++;
      try {
        log.put(request.buffer(), sequence);
        putRest(log, request, sequence);
      } catch (RuntimeException e) {
        if (!Poison.isHarmless(e)) {
          throw e;
        }
        request.fail(e);
        sequence--;
      }
    }
    if (log.position() > before) {
      log.finish();
      // G2 lets nobody pass: those behind a record that names extents wait for these, too (B2).
      if (batch.stream().anyMatch(r -> r.needsHome() && !r.isFailed())) {
        home.drain();
      }
      counters.synced(batch.size());
    }
  }

  private static void putRest(Wal log, CommitRequest request, long sequence) {
    RecordSource rest = request.rest();
    if (rest == null) {
      return;
    }
    boolean more = true;
    while (more) {
      more = rest.fill(request.buffer());
      log.put(request.buffer(), sequence);
    }
  }

  private void publish() {
    for (CommitRequest request : batch) {
      if (!request.isFailed()) {
        request.stamp().commit(++lastSequence);
      }
    }
    assert lastSequence >= snapshots.newestCommit() : "G2: sequence " + lastSequence + " falls";
    snapshots.publish(lastSequence);
  }

  private void fail(Throwable cause) {
    poison.poison(cause);
    for (CommitRequest request : batch) {
      if (!request.isFailed()) {
        request.fail(
            new GpdbException(
                ErrorCode.POISONED,
                "commit failed, whether it is durable shows when the database is opened anew: "
                    + cause.getMessage(),
                cause));
      }
    }
  }

  /** Stands between two batches: what is committed is exactly what lies before the position. */
  LogPoint logPoint() {
    while (!leading.compareAndSet(false, true)) {
      Thread.onSpinWait();
      LockSupport.parkNanos(this, 20_000);
    }
    try {
      return new LogPoint(wal == null ? 0 : wal.position(), snapshots.begin());
    } finally {
      resign();
    }
  }

  /** Lets go of log files that recovery from {@code needed} on does not read. */
  void retireLog(long needed) {
    Wal log = wal;
    if (log == null) {
      return;
    }
    while (!leading.compareAndSet(false, true)) {
      LockSupport.parkNanos(this, 20_000);
    }
    try {
      log.retire(needed);
    } finally {
      resign();
    }
  }
}
