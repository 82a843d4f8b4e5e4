package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.session.Session;
import io.gpdb.session.database.Databases;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.storage.error.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * What the statements, result sets and metadata of a connection share with it: its session, and
 * whether it is still open.
 */
final class ConnectionState {
  private final Connection asJdbc;
  private final String url;
  private final Databases.Lease lease;
  private final Session session;
  private final BoundRow.Maker rows;
  private volatile boolean closed;

  /** The lease ends with the session. */
  ConnectionState(
      Connection asJdbc, String url, Databases.Lease lease, Session session, BoundRow.Maker rows) {
    this.rows = rows;
    this.asJdbc = asJdbc;
    this.url = url;
    this.lease = lease;
    this.session = session;
  }

  /** The connection that callers of JDBC have. */
  Connection asJdbc() {
    return asJdbc;
  }

  String url() {
    return url;
  }

  /** A row of values of these types, none of which is set. */
  BoundRow row(List<ParameterDef> columns) {
    return rows.make(this, columns);
  }

  Session session() {
    return session;
  }

  CatalogSnapshot catalog() throws SQLException {
    return ask(session::catalog);
  }

  boolean isClosed() {
    return closed;
  }

  void requireOpen() throws SQLException {
    if (closed) {
      throw SqlErrors.of(ErrorCode.CLOSED, "the connection is closed");
    }
  }

  /** Something done with the session. */
  interface Act {
    void run() throws SQLException;
  }

  /** Something asked of the session. */
  interface Question<T> {
    T answer() throws SQLException;
  }

  /** Something done when the statements of other threads have ended. */
  void act(Act act) throws SQLException {
    ask(
        () -> {
          act.run();
          return this;
        });
  }

  /** Something asked when the statements of other threads have ended. */
  <T> T ask(Question<T> question) throws SQLException {
    requireOpen();
    session.lock().lock();
    try {
      requireOpen();
      return question.answer();
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    } finally {
      session.lock().unlock();
    }
  }

  /** Ends what the session does, and refuses more; returns whether it was open until now. */
  boolean shut() {
    boolean wasOpen = !closed;
    closed = true;
    if (wasOpen) {
      session.stopAll();
    }
    return wasOpen;
  }

  /** Closes the session that was shut, and the database if this was its last connection. */
  void closeSession() throws SQLException {
    try {
      session
          .lock()
          .whenFree(
              () -> {
                try (lease) {
                  session.close();
                }
              });
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }
}
