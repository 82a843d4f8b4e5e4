package io.gpdb.bench.mutants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@link MutantWorker}, seen from the process that sends it work; replaced when it ends. */
final class WorkerProcess implements AutoCloseable {
  /** Classes and threads that mutants leave behind go with their process. */
  private static final int JOBS_MAX = 100;

  /** Begins the answer of a process that ended without one. */
  private static final String CRASH = "killed crash";

  private static final int WORDS_LINES_MAX = 5;

  private final List<String> command;
  private final Path folder;
  private final Path scratch;
  private final Path errors;
  private @Nullable Process process;
  private int jobs;

  /**
   * @param command starts the JVM with the worker
   * @param folder it works there, as a module's tests do
   * @param scratch a folder of its own for temporary files
   */
  WorkerProcess(List<String> command, Path folder, Path scratch) {
    this.folder = folder;
    this.command = command;
    this.scratch = scratch;
    errors = scratch.resolveSibling(scratch.getFileName() + ".err");
  }

  /**
   * What the tests say of a mutant. A process that breaks, or that fails the test without the
   * mutant too, may be in a bad way from mutants before it: a new one is asked again, once.
   */
  String judge(MutationPoint point, List<String> testLines) throws IOException {
    List<String> job = new ArrayList<>();
    job.add("mutant " + point.id());
    job.addAll(testLines);
    job.add("");
    String answer = ask(job, "survived").getLast();
    if (isOfTheProcess(answer)) {
      end();
      answer = ask(job, "survived").getLast();
    }
    return answer;
  }

  /** Sends a job; the lines of the answer up to the one that ends it. */
  List<String> ask(List<String> lines, String last) throws IOException {
    Process worker = running();
    PrintStream out = new PrintStream(worker.getOutputStream(), false, StandardCharsets.UTF_8);
    lines.forEach(line -> out.print(line + "\n"));
    out.flush();
    BufferedReader in = worker.inputReader(StandardCharsets.UTF_8);
    List<String> answer = new ArrayList<>();
    String line = in.readLine();
    while (line != null && !line.startsWith(last) && !endsAJob(line)) {
      answer.add(line);
      line = in.readLine();
    }
    answer.add(line == null ? CRASH + " " + lastWords(worker) : line);
    jobs++;
    if (line == null || hasEnded(line) || jobs >= JOBS_MAX) {
      end();
    }
    return answer;
  }

  /** Whether the answer says more about the process than about the mutant. */
  static boolean isOfTheProcess(String answer) {
    return answer.startsWith(CRASH) || answer.startsWith("killed sick");
  }

  private static boolean endsAJob(String line) {
    return line.startsWith("killed") || line.startsWith("invalid");
  }

  /** The exit status and the end of what the process wrote to its standard error. */
  private String lastWords(Process ended) throws IOException {
    try {
      ended.waitFor(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String status =
        ended.isAlive() ? "runs on without answers" : "exit status " + ended.exitValue();
    List<String> said = Files.readAllLines(errors);
    List<String> end = said.subList(Math.max(0, said.size() - WORDS_LINES_MAX), said.size());
    return status + ": " + String.join(" | ", end);
  }

  private static boolean hasEnded(String answer) {
    return answer.startsWith("killed timeout")
        || answer.startsWith("killed standstill")
        || answer.startsWith("killed memory")
        || answer.startsWith("killed sick");
  }

  private Process running() throws IOException {
    if (process != null && !process.isAlive()) {
      end();
    }
    Process known = process;
    if (known == null) {
      Files.createDirectories(scratch);
      List<String> all = new ArrayList<>(command);
      all.add(1, "-Djava.io.tmpdir=" + scratch);
      known =
          new ProcessBuilder(all)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.to(errors.toFile()))
              .start();
      process = known;
      jobs = 0;
      String greeting = known.inputReader(StandardCharsets.UTF_8).readLine();
      if (!MutantWorker.GREETING.equals(greeting)) {
        throw new IOException("a worker does not start: " + lastWords(known));
      }
    }
    return known;
  }

  /** The next job gets a process of its own. */
  private void end() throws IOException {
    Process known = process;
    if (known == null) {
      return;
    }
    known.destroyForcibly();
    try {
      known.waitFor(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process = null;
    clear();
  }

  private void clear() throws IOException {
    if (!Files.exists(scratch)) {
      return;
    }
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    end();
    clear();
    Files.deleteIfExists(errors);
  }
}
