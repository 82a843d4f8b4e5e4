package io.gpdb.txn.reclaim;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.change.OpenTables;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.Snapshots;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletVersions;
import io.gpdb.txn.version.UndoVersion;
import io.gpdb.txn.version.VersionMerge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Drops the undo versions that no snapshot needs, and the memory of dropped tables. Committed
 * transactions wait here in the order of their commits. A tablet in use is left for the next time,
 * which comes soon.
 *
 * <p>While an old snapshot is open, those after it pile up. When they have doubled, versions
 * between whose commits there is no snapshot are merged. Then at most the changed values are kept,
 * once for each open snapshot and once more.
 *
 * <p>R10. Versions are merged only up to a sequence of which it is known that all commits up to it
 * are here, or are seen by every snapshot: so of a row, either all versions of a range that some
 * snapshot does not see are merged, or none.
 */
public final class VersionReclaim {
  private static final long MERGE_BYTES_MIN = 1 << 20;

  /** With more snapshots than these, merging waits until it pays or takes this much memory. */
  private static final int SNAPSHOTS_FEW = 4;

  private static final int PENDING_OF_A_SNAPSHOT = 16;
  private static final long MERGE_BYTES_ANYWAY = 64 << 20;

  /** A change holds a tablet for less, as a rule; a checkpoint may hold it for longer. */
  private static final long TABLET_WAIT_MILLIS = 5;

  /** Fewer rows are merged before other threads have woken up. */
  private static final int SHARED_ROWS_MIN = 100_000;

  /** Tablets that the versions of a short transaction are of. */
  private static final int TABLETS_LIKELY = 2;

  private final OpenTables tables;
  private final Snapshots snapshots;
  private final MemoryAccount memory;
  private final SharedWork workers;
  private final ReentrantLock lock = new ReentrantLock();

  /** What nobody has looked at yet; those who commit do not wait for whoever reclaims. */
  private final ConcurrentLinkedQueue<TransactionWrites> arrived = new ConcurrentLinkedQueue<>();

  private final ArrayDeque<TransactionWrites> pending = new ArrayDeque<>();
  private final List<DroppedTable> dropped = new ArrayList<>();
  private volatile int pendingCount;
  private volatile long keptBytes;

  /** Versions are merged when they take more. */
  private long mergeAtBytes = MERGE_BYTES_MIN;

  private long releasedSequence;

  /** A table that snapshots before {@code sequence} may still see. */
  private record DroppedTable(TableVersions table, long sequence) {
    boolean isSeenBySome(long[] snapshots) {
      CommitStamp creator = table.creator();
      long created = creator == null ? 0 : creator.sequence();
      for (long snapshot : snapshots) {
        if (snapshot >= created && snapshot < sequence) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * @param workers merge many rows
   */
  public VersionReclaim(
      OpenTables tables, Snapshots snapshots, MemoryAccount memory, SharedWork workers) {
    this.tables = tables;
    this.snapshots = snapshots;
    this.memory = memory;
    this.workers = workers;
    this.releasedSequence = snapshots.newestCommit();
  }

  /** Transactions, or merged groups of them, and dropped tables that are kept. */
  public int pendingCount() {
    return pendingCount + arrived.size();
  }

  /** Memory of the versions that are kept for older snapshots. */
  public long keptBytes() {
    return keptBytes;
  }

  /** Takes over what a committed transaction has written. */
  public void add(TransactionWrites writes) {
    writes.freeSections();
    arrived.add(writes);
    collect();
  }

  private void takeArrived() {
    for (TransactionWrites writes = arrived.poll(); writes != null; writes = arrived.poll()) {
      for (TableVersions table : writes.dropped()) {
        dropped.add(new DroppedTable(table, writes.stamp().sequence()));
      }
      queue(writes);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the lock
  private void queue(TransactionWrites writes) {
    long sequence = writes.stamp().sequence();
    if (pending.isEmpty() || pending.getLast().stamp().sequence() <= sequence) {
      pending.addLast(writes);
    } else {
      ArrayDeque<TransactionWrites> later = new ArrayDeque<>();
      while (!pending.isEmpty() && pending.getLast().stamp().sequence() > sequence) {
        later.addFirst(pending.removeLast());
      }
      pending.addLast(writes);
      pending.addAll(later);
    }
    pendingCount = pending.size() + dropped.size();
    keptBytes += writes.versionMemory().reservedBytes();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the lock
  private void queueFirst(TransactionWrites writes) {
    pending.addFirst(writes);
    keptBytes += writes.versionMemory().reservedBytes();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the lock
  private TransactionWrites unqueueFirst() {
    TransactionWrites first = pending.removeFirst();
    keptBytes -= first.versionMemory().reservedBytes();
    return first;
  }

  /** Drops what can be dropped now; returns at once where another thread is at it. */
  public void collect() {
    boolean isDue = pendingCount > 0 || !arrived.isEmpty();
    while (isDue && lock.tryLock()) {
      try {
        collectAll();
      } finally {
        lock.unlock();
      }
      isDue = !arrived.isEmpty(); // it came too late, from a thread that did not wait
    }
  }

  private void collectAll() {
    takeArrived();
    long horizon = snapshots.horizon();
    releaseUpTo(horizon);
    mergeAtBytes = Math.min(mergeAtBytes, 2 * keptBytes + MERGE_BYTES_MIN);
    if (keptBytes > mergeAtBytes && isWorthMerging()) {
      boolean isWhole = mergeAll();
      mergeAtBytes = (isWhole ? 2 : 1) * keptBytes + MERGE_BYTES_MIN;
    }
    discardTables();
    pendingCount = pending.size() + dropped.size();
  }

  /**
   * Merging leaves a group of versions between any two snapshots. Many snapshots are short ones, as
   * a rule, which end sooner than merging would.
   */
  private boolean isWorthMerging() {
    int groups = snapshots.sequences().length;
    return groups <= SNAPSHOTS_FEW
        || pending.size() >= PENDING_OF_A_SNAPSHOT * groups
        || keptBytes > MERGE_BYTES_ANYWAY;
  }

  /** What is in a tablet that is in use stays in front, in its order. */
  private void releaseUpTo(long horizon) {
    IdentityHashMap<TabletVersions, Boolean> pruned = new IdentityHashMap<>(TABLETS_LIKELY);
    Deque<TransactionWrites> left = new ArrayDeque<>(0);
    while (!pending.isEmpty() && pending.getFirst().stamp().sequence() <= horizon) {
      TransactionWrites first = unqueueFirst();
      if (release(first, horizon, pruned)) {
        releasedSequence = Math.max(releasedSequence, first.stamp().sequence());
        first.free();
      } else {
        left.addFirst(first);
      }
    }
    left.forEach(this::queueFirst);
  }

  private void discardTables() {
    if (dropped.isEmpty()) {
      return;
    }
    long[] sequences = snapshots.sequences();
    for (Iterator<DroppedTable> each = dropped.iterator(); each.hasNext(); ) {
      DroppedTable candidate = each.next();
      if (!candidate.isSeenBySome(sequences)) {
        each.remove();
        tables.discard(candidate.table());
      }
    }
  }

  private boolean isGone(TableVersions table) {
    TableStore store = table.store();
    return tables.table(store) != table;
  }

  /**
   * Whether the versions are gone.
   *
   * @param pruned of each tablet that was looked at, whether it was free
   */
  private boolean release(
      TransactionWrites writes, long horizon, IdentityHashMap<TabletVersions, Boolean> pruned) {
    assert writes.stamp().sequence() <= horizon : "R7: a snapshot still needs the versions";
    boolean isWhole = true;
    for (UndoVersion version : writes.versions()) {
      TabletVersions versions = version.table().tablet(version.tablet());
      if (versions != null && !isGone(version.table())) {
        Boolean known = pruned.get(versions);
        if (known == null) {
          known = prune(version, versions, horizon);
          pruned.put(versions, known);
        }
        isWhole &= known;
      }
    }
    return isWhole;
  }

  private static boolean prune(UndoVersion version, TabletVersions versions, long horizon) {
    Tablet tablet = version.table().store().tablet(version.tablet());
    if (!tablet.latch().tryExclusive()) {
      return false;
    }
    try {
      versions.prune(horizon);
    } finally {
      tablet.latch().writeLock().unlock();
    }
    return true;
  }

  /** Merges each run of commits without a snapshot between them; false when tablets were left. */
  private boolean mergeAll() {
    boolean isWhole = true;
    long[] sequences = snapshots.sequences();
    List<TransactionWrites> all = new ArrayList<>(pending);
    pending.clear();
    keptBytes = 0;
    List<TransactionWrites> run = new ArrayList<>();
    long known = releasedSequence;
    int gap = -1;
    for (TransactionWrites writes : all) {
      long sequence = writes.stamp().sequence();
      boolean isNext = writes.firstSequence() <= known + 1;
      int itsGap = gapOf(sequence, sequences);
      if (!isNext || itsGap != gap || gapOf(writes.firstSequence(), sequences) != gap) {
        isWhole = merge(run) && isWhole;
        run.clear();
        gap = itsGap;
      }
      if (isNext) {
        known = Math.max(known, sequence);
        run.add(writes);
      } else {
        queue(writes);
      }
    }
    return merge(run) && isWhole;
  }

  /** How many snapshots do not see the commit. */
  private static int gapOf(long sequence, long[] snapshots) {
    int at = Arrays.binarySearch(snapshots, sequence);
    return at >= 0 ? at : -at - 1;
  }

  private boolean merge(List<TransactionWrites> run) {
    if (run.size() < 2) {
      run.forEach(this::queue);
      return true;
    }
    TransactionWrites last = run.getLast();
    long first = run.getFirst().firstSequence();
    TransactionWrites merged = new TransactionWrites(last.stamp(), memory);
    merged.firstSequence(first);
    IdentityHashMap<TabletVersions, Boolean> done = new IdentityHashMap<>();
    mergeTablets(run, first, merged, done, false);
    mergeTablets(run, first, merged, done, true);
    for (TransactionWrites writes : run) {
      writes.versions().removeIf(v -> Boolean.TRUE.equals(done.get(v.table().tablet(v.tablet()))));
      writes.firstSequence(first);
      if (writes.versions().isEmpty()) {
        writes.free();
      } else {
        queue(writes);
      }
    }
    queue(merged);
    return !done.containsValue(false);
  }

  /**
   * Merges the tablets that are not done. Those in use come last: whoever waited for one that a
   * checkpoint reads would meet it again at each tablet behind.
   */
  private void mergeTablets(
      List<TransactionWrites> run,
      long first,
      TransactionWrites merged,
      IdentityHashMap<TabletVersions, Boolean> done,
      boolean waits) {
    Set<TabletVersions> tried = Collections.newSetFromMap(new IdentityHashMap<>());
    List<TabletMerge> merges = new ArrayList<>();
    long rows = 0;
    for (TransactionWrites writes : run) {
      for (UndoVersion v : writes.versions()) {
        TabletVersions versions = v.table().tablet(v.tablet());
        if (versions != null && !Boolean.TRUE.equals(done.get(versions))) {
          rows += v.n();
          if (tried.add(versions)) {
            merges.add(new TabletMerge(v, versions, first, merged));
          }
        }
      }
    }
    SharedWork sharing = rows < SHARED_ROWS_MIN ? SharedWork.ALONE : workers;
    sharing.share(merges.size(), i -> merges.get(i).run(waits));
    for (TabletMerge merge : merges) {
      done.put(merge.versions, merge.isDone);
      merged.versions().addAll(merge.made);
    }
  }

  /** The merge of one tablet; tablets are merged side by side. */
  private final class TabletMerge {
    private final UndoVersion first;
    private final TabletVersions versions;
    private final long firstSequence;
    private final TransactionWrites merged;
    private List<UndoVersion> made = List.of();

    /** Whether nobody needs the old versions of the tablet any more. */
    private boolean isDone;

    /**
     * @param first any of the tablet's versions
     */
    TabletMerge(
        UndoVersion first, TabletVersions versions, long firstSequence, TransactionWrites merged) {
      this.first = first;
      this.versions = versions;
      this.firstSequence = firstSequence;
      this.merged = merged;
    }

    void run(boolean waits) {
      if (isGone(first.table())) {
        isDone = true;
        return;
      }
      Tablet tablet = first.table().store().tablet(first.tablet());
      if (!(waits ? holds(tablet) : tablet.latch().tryExclusive())) {
        return;
      }
      try {
        CommitStamp stamp = merged.stamp();
        VersionMerge merge = new VersionMerge(first.table(), first.tablet(), stamp, this::room);
        made = versions.merge(firstSequence - 1, stamp.sequence(), merge);
        isDone = true;
      } catch (GpdbException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
      } finally {
        tablet.latch().writeLock().unlock();
      }
    }

    private HostBuffer room(long bytes) {
      synchronized (merged) {
        return merged.versionMemory().buffer(bytes, Long.BYTES);
      }
    }
  }

  /** Waits for a tablet in use: where several change it all the time, it is hardly ever free. */
  private static boolean holds(Tablet tablet) {
    try {
      return tablet.latch().writeLock().tryLock(TABLET_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return tablet.latch().writeLock().tryLock();
    }
  }
}
