package io.gpdb.bench.kill;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.Spread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How long opening takes in a fresh JVM: after a clean close, after a kill during an UPDATE of 5%
 * of a large table, and after a kill between that UPDATE's commit and a checkpoint. After the first
 * kind of kill it opens also with a cache of loaded classes that one opening has trained (JEP 514),
 * as the shell has one: most of an opening is the loading of classes.
 */
final class RecoveryTimes {
  private static final long SEED = 20220228;
  private static final int BATCH_ROWS = 200_000;

  /** The openings of one case; seconds. */
  record Figures(Spread jvmStart, Spread open, Spread recovery, Spread firstLookUp) {}

  private final Path database;
  private final KillSetting setting;
  private final int rows;
  private final int rounds;
  private final Map<String, Figures> figures = new LinkedHashMap<>();

  RecoveryTimes(Path database, KillSetting setting, int rows, int rounds) {
    this.database = database;
    this.setting = setting;
    this.rows = rows;
    this.rounds = rounds;
  }

  Map<String, Figures> figures() {
    return figures;
  }

  private String url() {
    return setting.url(database, 512L << 20);
  }

  void run() throws SQLException, IOException, InterruptedException {
    long sum;
    try (Connection connection = DriverManager.getConnection(url())) {
      PaperTable.create(connection);
      PaperTable.load(connection, rows, BATCH_ROWS, SEED);
      sum = RecoveryChild.sum(connection);
    }
    measure("clean close", "", sum, List.of());
    measure("killed in the UPDATE", "update", sum, List.of());
    Path classes = database.resolveSibling(database.getFileName() + ".aot");
    if (train(classes)) {
      List<String> flags = List.of("-XX:AOTCache=" + classes, "-Xlog:aot=off", "-Xlog:cds=off");
      measure("the same, class cache", "update", sum, flags);
      Files.delete(classes);
    }
    measure("killed after its commit", "commit", sum, List.of());
  }

  /** False where there can be no cache: the class path of tests has directories on it. */
  private boolean train(Path classes) throws IOException, InterruptedException {
    killed("update");
    Process child =
        child("open", List.of("-XX:AOTCacheOutput=" + classes, "-Xlog:aot=off", "-Xlog:cds=off"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return child.waitFor() == 0 && Files.exists(classes);
  }

  /** The sum shows whether the UPDATE is there: whole after its commit, not at all before. */
  private void measure(String name, String before, long firstSum, List<String> flags)
      throws IOException, InterruptedException {
    List<List<Double>> columns =
        List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    long sum = firstSum;
    for (int round = 0; round < rounds; round++) {
      if (!before.isEmpty()) {
        killed(before);
      }
      String[] found = opened(flags).split(" ", -1);
      for (int i = 0; i < columns.size(); i++) {
        columns.get(i).add(Double.parseDouble(found[i]));
      }
      long next = Long.parseLong(found[columns.size()]);
      boolean right = before.equals("commit") ? next > sum : next == sum;
      if (!right) {
        throw new IllegalStateException(
            "%s, %s: the sum was %d and is %d".formatted(setting.label(), name, sum, next));
      }
      sum = next;
    }
    figures.put(
        name,
        new Figures(
            Spread.of(columns.get(0)),
            Spread.of(columns.get(1)),
            Spread.of(columns.get(2)),
            Spread.of(columns.get(3))));
  }

  private void killed(String what) throws IOException, InterruptedException {
    Process child = child(what, List.of()).start();
    try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
      if (!RecoveryChild.READY.equals(out.readLine())) {
        throw new IOException("the child that should be killed ended by itself");
      }
      child.toHandle().destroyForcibly();
    }
    child.waitFor();
  }

  private String opened(List<String> flags) throws IOException, InterruptedException {
    Process child = child("open", flags).start();
    try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      int status = child.waitFor();
      if (line == null || status != 0) {
        throw new IOException("the child that opens the database ended with status " + status);
      }
      return line;
    }
  }

  private ProcessBuilder child(String what, List<String> flags) {
    List<String> command = ChildJvm.command("-Xmx1g", RecoveryChild.class, what, url());
    command.addAll(1, flags);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  void print(PrintStream out) {
    out.printf("opening %,d rows with %s in a fresh JVM, seconds%n", rows, setting.label());
    AlignedTable table =
        new AlignedTable("after", "open", "min", "max", "of it recovery", "look-up", "JVM start");
    figures.forEach(
        (name, f) ->
            table.row(
                name,
                AlignedTable.significant(f.open().median()),
                AlignedTable.significant(f.open().min()),
                AlignedTable.significant(f.open().max()),
                AlignedTable.significant(f.recovery().median()),
                AlignedTable.significant(f.firstLookUp().median()),
                AlignedTable.significant(f.jvmStart().median())));
    table.print(out);
  }
}
