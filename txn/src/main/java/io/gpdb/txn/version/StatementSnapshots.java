package io.gpdb.txn.version;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The snapshots of one transaction: that of its newest statement, and older ones still in use. */
public final class StatementSnapshots {
  private final Snapshots snapshots;
  private final CommitStamp own;
  private StatementSnapshot newest;
  private @Nullable List<StatementSnapshot> left;

  public StatementSnapshots(Snapshots snapshots, CommitStamp own) {
    this.snapshots = snapshots;
    this.own = own;
    this.newest = new StatementSnapshot(snapshots, own);
  }

  public ReadPoint readPoint() {
    return newest.readPoint();
  }

  /** Moves to the newest commit; a snapshot in use stays for its users. */
  public ReadPoint renew() {
    if (!newest.isHeld()) {
      return newest.renew();
    }
    StatementSnapshot before = newest;
    newest = new StatementSnapshot(snapshots, own);
    before.leave();
    List<StatementSnapshot> known = left;
    if (known == null) {
      known = new ArrayList<>();
      left = known;
    }
    known.removeIf(s -> !s.isHeld());
    known.add(before);
    return newest.readPoint();
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
