package io.gpdb.txn.commit;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.Wal;
import io.gpdb.txn.protocol.Poison;
import io.gpdb.txn.version.LockWaits;
import io.gpdb.txn.version.Snapshots;
import io.gpdb.txn.version.TxnCounters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes waiting commits durable together, and batches of them side by side. A committer that finds
 * nobody writing becomes a leader: it takes the waiting requests as a batch, assigns places in the
 * log to their records, writes them with one store, lets the next leader write, and syncs. So the
 * sync of a batch is under way while those behind it are written and synced; {@link #inFlightMax}
 * batches at most are in flight.
 *
 * <p>G1. A request is done only after the sync that follows its last record's write. G2. Sequences
 * rise along the log, and a snapshot sees a prefix of the log. G3. A batch is acknowledged when it
 * is the first in flight, so after the syncs of all before it; when one fails, so do all behind it.
 * What a crash tears out of the batches in flight therefore ends the log before anything that was
 * acknowledged. G4. Every record is made by the thread that commits. Requests whose records are not
 * all made wait until that thread leads: its batch begins or goes on with them.
 *
 * <p>E1. What a batch has written is released, to be seen and overwritten by those who write, when
 * its records are in the log and all before it is released. Whoever has seen it ends after it is
 * durable: one that commits, by G3, and all others by {@link #awaitDurable}.
 */
public final class GroupCommit {
  private final @Nullable Wal wal;
  private final PersistentMemory home;
  private final Snapshots snapshots;
  private final TxnCounters counters;
  private final Poison poison;
  private final LockWaits lockWaits;
  private final int inFlightMax;
  private final Set<Thread> awaitingDurable = ConcurrentHashMap.newKeySet();

  // Guarded by this.
  private final ArrayDeque<CommitRequest> waiting = new ArrayDeque<>();
  private final ArrayDeque<CommitBatch> inFlight = new ArrayDeque<>();
  private boolean writing;
  private long acknowledged;

  /** Of the last commit written; used by the thread that writes. */
  private long lastSequence;

  /** A place in the log and the snapshot of exactly the commits before it. */
  public record LogPoint(long position, int snapshotSlot) {}

  /**
   * @param wal null when the database outlives nothing
   * @param inFlightMax batches whose syncs overlap
   */
  public GroupCommit(
      @Nullable Wal wal,
      PersistentMemory home,
      Snapshots snapshots,
      TxnCounters counters,
      Poison poison,
      LockWaits lockWaits,
      long lastSequence,
      int inFlightMax) {
    this.wal = wal;
    this.home = home;
    this.snapshots = snapshots;
    this.counters = counters;
    this.poison = poison;
    this.lockWaits = lockWaits;
    this.lastSequence = lastSequence;
    this.inFlightMax = inFlightMax;
    this.acknowledged = wal == null ? 0 : wal.position();
  }

  /** Returns when the request's records are durable and its stamp is visible to all. */
  public void commit(CommitRequest request) {
    if (wal == null) {
      commitAlone(request);
      request.throwIfFailed();
      return;
    }
    synchronized (this) {
      waiting.add(request);
    }
    boolean interrupted = false;
    while (!request.isDone()) {
      CommitBatch batch = lead(request);
      interrupted |= Thread.interrupted(); // an interrupt would close the file's channel
      if (batch == null) {
        LockSupport.park(this);
      } else {
        carryOut(batch);
        interrupted |= batch.wasInterrupted();
      }
    }
    if (interrupted || Thread.interrupted()) {
      Thread.currentThread().interrupt();
    }
    request.throwIfFailed();
  }

  /**
   * Where nothing is written there is nothing to share: a batch of one, and nobody waits parked.
   */
  private synchronized void commitAlone(CommitRequest request) {
    CommitBatch batch = new CommitBatch(List.of(request));
    inFlight.add(batch);
    carryOut(batch);
  }

  /**
   * A batch of those that wait, when the request does and one can be written now. It may end before
   * the request.
   */
  private synchronized @Nullable CommitBatch lead(CommitRequest request) {
    if (request.isTaken() || !canLead()) {
      return null;
    }
    List<CommitRequest> taken = takeWaiting();
    if (taken.isEmpty()) {
      return null;
    }
    CommitBatch batch = new CommitBatch(taken);
    boolean alone = taken.size() == 1 && waiting.isEmpty() && inFlight.isEmpty();
    inFlight.add(batch);
    writing = true;
    Wal log = wal;
    if (log != null) {
      log.beginBatch(acknowledged, alone);
      batch.beginAt(log.position());
    }
    return batch;
  }

  /** In order, up to the first that only its own thread can write (G4). */
  private List<CommitRequest> takeWaiting() {
    List<CommitRequest> taken = new ArrayList<>(waiting.size());
    CommitRequest first = waiting.peek();
    while (first != null && first.canBeWritten()) {
      first.take();
      taken.add(first);
      waiting.remove();
      first = waiting.peek();
    }
    return taken;
  }

  private boolean canLead() {
    return !writing && inFlight.size() < inFlightMax;
  }

  /** The request that is to lead next, when that is possible now. */
  private @Nullable CommitRequest nextLeader() {
    return canLead() ? waiting.peek() : null;
  }

  private static void wake(@Nullable CommitRequest next) {
    if (next != null) {
      next.wake();
    }
  }

  private void carryOut(CommitBatch batch) {
    try {
      poison.check();
      batch.requests().forEach(CommitRequest::takePlace);
      write(batch);
      release(batch);
    } catch (RuntimeException | Error e) {
      poison.poison(e);
    }
    endWriting();
    try {
      if (!poison.isPoisoned() && batch.drain(home)) {
        counters.synced(batch.requests().size());
      }
    } catch (RuntimeException | Error e) {
      poison.poison(e);
    }
    settle(batch);
  }

  private void endWriting() {
    CommitRequest next;
    synchronized (this) {
      writing = false;
      next = nextLeader();
    }
    wake(next);
  }

  private void write(CommitBatch batch) {
    Wal log = wal;
    for (CommitRequest request : batch.requests()) {
      if (request.isFailed()) {
        continue;
      }
      try {
        if (log != null) {
          put(log, batch, request, lastSequence + 1);
        }
        lastSequence++;
        request.sequence(lastSequence);
      } catch (RuntimeException e) {
        if (!Poison.isHarmless(e)) {
          throw e;
        }
        request.fail(e);
      }
    }
    if (log != null) {
      PersistentMemory flushed = log.flush();
      batch.written(log.position(), flushed);
    }
  }

  /** Lets others see what the batch has written, when that may be before it is durable (E1). */
  private void release(CommitBatch batch) {
    if (wal == null || !batch.isOfLoggedRows()) {
      return;
    }
    synchronized (this) {
      for (CommitBatch before : inFlight) {
        if (before == batch) {
          break;
        }
        if (!before.isReleased()) {
          return;
        }
      }
      snapshots.release(batch.release(snapshots.released()));
    }
    lockWaits.changed();
  }

  /**
   * E3. Returns when the commits up to the one of that sequence are durable.
   *
   * @throws GpdbException when that is not known, because the medium has failed
   */
  public void awaitDurable(long sequence) {
    if (snapshots.newestCommit() >= sequence) {
      return;
    }
    Thread waiter = Thread.currentThread();
    boolean interrupted = false;
    awaitingDurable.add(waiter);
    try {
      while (snapshots.newestCommit() < sequence) {
        poison.check();
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    } finally {
      awaitingDurable.remove(waiter);
      if (interrupted) {
        waiter.interrupt();
      }
    }
  }

  private void put(Wal log, CommitBatch batch, CommitRequest request, long sequence) {
    CommitBuffers records = request.records();
    if (records == null) {
      return;
    }
    for (RecordBuffer record : records.ahead()) {
      putRecord(log, batch, record, sequence);
      request.relyOnHome(batch);
    }
    while (records.hasMore()) {
      log.write(); // those are written in whose memory the next ones are made
      for (RecordBuffer record : records.next()) {
        putRecord(log, batch, record, sequence);
      }
    }
  }

  /**
   * Where the segment is full, the next begins when all that is named before it is durable (W3).
   */
  private void putRecord(Wal log, CommitBatch batch, RecordBuffer record, long sequence) {
    if (!log.hasRoomFor(record)) {
      awaitEarlier(batch);
      log.drain();
      batch.drainHome(home);
      log.openSegment(record.bytes());
    }
    log.put(record, sequence);
  }

  /** Returns when all batches before this one are acknowledged. */
  private void awaitEarlier(CommitBatch batch) {
    while (!isFirst(batch)) {
      LockSupport.park(this);
      batch.noteInterrupt(Thread.interrupted());
    }
    poison.check();
  }

  private synchronized boolean isFirst(CommitBatch batch) {
    return inFlight.peekFirst() == batch;
  }

  /**
   * Acknowledges the batch, or leaves that to the thread that settles the last one before it (G3).
   */
  private void settle(CommitBatch batch) {
    List<CommitBatch> ended = new ArrayList<>();
    CommitBatch first;
    CommitRequest next;
    synchronized (this) {
      batch.settle();
      first = inFlight.peekFirst();
      while (first != null && first.isSettled()) {
        inFlight.removeFirst();
        acknowledge(first);
        ended.add(first);
        first = inFlight.peekFirst();
      }
      next = nextLeader();
    }
    ended.forEach(CommitBatch::finish);
    awaitingDurable.forEach(LockSupport::unpark);
    wake(next);
    if (first != null) {
      first.wakeLeader();
    }
  }

  private void acknowledge(CommitBatch batch) {
    if (poison.isPoisoned()) {
      batch.fail(poison.cause());
      return;
    }
    assert wal == null || batch.start() == acknowledged
        : "G3: acknowledged to " + acknowledged + ", now from " + batch.start();
    assert batch.isDrained() : "G1: acknowledged from " + batch.start() + ", not drained";
    assert batch.isHomeDrained() : "B2: acknowledged without its extents, from " + batch.start();
    if (!batch.isReleased()) {
      batch.release(snapshots.newestCommit());
    }
    long newest = snapshots.newestCommit();
    for (CommitRequest request : batch.requests()) {
      if (!request.isFailed()) {
        newest = request.sequence();
        request.stamp().durable();
        if (request.kind() == CommitRequest.Kind.DEFINITIONS) {
          snapshots.defined(newest);
        }
      }
    }
    snapshots.publish(newest);
    acknowledged = batch.end();
  }

  /** The place between two batches: what is acknowledged is exactly what is before the position. */
  public synchronized LogPoint logPoint() {
    return new LogPoint(acknowledged, snapshots.begin());
  }

  /** Lets go of log files that recovery from {@code needed} on does not read. */
  public void retireLog(long needed) {
    whileNobodyWrites(log -> log.retire(needed));
  }

  /** Keeps one short log file, if {@code checkpointed} is the end of the log. */
  public void shrinkLog(long checkpointed) {
    whileNobodyWrites(
        log -> {
          if (log.position() == checkpointed) {
            log.shrink();
          }
        });
  }

  /** Where the failure is a full disk, lets go of the log files that are kept to be taken again. */
  public void makeRoom(RuntimeException failure) {
    if (failure instanceof GpdbException e && e.code() == ErrorCode.DISK_FULL) {
      whileNobodyWrites(Wal::deleteSpares);
    }
  }

  private void whileNobodyWrites(Consumer<Wal> change) {
    Wal log = wal;
    if (log == null) {
      return;
    }
    while (!beginWriting()) {
      LockSupport.parkNanos(this, 20_000);
    }
    try {
      change.accept(log);
    } finally {
      endWriting();
    }
  }

  private synchronized boolean beginWriting() {
    boolean free = !writing;
    writing = true;
    return free;
  }
}
