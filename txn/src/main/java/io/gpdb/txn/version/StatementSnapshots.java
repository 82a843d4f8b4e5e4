package io.gpdb.txn.version;

import io.gpdb.txn.api.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The snapshots of one transaction: that of its newest statement, and older ones still in use. */
public final class StatementSnapshots {
  private final Snapshots snapshots;
  private final CommitStamp own;
  private final IsolationLevel isolation;
  private boolean isFirst = true;
  private StatementSnapshot newest;
  private @Nullable List<StatementSnapshot> left;

  public StatementSnapshots(Snapshots snapshots, CommitStamp own, IsolationLevel isolation) {
    this.snapshots = snapshots;
    this.own = own;
    this.isolation = isolation;
    this.newest = new StatementSnapshot(snapshots, own);
  }

  public ReadPoint readPoint() {
    return newest.readPoint();
  }

  /**
   * The read point of another statement: at READ COMMITTED the newest durable commit, but nothing
   * older than before. A snapshot in use stays for its users.
   */
  public ReadPoint next() {
    isFirst = false;
    if (isolation != IsolationLevel.READ_COMMITTED) {
      return newest.readPoint();
    }
    leaveHeld();
    return newest.renew(newest.readPoint().sequence());
  }

  /**
   * E2. Where the statement's read point may move, the newest commit that is released. It does not
   * move past a commit that has changed definitions: the statement was planned without.
   */
  public ReadPoint nextForChange() {
    boolean mayMove =
        isolation == IsolationLevel.READ_COMMITTED
            || (isFirst && isolation == IsolationLevel.SNAPSHOT);
    isFirst = false;
    long released = snapshots.released();
    long seen = newest.readPoint().sequence();
    if (!mayMove || released <= seen || snapshots.newestDefinition() > seen) {
      return newest.readPoint();
    }
    leaveHeld();
    return newest.moveTo(released);
  }

  /** Others may be using the newest one: it is replaced by one that sees as much. */
  private void leaveHeld() {
    if (!newest.isHeld()) {
      return;
    }
    StatementSnapshot before = newest;
    newest = new StatementSnapshot(snapshots, own);
    newest.renew(before.readPoint().sequence());
    before.leave();
    List<StatementSnapshot> known = left;
    if (known == null) {
      known = new ArrayList<>();
      left = known;
    }
    known.removeIf(s -> !s.isHeld());
    known.add(before);
  }

  public StatementSnapshot hold() {
    newest.hold();
    return newest;
  }

  public void end() {
    newest.end();
    if (left != null) {
      left.forEach(StatementSnapshot::end);
    }
  }
}
