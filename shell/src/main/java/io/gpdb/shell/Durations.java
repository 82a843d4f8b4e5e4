package io.gpdb.shell;

import java.util.Locale;

/** Durations as people read them. */
final class Durations {
  private static final double MILLISECOND = 1e6;
  private static final double SECOND = 1e9;
  private static final long MINUTE = 60_000_000_000L;

  private Durations() {}

  static String text(long nanos) {
    if (nanos < SECOND) {
      return String.format(Locale.ROOT, "%.1f ms", nanos / MILLISECOND);
    }
    if (nanos < MINUTE) {
      return String.format(Locale.ROOT, "%.2f s", nanos / SECOND);
    }
    long seconds = nanos / 1_000_000_000L;
    return seconds / 60 + " min " + seconds % 60 + " s";
  }
}
