package io.gpdb.txn.version;

import io.gpdb.txn.api.SnapshotHold;

/**
 * A read point with its place among the snapshots in use. It lasts until its transaction has moved
 * on (or ended) and nobody holds it any more.
 */
public final class StatementSnapshot implements SnapshotHold {
  private final Snapshots snapshots;
  private final int slot;
  private final CommitStamp own;
  private ReadPoint readPoint;
  private int holders;
  private boolean left;
  private boolean ended;

  public StatementSnapshot(Snapshots snapshots, CommitStamp own) {
    this.snapshots = snapshots;
    this.own = own;
    this.slot = snapshots.begin();
    this.readPoint = new ReadPoint(snapshots.sequence(slot), own);
  }

  synchronized ReadPoint readPoint() {
    return readPoint;
  }

  public synchronized boolean isHeld() {
    return holders > 0;
  }

  /**
   * Moves to the newest durable commit, but not back; only while nobody holds the snapshot.
   *
   * @param least what is seen already
   */
  synchronized ReadPoint renew(long least) {
    assert holders == 0 && !ended : "holders=" + holders + ", ended=" + ended;
    if (snapshots.newestCommit() >= least) {
      snapshots.settle(slot);
    }
    return moveTo(Math.max(least, snapshots.sequence(slot)));
  }

  /** Moves to a released commit; only while nobody holds the snapshot. */
  synchronized ReadPoint moveTo(long sequence) {
    assert holders == 0 && !ended : "holders=" + holders + ", ended=" + ended;
    if (sequence != readPoint.sequence()) {
      snapshots.moveTo(slot, sequence);
      readPoint = new ReadPoint(sequence, own);
    }
    return readPoint;
  }

  public synchronized void hold() {
    holders++;
  }

  /** Ends one hold. */
  @Override
  public synchronized void close() {
    holders--;
    if (left && holders == 0) {
      end();
    }
  }

  /** The transaction goes on with another snapshot. */
  public synchronized void leave() {
    left = true;
    if (holders == 0) {
      end();
    }
  }

  /** Whoever holds it: the transaction has ended. */
  public synchronized void end() {
    if (!ended) {
      ended = true;
      snapshots.end(slot);
    }
  }
}
