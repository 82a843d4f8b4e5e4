package io.gpdb.txn;

import java.util.concurrent.atomic.LongAdder;

/** The running figures behind {@link TxnStatistics}. Thread-safe. */
final class TxnCounters {
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

  void committed() {
    commits.increment();
  }

  void committedReadOnly() {
    readOnlyCommits.increment();
  }

  void rolledBack() {
    rollbacks.increment();
  }

  void conflict() {
    conflicts.increment();
  }

  void logged(SectionKind kind, long bytes) {
    switch (kind) {
      case INSERT, INSERT_BESIDE -> insertBytes.add(bytes);
      case UPDATE, VERSION -> updateBytes.add(bytes);
      case DELETE -> deleteBytes.add(bytes);
      case CREATE_TABLE,
          DROP_TABLE,
          DICTIONARY,
          STRINGS,
          INSERT_IN_PLACE,
          EXTENT,
          HINTS,
          ROW_LIMIT ->
          metadataBytes.add(bytes);
    }
  }

  void rewritten(long bytesGivenBack) {
    rewrites.increment();
    rewriteBytes.add(bytesGivenBack);
  }

  void metadata(long bytes) {
    metadataBytes.add(bytes);
  }

  void undoWritten(long bytes) {
    undoBytes.add(bytes);
  }

  void homeWritten(long bytes) {
    homeBytes.add(bytes);
  }

  void synced(int requests) {
    assert requests > 0 : "a sync for nobody";
    syncs.increment();
  }

  void checkpointed(long nanos) {
    checkpoints.increment();
    checkpointNanos.add(nanos);
  }

  SpaceStatistics space(long keptVersionBytes, Snapshots snapshots, NativeChunks pool) {
    return new SpaceStatistics(
        rewrites.sum(),
        rewriteBytes.sum(),
        keptVersionBytes,
        pool.usedBytes(),
        pool.limitBytes(),
        snapshots.newestCommit(),
        snapshots.horizon(),
        snapshots.oldestNanos());
  }

  TxnStatistics snapshot(
      long pinnedVersions, long restoreNanos, io.gpdb.storage.PersistCounters persisted) {
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
