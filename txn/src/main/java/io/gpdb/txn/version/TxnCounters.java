package io.gpdb.txn.version;

import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.api.SpaceStatistics;
import io.gpdb.txn.api.TxnStatistics;
import io.gpdb.txn.log.SectionKind;
import java.util.concurrent.atomic.LongAdder;

/** The running figures behind {@link TxnStatistics}. Thread-safe. */
public final class TxnCounters {
  private final LongAdder commits = new LongAdder();
  private final LongAdder readOnlyCommits = new LongAdder();
  private final LongAdder rollbacks = new LongAdder();
  private final LongAdder conflicts = new LongAdder();
  private final LongAdder insertBytes = new LongAdder();
  private final LongAdder updateBytes = new LongAdder();
  private final LongAdder deleteBytes = new LongAdder();
  private final LongAdder metadataBytes = new LongAdder();
  private final LongAdder undoBytes = new LongAdder();
  private final LongAdder homeBytes = new LongAdder();
  private final LongAdder syncs = new LongAdder();
  private final LongAdder checkpoints = new LongAdder();
  private final LongAdder checkpointNanos = new LongAdder();
  private final LongAdder rewrites = new LongAdder();
  private final LongAdder rewriteBytes = new LongAdder();

  public void committed() {
    commits.increment();
  }

  public void committedReadOnly() {
    readOnlyCommits.increment();
  }

  public void rolledBack() {
    rollbacks.increment();
  }

  public void conflict() {
    conflicts.increment();
  }

  public void logged(SectionKind kind, long bytes) {
    switch (kind) {
      case INSERT, INSERT_IN_EXTENTS -> insertBytes.add(bytes);
      case UPDATE, VERSION -> updateBytes.add(bytes);
      case DELETE -> deleteBytes.add(bytes);
      case CREATE_TABLE,
          DROP_TABLE,
          GROW_TABLE,
          DICTIONARY,
          STRINGS,
          INSERT_IN_PLACE,
          EXTENT,
          HINTS,
          ROW_LIMIT ->
          metadataBytes.add(bytes);
    }
  }

  public void rewritten(long reclaimedBytes) {
    rewrites.increment();
    rewriteBytes.add(reclaimedBytes);
  }

  public void metadata(long bytes) {
    metadataBytes.add(bytes);
  }

  public void undoWritten(long bytes) {
    undoBytes.add(bytes);
  }

  public void homeWritten(long bytes) {
    homeBytes.add(bytes);
  }

  public void synced(int requests) {
    assert requests > 0 : "a sync for nobody";
    syncs.increment();
  }

  public void checkpointed(long nanos) {
    checkpoints.increment();
    checkpointNanos.add(nanos);
  }

  public SpaceStatistics space(long keptVersionBytes, Snapshots snapshots, MemoryAccount memory) {
    return new SpaceStatistics(
        rewrites.sum(),
        rewriteBytes.sum(),
        keptVersionBytes,
        memory.usedBytes(),
        memory.limitBytes(),
        snapshots.newestCommit(),
        snapshots.horizon(),
        snapshots.oldestNanos());
  }

  public TxnStatistics snapshot(
      long pinnedVersions, long restoreNanos, io.gpdb.storage.memory.PersistCounters persisted) {
    return new TxnStatistics(
        commits.sum(),
        readOnlyCommits.sum(),
        rollbacks.sum(),
        conflicts.sum(),
        insertBytes.sum(),
        updateBytes.sum(),
        deleteBytes.sum(),
        metadataBytes.sum(),
        undoBytes.sum(),
        homeBytes.sum(),
        syncs.sum(),
        checkpoints.sum(),
        checkpointNanos.sum(),
        pinnedVersions,
        restoreNanos,
        persisted.snapshot());
  }
}
