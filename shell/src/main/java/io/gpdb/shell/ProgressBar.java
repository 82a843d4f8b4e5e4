package io.gpdb.shell;

import io.gpdb.session.copy.CopyProgress;
import java.io.PrintWriter;
import java.util.Locale;

/** Rows, rows per second and share of an import, on one line of a terminal. */
final class ProgressBar implements CopyProgress, AutoCloseable {
  private static final long NANOS_BETWEEN_DRAWS = 100_000_000L;
  private static final int CELLS = 30;

  private final PrintWriter err;
  private final boolean terminal;
  private final long start = System.nanoTime();
  private long lastDraw = start;
  private boolean drawn;

  ProgressBar(Console console) {
    this.err = console.err();
    this.terminal = console.terminal();
  }

  @Override
  public void at(long rows, long bytesDone, long bytesTotal) {
    long now = System.nanoTime();
    if (terminal && now - lastDraw >= NANOS_BETWEEN_DRAWS) {
      lastDraw = now;
      drawn = true;
      err.print('\r' + line(rows, bytesDone, bytesTotal, now - start) + "\u001b[K");
      err.flush();
    }
  }

  static String line(long rows, long bytesDone, long bytesTotal, long nanos) {
    double share = bytesTotal == 0 ? 0 : Math.min(1, bytesDone / (double) bytesTotal);
    int full = (int) (share * CELLS);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3d%%  %,d rows  %,.0f rows/s",
        "#".repeat(full),
        ".".repeat(CELLS - full),
        (int) (share * 100),
        rows,
        rows * 1e9 / Math.max(nanos, 1));
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    if (drawn) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
