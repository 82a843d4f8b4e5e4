package io.gpdb.bench.slt;

import io.gpdb.bench.harness.JsonOption;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs scripts of sqllogictest, each on a database of its own. */
@Command(
    name = "slt",
    mixinStandardHelpOptions = true,
    description = {
      "Runs scripts of sqllogictest over JDBC, each on an empty memory database, as engine gpdb:",
      "records with 'onlyif' of another engine or 'skipif gpdb' are left out. Prints what passed",
      "and failed of each file, the first failures with what was returned instead, and how many",
      "records a second of CPU time were run. Exit status 1 when a record fails."
    })
public final class SltCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Files, or folders with files that end in .test or .slt (.gz, too).")
  private List<Path> paths = List.of();

  @Option(
      names = "--failures",
      defaultValue = "5",
      description = "How many failures of each file are printed (default: 5).")
  private int shown = 5;

  @Option(
      names = "--device",
      defaultValue = "emulated",
      description = "Of the URL: emulated, cuda, cuda:NUMBER (default: ${DEFAULT-VALUE}).")
  private String device = "emulated";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = {
        "Runs the scripts on another database, to compare times: its URL, each connection to which",
        "finds no tables (jdbc:h2:mem:, jdbc:sqlite::memory:)."
      })
  private String url = "";

  private final RunEffort effort = new RunEffort();

  @Mixin private final JsonOption json = new JsonOption();

  private long passed;
  private final List<String> failures = new ArrayList<>();

  @Override
  public Integer call() throws IOException, SQLException {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      files.addAll(SltFiles.below(path));
    }
    for (Path file : files) {
      run(file);
    }
    System.out.printf(
        Locale.ROOT,
        "%d files: %d passed, %d failed (%.3f%%)%n",
        files.size(),
        passed,
        failures.size(),
        passed == 0 ? 0.0 : 100.0 * passed / (passed + failures.size()));
    System.out.println(effort.text(passed + failures.size()));
    json.write(report(files.size()));
    return failures.isEmpty() && passed > 0 ? 0 : 1;
  }

  private Map<String, Object> report(int files) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "slt");
    report.put("device", device);
    report.put("files", files);
    report.put("passed", passed);
    report.put("failed", failures.size());
    report.put("failures", failures);
    effort.addTo(report);
    return report;
  }

  private void run(Path file) throws IOException, SQLException {
    long start = System.nanoTime();
    List<SltRecord> records = SltRecord.read(file);
    String own = "jdbc:gpdb:mem:slt" + file + ";device=" + device;
    try (Connection connection = DriverManager.getConnection(url.isEmpty() ? own : url)) {
      SltRunner runner = new SltRunner(connection);
      effort.of(() -> runner.run(records));
      List<String> failed = runner.failures();
      passed += runner.passed();
      failed.forEach(failure -> failures.add(file + " " + failure));
      System.out.printf(
          Locale.ROOT,
          "%s: %d passed, %d failed, %.1f s%n",
          file,
          runner.passed(),
          failed.size(),
          (System.nanoTime() - start) / 1e9);
      failed.stream().limit(shown).forEach(failure -> System.out.println("  " + indented(failure)));
    }
  }

  private static String indented(String text) {
    return text.replace("\n", "\n  ");
  }
}
