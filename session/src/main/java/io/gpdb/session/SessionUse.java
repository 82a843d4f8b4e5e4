package io.gpdb.session;

import io.gpdb.session.database.DatabaseUser;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a session has of its database, and how it is kept from working with it.
 *
 * @param hasCursors whether any is open
 */
record SessionUse(
    SessionLock lock, CurrentTransaction current, OpenResults results, BooleanSupplier hasCursors)
    implements DatabaseUser {
  @Override
  public boolean hold() {
    return lock.tryLock();
  }

  @Override
  public void letGo() {
    lock.unlock();
  }

  @Override
  public @Nullable String inUse() {
    if (current.isOpen()) {
      return "a transaction";
    }
    if (!results.isEmpty()) {
      return "an open result set";
    }
    if (hasCursors.getAsBoolean()) {
      return "an open cursor";
    }
    // Another device may not have it, and no statement could say so afterwards.
    return current.asksForProtocol() ? "SET persistency" : null;
  }
}
