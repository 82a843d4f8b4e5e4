package io.gpdb.bench.harness;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A child process that talks in lines, and is ended when one takes too long to come. */
public final class LimitedProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;
  private final BufferedReader from;
  private final BufferedWriter to;
  private volatile boolean late;

  /**
   * Starts it.
   *
   * @param errors a file for what it says on its error stream
   */
  public LimitedProcess(List<String> command, Path errors) throws IOException {
    this.errors = errors;
    this.process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    this.from = process.inputReader(StandardCharsets.UTF_8);
    this.to = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** When there is no more time, for {@link #line}. */
  public static long within(int seconds) {
    return System.nanoTime() + seconds * 1_000_000_000L;
  }

  /** Sends a line; one that has ended does not hear it. */
  public void send(String line) {
    try {
      to.write(line + "\n");
      to.flush();
    } catch (IOException e) {
      // Its next line is none, and ending() says why.
    }
  }

  /** The next line; null where it has ended, or is ended because none came in time. */
  public @Nullable String line(long untilNanos) throws IOException {
    Thread watch = Thread.ofVirtual().start(() -> watch(untilNanos));
    try {
      return from.readLine();
    } finally {
      watch.interrupt();
    }
  }

  private void watch(long untilNanos) {
    try {
      if (!process.waitFor(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        late = true;
        // Process would close the stream from which another thread reads the line.
        process.toHandle().destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the line has come
    }
  }

  /** Waits for its end; why it ended, empty where by itself and well. */
  public String ending() throws IOException, InterruptedException {
    int status = process.waitFor();
    if (late) {
      return "ended after its limit of time";
    }
    return status == 0 ? "" : "ended with status " + status + failure();
  }

  private String failure() throws IOException {
    try (Stream<String> lines = Files.lines(errors, StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("Exception in"))
          .findFirst()
          .map(": "::concat)
          .orElse("");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
