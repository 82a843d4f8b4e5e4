package io.gpdb.txn.api;

import io.gpdb.storage.memory.PersistCounters;

/**
 * Figures since the database was opened.
 *
 * @param commits transactions committed that had changed something
 * @param rollbacks transactions rolled back that had begun to change something
 * @param conflicts times a transaction met SERIALIZATION_CONFLICT
 * @param syncs drains that commits waited for
 * @param undoBytes written to the undo log by the in-place protocol
 * @param homeBytes written to the home image by commits (in place or whole columns)
 * @param pinnedVersions transactions whose undo versions an older snapshot still needs
 * @param persisted what was written to the medium, checkpoints included
 */
public record TxnStatistics(
    long commits,
    long readOnlyCommits,
    long rollbacks,
    long conflicts,
    long insertBytes,
    long updateBytes,
    long deleteBytes,
    long metadataBytes,
    long undoBytes,
    long homeBytes,
    long syncs,
    long checkpoints,
    long checkpointNanos,
    long pinnedVersions,
    long restoreNanos,
    PersistCounters.Snapshot persisted) {

  /** All bytes that went to a log. */
  public long loggedBytes() {
    return insertBytes + updateBytes + deleteBytes + metadataBytes + undoBytes;
  }

  /** What happened since {@code earlier}; pinned versions and restore time stay as they are. */
  public TxnStatistics minus(TxnStatistics earlier) {
    return new TxnStatistics(
        commits - earlier.commits,
        readOnlyCommits - earlier.readOnlyCommits,
        rollbacks - earlier.rollbacks,
        conflicts - earlier.conflicts,
        insertBytes - earlier.insertBytes,
        updateBytes - earlier.updateBytes,
        deleteBytes - earlier.deleteBytes,
        metadataBytes - earlier.metadataBytes,
        undoBytes - earlier.undoBytes,
        homeBytes - earlier.homeBytes,
        syncs - earlier.syncs,
        checkpoints - earlier.checkpoints,
        checkpointNanos - earlier.checkpointNanos,
        pinnedVersions,
        restoreNanos,
        persisted.minus(earlier.persisted));
  }
}
