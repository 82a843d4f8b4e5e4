package io.gpdb.bench.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.LimitedProcess;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.peers.PeersReport.Contestant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

  /** What takes the figures of a contestant, and what is said besides. */
  interface Taker {
    void figure(Measured measured);

    /** What the process does now. */
    void part(String text);

    /** That a process has ended before it had done all. */
    void end(String reason);
  }

  /** Does all work once; what was found before a process ended too early counts. */
  void run(Path directory, Taker taker) throws IOException, InterruptedException {
    try {
      taker.part("starting");
      List<String> command = command(PeerChild.class, directory, sizes.words());
      if (lines(command, directory, line -> take(line, taker), taker)) {
        reopen(directory, false, "opening after a clean close, to the first count", taker);
        reopen(directory, true, "opening after a kill, to the first count", taker);
      }
    } finally {
      ScratchDirectory.delete(directory);
    }
  }

  static void take(String line, Taker taker) {
    if (line.startsWith(PeerChild.TOLD)) {
      taker.part(line.substring(PeerChild.TOLD.length()));
      return;
    }
    try {
      taker.figure(JSON.readValue(line, Measured.class));
    } catch (IOException e) {
      taker.part("half a figure"); // the process was ended while it wrote
    }
  }

  /** A process that is to be killed leaves the database for the one that is measured. */
  private void reopen(Path directory, boolean killed, String name, Taker taker)
      throws IOException, InterruptedException {
    taker.part(name);
    List<String> halting = command(PeerReopen.class, directory, "true");
    if (killed && !lines(halting, directory, _ -> {}, taker)) {
      return;
    }
    lines(
        command(PeerReopen.class, directory, "false"),
        directory,
        line -> {
          List<Double> millis = List.of(Double.parseDouble(line));
          taker.figure(new Measured(PeerChild.AT_REST, name, "ms", false, millis, null));
        },
        taker);
  }

  private List<String> command(Class<?> main, Path directory, String last) {
    return ChildJvm.unarchived(
        PeerClassPath.of(contestant.peer()),
        List.of(
            "-Xmx" + heap, "-Dderby.stream.error.file=" + directory.resolveSibling("derby.log")),
        main,
        contestant.peer().label(),
        directory.toString(),
        Integer.toString(contestant.workers()),
        last);
  }

  /** Whether the process ended by itself and well. */
  private boolean lines(List<String> command, Path directory, Consumer<String> each, Taker taker)
      throws IOException, InterruptedException {
    Path errors = directory.resolveSibling(directory.getFileName() + ".err");
    long end = LimitedProcess.within(limitSeconds);
    try (LimitedProcess process = new LimitedProcess(command, errors)) {
      for (String line = process.line(end); line != null; line = process.line(end)) {
        each.accept(line);
      }
      String ending = process.ending();
      if (!ending.isEmpty()) {
        taker.end(ending);
      }
      return ending.isEmpty();
    }
  }
}
