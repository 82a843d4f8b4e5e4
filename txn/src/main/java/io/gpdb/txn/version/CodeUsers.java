package io.gpdb.txn.version;

import io.gpdb.storage.space.TableSpace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open transactions that may store codes of strings that they have found. Each is here with a
 * round; it has found all of its codes in that round or later.
 *
 * <p>D2. A transaction that enters notes the round first and finds codes afterwards; a thread that
 * begins a round looks at the transactions here afterwards. So a code that is found by a
 * transaction which that thread did not see is stamped with the new round.
 */
public final class CodeUsers {
  private final TableSpace space;
  private final Map<CommitStamp, Integer> rounds = new ConcurrentHashMap<>();

  public CodeUsers(TableSpace space) {
    this.space = space;
  }

  /** Once for each transaction: it keeps the round in which it entered. */
  public void enter(CommitStamp user) {
    rounds.put(user, space.codeRound());
  }

  public void leave(CommitStamp user) {
    rounds.remove(user);
  }

  /** Codes stamped in this round or later may be known to somebody; not to be called twice. */
  public int protectedFrom(int round) {
    int least = round;
    for (int entered : rounds.values()) {
      least = Math.min(least, entered);
    }
    return least;
  }
}
