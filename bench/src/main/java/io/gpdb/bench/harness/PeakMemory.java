package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The most memory that this process has held at once, as Linux counts it (VmHWM). Elsewhere nothing
 * is known.
 */
public final class PeakMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path CLEAR = Path.of("/proc/self/clear_refs");
  private static final String PEAK = "VmHWM:";
  private static final String RESET_PEAK = "5";
  private static final int KIBIBYTE = 1024;

  private PeakMemory() {}

  /** From now on; where that is refused, from the beginning as before. */
  public static void reset() {
    try {
      Files.writeString(CLEAR, RESET_PEAK);
    } catch (IOException e) {
      // The peak is that of the whole process.
    }
  }

  /** NaN where it is not known. */
  public static double bytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(PEAK)) {
          String[] words = line.substring(PEAK.length()).strip().split(" ", -1);
          return Long.parseLong(words[0]) * (double) KIBIBYTE;
        }
      }
    } catch (IOException e) {
      // As where there is no such line.
    }
    return Double.NaN;
  }
}
