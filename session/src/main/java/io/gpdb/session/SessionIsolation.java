package io.gpdb.session;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which isolation level a session's transactions get, and whether one is read only: as the session
 * has it, or as it was set for the next transaction alone. The current transaction is used once a
 * statement has run in it; before, its level may still be changed. One of a single statement under
 * autocommit takes the next one's level, but is never current.
 *
 * <p>Invariant: what is used is the current transaction, so that without one nothing is.
 */
public final class SessionIsolation {
  private final CurrentTransaction current;
  private IsolationLevel ofSession = IsolationLevel.SNAPSHOT;
  private @Nullable IsolationLevel ofNext;
  private @Nullable Boolean readOnlyNext;
  private @Nullable Boolean readOnlyNow;
  private boolean used;

  SessionIsolation(CurrentTransaction current) {
    this.current = current;
  }

  /** The level of the transactions to come. */
  public IsolationLevel ofSession() {
    return ofSession;
  }

  /** For the transactions to come. */
  void setForSession(IsolationLevel level) {
    ofSession = level;
  }

  /** The level of the current transaction, or else of the next. */
  IsolationLevel now() {
    Transaction open = current.transaction();
    return open == null ? level() : open.isolation();
  }

  /** For the transactions to come and the current one, in which nothing has run. */
  public void set(IsolationLevel level) {
    if (now() != level) {
      setForTransaction(level);
    }
    ofSession = level;
  }

  /** For the current transaction, in which nothing has run, or else for the next. */
  void setForTransaction(IsolationLevel level) {
    Transaction open = current.transaction();
    requireUnused("the isolation level");
    setForNext(level);
    if (open != null) {
      var _ = current.restart(open, level);
    }
  }

  private void requireUnused(String mode) {
    if (used) {
      throw new GpdbException(
          ErrorCode.TRANSACTION_STATE,
          mode + " of a transaction cannot change after its first statement");
    }
  }

  /** For the current transaction, in which nothing has run, or else for the next. */
  void setReadOnlyForTransaction(@Nullable Boolean readOnly) {
    requireUnused("the access mode");
    readOnlyNext = readOnly;
  }

  /** Whether the current transaction, or else the next, is read only by its own modes. */
  @Nullable Boolean readOnly() {
    return used ? readOnlyNow : readOnlyNext;
  }

  /** Whether the transaction of the statement that runs is read only by its own modes. */
  boolean isReadOnly() {
    return Boolean.TRUE.equals(readOnlyNow);
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
    if (!used) {
      readOnlyNow = readOnlyNext;
    }
    used = current.isOpen();
    ofNext = null;
    readOnlyNext = null;
  }

  /** Whether a statement has run in the current transaction. */
  boolean isUsed() {
    return used;
  }

  /** The current transaction has ended. */
  void end() {
    used = false;
    ofNext = null;
    readOnlyNow = null;
    readOnlyNext = null;
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

  /** The level as SHOW prints it and SET reads it. */
  static String toText(IsolationLevel level) {
    return switch (level) {
      case READ_COMMITTED -> "read-committed";
      case SNAPSHOT -> "repeatable-read";
      case SERIALIZABLE -> "serializable";
    };
  }
}
