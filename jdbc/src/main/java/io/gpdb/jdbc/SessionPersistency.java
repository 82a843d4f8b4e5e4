package io.gpdb.jdbc;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a session's changes are to come to the medium, where it does not leave it to the database.
 */
final class SessionPersistency {
  private final Session session;
  private @Nullable Protocol wish;

  SessionPersistency(Session session) {
    this.session = session;
  }

  /** Begins a transaction under the session's wish. */
  Transaction begin(IsolationLevel level) {
    Transaction begun = session.database().transactions().begin(level);
    begun.lockTimeoutMillis(session.isolation().lockTimeoutMillis());
    Protocol asked = wish;
    if (asked != null) {
      begun.persistency(asked);
    }
    return begun;
  }

  /** For the statements to come, those of the current transaction too; null is the database's. */
  void set(@Nullable String text) {
    Protocol asked =
        text == null ? session.database().transactions().options().protocol() : of(text);
    Transaction open = session.current();
    if (open != null) {
      open.persistency(asked);
    } else {
      Transaction probe = session.database().transactions().begin();
      try {
        probe.persistency(asked);
      } finally {
        probe.rollback();
      }
    }
    wish = text == null ? null : asked;
  }

  /** As SHOW gives it. */
  String text() {
    Protocol asked = wish;
    Protocol now = asked == null ? session.database().transactions().options().protocol() : asked;
    return now.word();
  }

  private static Protocol of(String text) {
    String word = text.toLowerCase(Locale.ROOT).replace('_', '-');
    for (Protocol protocol : Protocol.values()) {
      if (protocol.word().equals(word)) {
        return protocol;
      }
    }
    throw new GpdbException(
        ErrorCode.INVALID_ARGUMENT,
        "persistency is auto, redo, undo, versioned or checksummed, not '" + text + "'");
  }
}
