package io.gpdb.bench.kill;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.EnumWords;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Leftovers;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.Spread;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Kills a working database with SIGKILL, over and over, and verifies what it left. */
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    description = {
      "Bank transfers and inserts, updates and deletes over several connections, killed with"
          + " SIGKILL at random moments, reopened and verified.",
      "Exit status 1 when an acknowledged transaction is missing or another is there in part."
    })
public final class KillCommand implements Callable<Integer> {
  @Option(
      names = "--count",
      defaultValue = "20",
      converter = Count.One.class,
      description = "Kills (default: 20).")
  private int count = 20;

  @Option(
      names = "--protocol",
      split = ",",
      converter = EnumWords.Protocols.class,
      completionCandidates = EnumWords.Protocols.class,
      description = {
        "One or several, with commas: ${COMPLETION-CANDIDATES}",
        "(default: all that promise atomicity, in turn)."
      })
  private List<Protocol> protocols = new ArrayList<>();

  @Option(
      names = "--device",
      defaultValue = "emulated",
      description = "Of the URL: emulated, cuda, cuda:NUMBER (default: emulated).")
  private String device = "emulated";

  @Option(names = "--seed", description = "Of all choices but the machine's (default: the time).")
  private @Nullable Long seed;

  @Option(names = "--path", description = "Folder for the database (default: a temporary one).")
  private @Nullable Path path;

  @Option(
      names = "--recovery",
      description = "Instead: the time of opening a large table after a kill, in a fresh JVM.")
  private boolean recovery;

  @Option(
      names = "--rows",
      defaultValue = "10000000",
      converter = Count.One.class,
      description = "Rows of the large table (default: ${DEFAULT-VALUE}).")
  private int rows = 10_000_000;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "Openings of each (default: 5).")
  private int rounds = 5;

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    return recovery ? measureRecovery() : kill();
  }

  private int measureRecovery() throws SQLException, IOException, InterruptedException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "recovery");
    report.put("rows", rows);
    for (KillSetting setting : KillSetting.of(protocols, device)) {
      if (setting.log() != LogKind.HCL) {
        continue;
      }
      try (ScratchDirectory scratch = new ScratchDirectory(path)) {
        RecoveryTimes times = new RecoveryTimes(scratch.fresh(), setting, rows, rounds);
        times.run();
        times.print(System.out);
        report.put(setting.label(), times.figures());
      }
    }
    json.write(report);
    return 0;
  }

  private int kill() throws SQLException, IOException, InterruptedException {
    long chosen = seed == null ? System.nanoTime() : seed;
    if (path != null) {
      Files.createDirectories(path);
    }
    Path root =
        Leftovers.watch(
            path == null
                ? Files.createTempDirectory("gpdb-kill")
                : Files.createTempDirectory(path, "gpdb-kill"));
    KillRun run = new KillRun(root, KillSetting.of(protocols, device), chosen);
    System.out.printf("seed %d%n", chosen);
    long start = System.nanoTime();
    String violation = "";
    try {
      for (int kill = 0; kill < count; kill++) {
        run.kill(kill, kill == count - 1);
        progress(kill + 1);
      }
      ScratchDirectory.delete(root);
      Leftovers.forget(root);
    } catch (KillRun.Violation e) {
      Leftovers.forget(root); // to be looked at
      violation = String.valueOf(e.getMessage());
    }
    progress(0);
    print(run, (System.nanoTime() - start) / 1e9);
    json.write(report(run, chosen, violation));
    if (!violation.isEmpty()) {
      System.err.println("VIOLATION " + violation);
    }
    return violation.isEmpty() ? 0 : 1;
  }

  @SuppressWarnings("SystemConsoleNull") // null where the JDK has no console module
  private void progress(int done) {
    var console = System.console();
    if (console != null && console.isTerminal()) {
      System.err.printf("\r%-30s\r%s", "", done == 0 ? "" : "kill " + done + " of " + count);
    }
  }

  private static void print(KillRun run, double seconds) {
    AlignedTable table =
        new AlignedTable(
            "protocol/log",
            "kills",
            "opening",
            "working",
            "closing",
            "too late",
            "verified",
            "backups",
            "acknowledged",
            "counted",
            "in doubt: kept",
            "absent",
            "not atomic",
            "recovery ms",
            "max",
            "ending ms",
            "max");
    run.tallies()
        .forEach(
            (setting, tally) -> {
              Spread recovery = Spread.of(tally.recoverySeconds);
              Spread ending = Spread.of(tally.endingSeconds);
              table.row(
                  setting.label(),
                  Integer.toString(tally.kills),
                  Integer.toString(tally.inOpening),
                  Integer.toString(tally.inWork),
                  Integer.toString(tally.inClosing),
                  Integer.toString(tally.endedBefore),
                  Integer.toString(tally.verified),
                  Integer.toString(tally.backups),
                  Long.toString(tally.acknowledged),
                  Long.toString(tally.counted),
                  Integer.toString(tally.keptUnacknowledged),
                  Integer.toString(tally.lostUnacknowledged),
                  setting.isBaseline() ? Integer.toString(tally.notGuaranteed) : "",
                  AlignedTable.significant(recovery.median() * 1e3),
                  AlignedTable.significant(recovery.max() * 1e3),
                  AlignedTable.significant(ending.median() * 1e3),
                  AlignedTable.significant(ending.max() * 1e3));
            });
    table.print(System.out);
    System.out.println();
    System.out.println("opening, working, closing: what the child was doing when it was killed");
    System.out.println("counted: acknowledged transactions that counted one hot row up");
    System.out.println("in doubt: begun and not acknowledged; found whole, or not at all");
    System.out.println("ending: from the kill until the process was gone");
    if (run.tallies().keySet().stream().anyMatch(KillSetting::isBaseline)) {
      System.out.println(
          "not atomic: databases left part done, which a baseline does not rule out");
    }
    System.out.printf("%.0f s%n", seconds);
  }

  private Map<String, Object> report(KillRun run, long chosen, String violation) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "kill");
    report.put("seed", chosen);
    report.put("count", count);
    report.put("violation", violation);
    List<Map<String, Object>> entries = new ArrayList<>();
    run.tallies()
        .forEach(
            (setting, tally) -> {
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("protocol", setting.label());
              entry.put("kills", tally.kills);
              entry.put("killedInOpening", tally.inOpening);
              entry.put("killedInWork", tally.inWork);
              entry.put("killedInClosing", tally.inClosing);
              entry.put("endedBefore", tally.endedBefore);
              entry.put("verified", tally.verified);
              entry.put("backups", tally.backups);
              entry.put("acknowledged", tally.acknowledged);
              entry.put("counted", tally.counted);
              entry.put("inDoubtKept", tally.keptUnacknowledged);
              entry.put("inDoubtAbsent", tally.lostUnacknowledged);
              entry.put("notAtomic", tally.notGuaranteed);
              entry.put("recoverySeconds", Spread.of(tally.recoverySeconds));
              entry.put("endingSeconds", Spread.of(tally.endingSeconds));
              entries.add(entry);
            });
    report.put("settings", entries);
    return report;
  }
}
