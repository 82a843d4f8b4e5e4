package io.gpdb.bench.crash;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.EnumWords;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.txn.api.Protocol;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Explores what a crash can leave, and says whether any of it is wrong. */
@Command(
    name = "crash",
    mixinStandardHelpOptions = true,
    description = {
      "Lets the power fail between any two acts of every protocol, recovers, and checks.",
      "Exit status 1 when a protocol that promises atomicity breaks it."
    })
public final class CrashCommand implements Callable<Integer> {
  @Option(
      names = "--protocol",
      converter = EnumWords.Protocols.class,
      completionCandidates = EnumWords.Protocols.class,
      description = "Only this one: ${COMPLETION-CANDIDATES} (default: all).")
  private @Nullable Protocol protocol;

  @Option(
      names = "--states",
      defaultValue = "100000",
      converter = Count.LongOne.class,
      description = "Different states to explore, in all (default: ${DEFAULT-VALUE}).")
  private long states = 100_000;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of workloads and samples (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--threads",
      converter = Count.One.class,
      description = "Workloads explored at once (default: as many as processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--site-states",
      defaultValue = "1500",
      converter = Count.LongZero.class,
      description = {
        "Leave every place that flushes, drains or syncs out, one at a time, and explore that"
            + " number of",
        "states at most of each workload and recovery that reaches it, until one shows it;",
        "0 for not at all (default: ${DEFAULT-VALUE})."
      })
  private long siteStates = 1500;

  @Option(names = "--sites", description = "Leave sites out, and explore nothing else.")
  private boolean sitesOnly;

  @Mixin private final JsonOption json = new JsonOption();

  @Option(
      names = "--replay",
      description = "The setting of a violation or a failure, to explore it alone again.")
  private @Nullable String replay;

  @Option(
      names = "--state",
      description =
          "With --replay: only this state, as it was printed (default: --states of them).")
  private @Nullable String state;

  @Override
  public Integer call() throws IOException {
    return replay != null ? replay(replay) : explore(System.out);
  }

  private int replay(String setting) {
    Exploration exploration = new Exploration(Setting.parse(setting), UnaryOperator.identity());
    ExplorationReport report =
        state == null ? exploration.run(states) : exploration.replay(StatePath.parse(state));
    report.violations.forEach(System.out::println);
    System.out.println(
        report.violations.isEmpty()
            ? "nothing is wrong in %d states".formatted(report.states)
            : "reproduced");
    return report.violations.isEmpty() ? 0 : 1;
  }

  private int explore(PrintStream out) throws IOException {
    List<Protocol> chosen = protocol == null ? Arrays.asList(Protocol.values()) : List.of(protocol);
    List<ProtocolReport> reports =
        sitesOnly
            ? chosen.stream().map(ProtocolReport::new).toList()
            : new Campaign(chosen, states, seed, threads).run(CrashCommand::progress);
    for (ProtocolReport report : reports) {
      if (siteStates > 0 && !report.isExpected()) {
        ProtocolSites sites =
            ProtocolSites.of(report.protocol(), seed, SiteCensus.Sample.LARGE, threads);
        report.add(new SiteOmissions(sites, siteStates).run(threads));
      }
    }
    boolean broken = false;
    for (ProtocolReport report : reports) {
      if (!report.isExpected()) {
        report.violations().forEach(out::println);
        broken |= !report.violations().isEmpty();
      }
    }
    print(reports, out);
    json.write(figures(reports));
    return broken ? 1 : 0;
  }

  /** One line on the error stream, since all of them can take hours. */
  private static void progress(ProtocolReport report) {
    String violations =
        report.isExpected() ? report.violated() : Integer.toString(report.violations().size());
    System.err.printf(
        "%s: %d states, violations: %s%n", report.protocol().word(), report.states(), violations);
    if (!report.isExpected()) {
      report.violations().forEach(System.err::println);
    }
  }

  private void print(List<ProtocolReport> reports, PrintStream out) {
    AlignedTable table =
        new AlignedTable(
            "protocol",
            "states",
            "duplicates",
            "acts",
            "in recovery",
            "caught / sites",
            "seconds",
            "violations");
    long all = 0;
    for (ProtocolReport report : reports) {
      all += report.states();
      table.row(
          report.protocol().word(),
          Long.toString(report.states()),
          Long.toString(report.duplicates()),
          Long.toString(report.acts()),
          Long.toString(report.recoveryCrashes()),
          report.omissions().isEmpty() ? "-" : report.caught() + " / " + report.omissions().size(),
          AlignedTable.significant(report.seconds()),
          report.isExpected() ? report.violated() : Integer.toString(report.violations().size()));
    }
    table.print(out);
    out.println(all + " different states, seed " + seed);
    for (ProtocolReport report : reports) {
      for (SiteOmissions.Omission omission : report.omissions()) {
        if (!omission.isCaught()) {
          out.println(report.protocol() + ": not shown when left out: " + omission.site());
        }
      }
    }
  }

  private Map<String, Object> figures(List<ProtocolReport> reports) {
    List<Map<String, Object>> protocols = new ArrayList<>();
    for (ProtocolReport report : reports) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("protocol", report.protocol());
      one.put("promisesAtomicity", !report.isExpected());
      one.put("states", report.states());
      one.put("duplicates", report.duplicates());
      one.put("acts", report.acts());
      one.put("crashesInRecovery", report.recoveryCrashes());
      one.put("sites", report.omissions().stream().map(o -> o.site()).toList());
      one.put(
          "sitesNotShown",
          report.omissions().stream().filter(o -> !o.isCaught()).map(o -> o.site()).toList());
      one.put("seconds", report.seconds());
      one.put("violations", report.violations().stream().map(Violation::toString).toList());
      protocols.add(one);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("workload", "crash");
    result.put("seed", seed);
    result.put("protocols", protocols);
    return result;
  }
}
