package io.gpdb.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.MachineLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processes of one part, run side by side under a limit of time. */
final class PartRun {
  private static final int OUTPUT_LINES_MAX = 40;

  private final Part part;
  private final Path folder;
  private final List<Child> children = new ArrayList<>();

  private record Child(List<String> command, Path report, Path log) {}

  /**
   * @param folder for reports and what the processes print
   */
  PartRun(Part part, Path folder) {
    this.part = part;
    this.folder = folder;
  }

  /** A process whose last option names the file of its report. */
  void add(List<String> flags, Class<?> main, List<String> arguments) {
    Child child = child();
    List<String> all = new ArrayList<>(arguments);
    all.add("--json");
    all.add(child.report().toString());
    child.command().addAll(ChildJvm.unarchived(flags, main, all.toArray(String[]::new)));
    children.add(child);
  }

  /** A process whose first argument is the file of its report. */
  void addTests(List<String> flags, List<String> classes) {
    Child child = child();
    List<String> all = new ArrayList<>(classes);
    all.addFirst(child.report().toString());
    child
        .command()
        .addAll(ChildJvm.unarchived(flags, ContractsChild.class, all.toArray(String[]::new)));
    children.add(child);
  }

  private Child child() {
    String name = part.word() + children.size();
    return new Child(
        new ArrayList<>(), folder.resolve(name + ".json"), folder.resolve(name + ".log"));
  }

  PartResult run(int secondsMax) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(secondsMax);
    List<Process> processes = new ArrayList<>();
    for (Child child : children) {
      processes.add(
          new ProcessBuilder(child.command())
              .redirectErrorStream(true)
              .redirectOutput(child.log().toFile())
              .start());
    }
    boolean passed = true;
    StringBuilder output = new StringBuilder();
    for (int i = 0; i < processes.size(); i++) {
      String failure = failure(processes.get(i), end, secondsMax);
      if (!failure.isEmpty()) {
        passed = false;
        output.append(failure).append('\n').append(lastLines(children.get(i).log()));
      }
    }
    return new PartResult(
        part.word(), passed, MachineLimits.seconds(start), reports(), output.toString());
  }

  /** Waits for the process; says how it failed, or nothing. */
  private static String failure(Process process, long end, int secondsMax)
      throws InterruptedException {
    if (!process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      process.waitFor();
      return "ended after " + secondsMax + " s";
    }
    return process.exitValue() == 0 ? "" : "exit status " + process.exitValue();
  }

  private List<JsonNode> reports() throws IOException {
    List<JsonNode> reports = new ArrayList<>();
    for (Child child : children) {
      if (Files.exists(child.report())) {
        reports.add(new ObjectMapper().readTree(child.report().toFile()));
      }
    }
    return reports;
  }

  private static String lastLines(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    int from = Math.max(0, lines.size() - OUTPUT_LINES_MAX);
    return String.join("\n", lines.subList(from, lines.size())) + "\n";
  }
}
