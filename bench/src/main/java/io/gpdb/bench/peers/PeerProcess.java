package io.gpdb.bench.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.peers.PeersReport.Contestant;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The processes of one contestant in one round, on a directory of their own. */
final class PeerProcess {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Contestant contestant;
  private final PeerSizes sizes;
  private final String heap;
  private final int limitSeconds;

  /**
   * @param heap of the JVM, as -Xmx takes it
   * @param limitSeconds after which the process is ended
   */
  PeerProcess(Contestant contestant, PeerSizes sizes, String heap, int limitSeconds) {
    this.contestant = contestant;
    this.sizes = sizes;
    this.heap = heap;
    this.limitSeconds = limitSeconds;
  }

  /** Does all work once; what was found before a process ended too early counts. */
  void run(Path directory, Consumer<Measured> found) throws IOException, InterruptedException {
    try {
      List<String> command = command(PeerChild.class, directory, sizes.words());
      if (lines(command, line -> found.accept(JSON.readValue(line, Measured.class)))) {
        reopen(directory, false, "opening after a clean close, to the first count", found);
        reopen(directory, true, "opening after a kill, to the first count", found);
      }
    } finally {
      ScratchDirectory.delete(directory);
    }
  }

  /** What takes a line that a process has printed. */
  @FunctionalInterface
  private interface LineTaker {
    void take(String line) throws IOException;
  }

  /** A process that is to be killed leaves the database for the one that is measured. */
  private void reopen(Path directory, boolean killed, String name, Consumer<Measured> found)
      throws IOException, InterruptedException {
    List<String> halting = command(PeerReopen.class, directory, "true");
    if (killed && !lines(halting, _ -> {})) {
      return;
    }
    lines(
        command(PeerReopen.class, directory, "false"),
        line -> {
          List<Double> millis = List.of(Double.parseDouble(line));
          found.accept(new Measured(PeerChild.AT_REST, name, "ms", false, millis, null));
        });
  }

  private List<String> command(Class<?> main, Path directory, String last) {
    return ChildJvm.unarchived(
        List.of("-Xmx" + heap),
        main,
        contestant.peer().label(),
        directory.toString(),
        Integer.toString(contestant.workers()),
        last);
  }

  /** Whether the process ended by itself and well. */
  private boolean lines(List<String> command, LineTaker taker)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Thread watch =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
                      process.destroyForcibly();
                    }
                  } catch (InterruptedException e) {
                    process.destroyForcibly();
                  }
                });
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        taker.take(line);
      }
    } finally {
      watch.interrupt();
    }
    return process.waitFor() == 0;
  }
}
