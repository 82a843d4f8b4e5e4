package io.gpdb.bench.crash;

import io.gpdb.bench.crash.ModelledDatabase.ModelledTransaction;
import java.util.ArrayList;
import java.util.List;

/**
 * What a crash may leave of transactions that commit side by side, each as a whole or not. Where
 * their order in the log is known, because they begin to commit in it or depend on each other, none
 * is there without those before it; otherwise they have written different rows.
 */
final class SideBySide {
  private final Contents before;
  private final List<ModelledTransaction> transactions;
  private final boolean inOrder;
  private int acknowledged;

  SideBySide(Contents before, List<ModelledTransaction> transactions, boolean inOrder) {
    this.before = before;
    this.transactions = transactions;
    this.inOrder = inOrder;
  }

  /**
   * The commit with this number has returned; in order, so have those before it, or are about to.
   */
  void acknowledge(int index) {
    acknowledged |= inOrder ? (2 << index) - 1 : 1 << index;
  }

  /** With all of them. */
  Contents all() {
    return contents((1 << transactions.size()) - 1);
  }

  /** What must be there. */
  Contents acknowledged() {
    return contents(acknowledged);
  }

  /** What may be there: these, and some of the others. */
  List<Contents> possible() {
    List<Contents> possible = new ArrayList<>();
    for (int some = 0; some < 1 << transactions.size(); some++) {
      boolean prefix = (some & some + 1) == 0;
      if ((some & acknowledged) == acknowledged && (prefix || !inOrder)) {
        possible.add(contents(some));
      }
    }
    return possible;
  }

  private Contents contents(int some) {
    Contents contents = before;
    for (int i = 0; i < transactions.size(); i++) {
      if ((some >>> i & 1) != 0) {
        contents = transactions.get(i).appliedTo(contents);
      }
    }
    return contents;
  }
}
