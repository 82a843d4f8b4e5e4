package io.gpdb.shell;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a script in order when the process gets a signal to end (Ctrl-C, SIGTERM): what runs is
 * stopped and undone, files that it was writing are deleted, and the database is closed. The
 * process then ends by the signal.
 */
final class Interruption implements AutoCloseable {
  private static final long WAIT_SECONDS_MAX = 2;

  private final Connection connection;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end, "gpdb-interrupted");

  Interruption(Connection connection) {
    this.connection = connection;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void end() {
    try {
      connection.close();
      if (!ended.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        System.err.println("what ran did not end within " + WAIT_SECONDS_MAX + " s");
      }
    } catch (SQLException e) {
      System.err.println(ShellError.line(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The script has ended. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs.
    }
  }
}
