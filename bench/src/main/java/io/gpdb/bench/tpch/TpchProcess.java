package io.gpdb.bench.tpch;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.LimitedProcess;
import io.gpdb.bench.peers.PeerClassPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The process that answers for one contestant; a new one where the last has ended. */
final class TpchProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Of a process whose memory is limited: otherwise the JVM begins with a 64th of the machine's
   * memory, of which it takes the whole before it looks for garbage, and the process would be the
   * larger the larger the machine is.
   */
  private static final String HEAP_FIRST = "-Xms64m";

  private final TpchContestant contestant;
  private final Path directory;
  private final TpchEffort effort;
  private @Nullable LimitedProcess running;

  TpchProcess(TpchContestant contestant, Path directory, TpchEffort effort) {
    this.contestant = contestant;
    this.directory = directory;
    this.effort = effort;
  }

  TpchContestant contestant() {
    return contestant;
  }

  /**
   * Makes the database in the folder; returns why that failed, empty where it did not.
   *
   * @param told how far it is
   */
  static String load(
      TpchContestant contestant,
      Path directory,
      TpchEffort effort,
      double factor,
      long seed,
      Consumer<String> told)
      throws IOException, InterruptedException {
    List<String> command =
        command(contestant, directory, effort, TpchChild.LOAD, "" + factor, "" + seed);
    try (LimitedProcess loading = new LimitedProcess(command, errors(directory))) {
      long end = LimitedProcess.within(effort.limitSeconds());
      for (String line = loading.line(end); line != null; line = loading.line(end)) {
        told.accept(line.replace(TpchChild.TOLD, ""));
      }
      return loading.ending();
    }
  }

  /** All runs of one query. */
  TpchMeasured ask(int query) throws IOException, InterruptedException {
    LimitedProcess process = running == null ? start() : running;
    process.send("" + query);
    String line = process.line(LimitedProcess.within(effort.limitSeconds()));
    if (line != null) {
      return JSON.readValue(line, TpchMeasured.class);
    }
    running = null;
    try (process) {
      return TpchMeasured.failed("the process " + process.ending());
    }
  }

  private LimitedProcess start() throws IOException {
    LimitedProcess process =
        new LimitedProcess(
            command(
                contestant,
                directory,
                effort,
                TpchChild.ASK,
                "" + effort.rounds(),
                "" + effort.seconds()),
            errors(directory));
    running = process;
    return process;
  }

  private static List<String> command(
      TpchContestant contestant, Path directory, TpchEffort effort, String... rest) {
    List<String> arguments = new ArrayList<>();
    arguments.add(contestant.words());
    arguments.add(directory.toString());
    arguments.addAll(List.of(rest));
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + effort.heap());
    if (contestant.memoryBytes() > 0) {
      options.add(HEAP_FIRST);
    }
    return ChildJvm.unarchived(
        PeerClassPath.of(contestant.peer()),
        options,
        TpchChild.class,
        arguments.toArray(String[]::new));
  }

  private static Path errors(Path directory) {
    return directory.resolveSibling(directory.getFileName() + ".err");
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
    }
  }
}
