package io.gpdb.txn.version;

import io.gpdb.storage.space.TableSpace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open transactions that may store codes which they have found, or have written them down: each
 * with a round of which it is known that all of that was found in it or later.
 *
 * <p>D2. Who comes here notes the round first and finds codes afterwards; who begins a round looks
 * at those here afterwards: so a code found by somebody who was not met is stamped with the new
 * round.
 */
public final class CodeUsers {
  private final TableSpace space;
  private final Map<CommitStamp, Integer> rounds = new ConcurrentHashMap<>();

  public CodeUsers(TableSpace space) {
    this.space = space;
  }

  /** Does nothing for who is there already. */
  public void enter(CommitStamp user) {
    if (!rounds.containsKey(user)) {
      rounds.put(user, space.codeRound());
    }
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
