package io.gpdb.bench.slt;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs scripts of sqllogictest, each on a database of its own. */
@Command(
    name = "slt",
    mixinStandardHelpOptions = true,
    description = {
      "Runs scripts of sqllogictest over JDBC, each on an empty memory database, as engine gpdb:",
      "records with 'onlyif' of another engine or 'skipif gpdb' are left out. Prints what passed",
      "and failed of each file, and the first failures with what was returned instead.",
      "Exit status 1 when a record fails."
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

  private long passed;
  private long failed;

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
        failed,
        passed + failed == 0 ? 0.0 : 100.0 * passed / (passed + failed));
    return failed == 0 && passed > 0 ? 0 : 1;
  }

  private void run(Path file) throws IOException, SQLException {
    long start = System.nanoTime();
    List<SltRecord> records = SltRecord.read(file);
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:slt" + file)) {
      SltRunner runner = new SltRunner(connection);
      runner.run(records);
      List<String> failures = runner.failures();
      passed += runner.passed();
      failed += failures.size();
      System.out.printf(
          Locale.ROOT,
          "%s: %d passed, %d failed, %.1f s%n",
          file,
          runner.passed(),
          failures.size(),
          (System.nanoTime() - start) / 1e9);
      failures.stream()
          .limit(shown)
          .forEach(failure -> System.out.println("  " + indented(failure)));
    }
  }

  private static String indented(String text) {
    return text.replace("\n", "\n  ");
  }
}
