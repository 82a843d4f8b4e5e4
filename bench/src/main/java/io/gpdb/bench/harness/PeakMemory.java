package io.gpdb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The most memory that this process holds from a moment on, as Linux counts it. Elsewhere nothing
 * is known.
 *
 * <p>Linux keeps the peak of the whole; those of its parts, memory of the process's own and pages
 * of mapped files, are the greatest of many samples. The parts peak at different times: they may be
 * more than the whole when they are added.
 */
public final class PeakMemory implements AutoCloseable {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path CLEAR = Path.of("/proc/self/clear_refs");
  private static final String PEAK = "VmHWM:";
  private static final String RESIDENT = "VmRSS:";
  private static final String OWN = "RssAnon:";
  private static final String RESET_PEAK = "5";
  private static final int KIBIBYTE = 1024;
  private static final int SAMPLE_MILLIS = 10;

  /**
   * NaN where it is not known.
   *
   * @param bytes of both
   * @param ownBytes of the process alone: heap, native memory, stacks
   * @param fileBytes of files that are mapped, those in memory among them; the system may drop what
   *     is on a disk whenever it likes
   */
  public record Peak(double bytes, double ownBytes, double fileBytes) {
    public static final Peak UNKNOWN = new Peak(Double.NaN, Double.NaN, Double.NaN);
  }

  private final Thread sampler;
  private volatile boolean ended;
  private double ownBytes = Double.NaN;
  private double fileBytes = Double.NaN;

  private PeakMemory() {
    sampler = Thread.ofPlatform().daemon().name("peak-memory").unstarted(this::sampleOften);
  }

  /** Begins; where Linux refuses, the peak of the whole is that since the process began. */
  public static PeakMemory begin() {
    try {
      Files.writeString(CLEAR, RESET_PEAK);
    } catch (IOException e) {
      // The peak is that of the whole process.
    }
    PeakMemory peak = new PeakMemory();
    peak.sample();
    peak.sampler.start();
    return peak;
  }

  private void sampleOften() {
    while (!ended) {
      sample();
      try {
        Thread.sleep(SAMPLE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private synchronized void sample() {
    List<String> status = status();
    double own = bytes(status, OWN);
    ownBytes = Double.isNaN(ownBytes) ? own : Math.max(ownBytes, own);
    double file = bytes(status, RESIDENT) - own;
    fileBytes = Double.isNaN(fileBytes) ? file : Math.max(fileBytes, file);
  }

  /** The peak until now. */
  public synchronized Peak peak() {
    sample();
    return new Peak(bytes(status(), PEAK), ownBytes, fileBytes);
  }

  private static List<String> status() {
    try {
      return Files.readAllLines(STATUS);
    } catch (IOException e) {
      return List.of();
    }
  }

  private static double bytes(List<String> status, String name) {
    for (String line : status) {
      if (line.startsWith(name)) {
        String[] words = line.substring(name.length()).strip().split(" ", -1);
        return Long.parseLong(words[0]) * (double) KIBIBYTE;
      }
    }
    return Double.NaN;
  }

  @Override
  public void close() {
    ended = true;
    sampler.interrupt();
  }
}
