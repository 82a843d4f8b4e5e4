package io.gpdb.jdbc;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import java.sql.Connection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which isolation level a session's transactions get: that of the session, or one that was set for
 * the next transaction alone. The current transaction is used once a statement has run in it;
 * before, its level may still be changed. One of a single statement under autocommit takes the next
 * one's level, but is never current.
 *
 * <p>Invariant: what is used is the current transaction, so that without one nothing is.
 */
final class SessionIsolation {
  private final Session session;
  private IsolationLevel ofSession = IsolationLevel.SNAPSHOT;
  private @Nullable IsolationLevel ofNext;
  private boolean used;
  private volatile long lockTimeoutMillis;

  SessionIsolation(Session session) {
    this.session = session;
  }

  /** How long a statement waits for writers of the same rows. */
  long lockTimeoutMillis() {
    return lockTimeoutMillis;
  }

  /** For the statements to come, those of the current transaction too. */
  void lockTimeoutMillis(long millis) {
    lockTimeoutMillis = millis;
    Transaction open = session.current();
    if (open != null) {
      open.lockTimeoutMillis(millis);
    }
  }

  /** The level of the transactions to come. */
  IsolationLevel ofSession() {
    return ofSession;
  }

  /** For the transactions to come. */
  void setForSession(IsolationLevel level) {
    ofSession = level;
  }

  /** The level of the current transaction, or else of the next. */
  IsolationLevel now() {
    Transaction open = session.current();
    return open == null ? level() : open.isolation();
  }

  /** For the transactions to come and the current one, in which nothing has run. */
  void set(IsolationLevel level) {
    if (now() != level) {
      setForTransaction(level);
    }
    ofSession = level;
  }

  /** For the current transaction, in which nothing has run, or else for the next. */
  void setForTransaction(IsolationLevel level) {
    Transaction open = session.current();
    if (used) {
      throw new GpdbException(
          ErrorCode.TRANSACTION_STATE,
          "the isolation level of a transaction cannot change after its first statement");
    }
    setForNext(level);
    if (open != null) {
      session.restart(open, level);
    }
  }

  void setForNext(IsolationLevel level) {
    ofNext = level;
  }

  /** The level of a transaction that begins now. */
  IsolationLevel level() {
    IsolationLevel next = ofNext;
    return next == null ? ofSession : next;
  }

  /** A statement runs, in the current transaction or one of its own. */
  void use() {
    used = session.isInTransaction();
    ofNext = null;
  }

  /** Whether a statement has run in the current transaction. */
  boolean isUsed() {
    return used;
  }

  /** The current transaction has ended. */
  void end() {
    used = false;
    ofNext = null;
  }

  static IsolationLevel ofJdbc(int level) {
    return switch (level) {
      case Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED ->
          IsolationLevel.READ_COMMITTED;
      case Connection.TRANSACTION_REPEATABLE_READ -> IsolationLevel.SNAPSHOT;
      case Connection.TRANSACTION_SERIALIZABLE -> IsolationLevel.SERIALIZABLE;
      default ->
          throw new GpdbException(ErrorCode.INVALID_ARGUMENT, level + " is not an isolation level");
    };
  }

  static int toJdbc(IsolationLevel level) {
    return switch (level) {
      case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
      case SNAPSHOT -> Connection.TRANSACTION_REPEATABLE_READ;
      case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
    };
  }

  static IsolationLevel ofText(String text) {
    return switch (text.toUpperCase(Locale.ROOT).replace('-', '_').replace(' ', '_')) {
      case "READ_UNCOMMITTED", "READ_COMMITTED" -> IsolationLevel.READ_COMMITTED;
      case "REPEATABLE_READ", "SNAPSHOT" -> IsolationLevel.SNAPSHOT;
      case "SERIALIZABLE" -> IsolationLevel.SERIALIZABLE;
      default ->
          throw new GpdbException(
              ErrorCode.INVALID_ARGUMENT, "'" + text + "' is not an isolation level");
    };
  }

  /** The level as SHOW gives it; SET takes it back. */
  static String toText(IsolationLevel level) {
    return switch (level) {
      case READ_COMMITTED -> "read-committed";
      case SNAPSHOT -> "repeatable-read";
      case SERIALIZABLE -> "serializable";
    };
  }
}
