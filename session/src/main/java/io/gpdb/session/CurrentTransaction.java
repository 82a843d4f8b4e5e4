package io.gpdb.session;

import io.gpdb.session.database.Database;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that a session has open, if any, and what all of its transactions begin with: how
 * long they wait for writers, and the protocol by which they commit.
 */
public final class CurrentTransaction {
  private final Database database;
  private volatile @Nullable Transaction open;
  private volatile long lockTimeoutMillis;
  private volatile SchemaPath path = SchemaPath.PUBLIC;

  /** Null where it is left to the database. */
  private @Nullable Protocol protocol;

  CurrentTransaction(Database database) {
    this.database = database;
  }

  @Nullable Transaction transaction() {
    return open;
  }

  public boolean isOpen() {
    return open != null;
  }

  /** A transaction other than the current one, for one statement alone. */
  Transaction beginOwn(IsolationLevel level) {
    Transaction begun = database.transactions().begin(level);
    begun.attach(path);
    begun.lockTimeoutMillis(lockTimeoutMillis);
    Protocol asked = protocol;
    if (asked != null) {
      begun.protocol(asked);
    }
    return begun;
  }

  /** Begins the current transaction. */
  Transaction begin(IsolationLevel level) {
    Transaction begun = beginOwn(level);
    open = begun;
    return begun;
  }

  /** Another transaction in place of the current one, in which nothing has been done. */
  Transaction restart(Transaction unused, IsolationLevel level) {
    unused.rollback();
    return begin(level);
  }

  /** Takes the current transaction away, for the caller to end. */
  @Nullable Transaction take() {
    Transaction taken = open;
    open = null;
    return taken;
  }

  /** How long a statement waits for writers of the same rows. */
  long lockTimeoutMillis() {
    return lockTimeoutMillis;
  }

  /** For the statements to come, those of the current transaction too. */
  public void lockTimeoutMillis(long millis) {
    lockTimeoutMillis = millis;
    Transaction now = open;
    if (now != null) {
      now.lockTimeoutMillis(millis);
    }
  }

  /** Where names without a schema are looked up. */
  SchemaPath path() {
    return path;
  }

  /** For the statements to come, those of the current transaction too. */
  void path(SchemaPath other) {
    path = other;
    Transaction now = open;
    if (now != null) {
      now.attach(other);
    }
  }

  /** The protocol of the transactions to come. */
  Protocol protocol() {
    Protocol asked = protocol;
    return asked == null ? database.transactions().options().protocol() : asked;
  }

  /** Whether the protocol was asked for, not left to the database. */
  boolean asksForProtocol() {
    return protocol != null;
  }

  /** For the statements to come, those of the current transaction too; null is the database's. */
  void protocol(@Nullable Protocol asked) {
    Protocol next = asked == null ? database.transactions().options().protocol() : asked;
    Transaction now = open;
    if (now != null) {
      now.protocol(next);
    } else {
      requirePossible(next);
    }
    protocol = asked;
  }

  private void requirePossible(Protocol asked) {
    Transaction probe = database.transactions().begin();
    try {
      probe.protocol(asked);
    } finally {
      probe.rollback();
    }
  }
}
