package io.gpdb.jdbc;

import io.gpdb.jdbc.LongStatements.Kind;
import io.gpdb.jdbc.StoppedStatementsTest.Means;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.Objects;
import java.util.stream.Stream;

/** One long statement on a thread of its own. */
final class StoppedRun {
  private final Connection connection;
  private final Kind kind;
  private final Statement statement;
  private final Thread thread;
  private volatile String outcome = "did not end";
  private volatile Throwable failure;

  StoppedRun(Connection connection, Kind kind) throws SQLException {
    this.connection = connection;
    this.kind = kind;
    statement = kind.open(connection);
    thread = Thread.ofPlatform().daemon().name(kind.name()).unstarted(this::run);
  }

  Connection connection() {
    return connection;
  }

  Statement statement() {
    return statement;
  }

  void timeoutSeconds(int seconds) throws SQLException {
    statement.setQueryTimeout(seconds);
  }

  /** Starts it and returns when it executes, or has ended: before, there is nothing to stop. */
  void start() throws InterruptedException {
    thread.start();
    while (thread.isAlive() && !executes()) {
      Thread.sleep(1);
    }
  }

  private boolean executes() {
    return Stream.of(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getMethodName().equals("inTurn")
                    || frame.getClassName().equals(GpdbResultSet.class.getName()));
  }

  private void run() {
    try {
      kind.run(statement);
      outcome = "finished";
    } catch (Throwable e) {
      failure = e;
      outcome = e instanceof SQLException s ? s.getSQLState() + " " + e.getMessage() : "" + e;
    }
  }

  void awaitEnd(long millis) throws InterruptedException {
    thread.join(millis);
    if (thread.isAlive()) {
      StringBuilder stack = new StringBuilder("runs on");
      for (StackTraceElement frame : thread.getStackTrace()) {
        stack.append("\n    ").append(frame);
      }
      outcome = stack.toString();
    }
  }

  String outcome() {
    return outcome;
  }

  /** Finished before it was stopped, or ended with the state that its end by this means has. */
  boolean endedRightly(Means means) {
    if (outcome.equals("finished")) {
      return true;
    }
    if (!(failure instanceof SQLException e)) {
      return false;
    }
    if (Objects.equals(e.getSQLState(), "54000")) {
      return true; // it met a limit before it was stopped
    }
    boolean closes = means != Means.CANCEL && means != Means.TIMEOUT;
    boolean timedOut =
        failure instanceof SQLTimeoutException
            || failure.getCause() instanceof SQLTimeoutException; // that of a batch
    return Objects.equals(e.getSQLState(), "57014") && timedOut == (means == Means.TIMEOUT)
        || (closes && Objects.requireNonNullElse(e.getSQLState(), "").matches("08003|24000|HY010"));
  }
}
