package io.gpdb.bench.device;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.HtmlOption;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tries a device on the machine that has it, and reports what was found. */
@Command(
    name = "device",
    mixinStandardHelpOptions = true,
    description = {
      "Contracts, scripts of SQL, TPC-H's answers, times of statements, single figures and kills",
      "on a device; spread: statements on the first GPU alone, then on all of --device.",
      "Exit status 1 when a part fails."
    })
public final class DeviceCommand implements Callable<Integer> {
  /** Small statements too. */
  private static final String ALL_ON_THE_DEVICE = ";host_rows=0";

  /** A thousand million rows are counted where 50 million are changed. */
  private static final long COUNTED_SHARE = 20;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--device",
      defaultValue = "cuda",
      description =
          "Of the URL: cuda, cuda:NUMBER, cuda:0,1, emulated (default: ${DEFAULT-VALUE}).")
  private String device = "cuda";

  @Option(
      names = "--parts",
      split = ",",
      defaultValue = "contracts,slt,tpch,statements,figures,kill",
      description = "Which parts (default: ${DEFAULT-VALUE}).")
  private List<String> parts = List.of();

  @Option(names = "--scripts", description = "File or folder of the scripts of part slt.")
  private @Nullable Path scripts;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "TPC-H's scale factor (default: ${DEFAULT-VALUE}).")
  private double scale = 1;

  @Option(
      names = "--rows",
      defaultValue = "10000000",
      converter = Count.One.class,
      description = "Rows of part statements (default: ${DEFAULT-VALUE}).")
  private int rows = 10_000_000;

  @Option(
      names = "--figure-rows",
      defaultValue = "50000000",
      converter = Count.Twenty.class,
      description = "Rows that part figures changes (default: ${DEFAULT-VALUE}).")
  private int figureRows = 50_000_000;

  @Option(
      names = "--line-items",
      defaultValue = "60000000",
      converter = Count.One.class,
      description = "Rows of Q1 and Q6 in part figures (default: ${DEFAULT-VALUE}).")
  private int lineItems = 60_000_000;

  @Option(
      names = "--spread-rows",
      defaultValue = "200000000",
      description = "Rows of part spread (default: ${DEFAULT-VALUE}).")
  private long spreadRows;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Processes of part statements (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--warming",
      defaultValue = "0",
      description = "Runs of each statement that are not counted (default: ${DEFAULT-VALUE}).")
  private int warming;

  @Option(
      names = "--kills",
      defaultValue = "100",
      converter = Count.One.class,
      description = "Kills (default: ${DEFAULT-VALUE}).")
  private int kills = 100;

  @Option(
      names = "--side-by-side",
      defaultValue = "6",
      converter = Count.One.class,
      description = "Databases that are killed at one time (default: ${DEFAULT-VALUE}).")
  private int databases = 6;

  @Option(
      names = "--limit",
      defaultValue = "900",
      converter = Count.One.class,
      description = "Seconds after which a part is ended (default: ${DEFAULT-VALUE}).")
  private int limitSeconds = 900;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Option(names = "--commit", defaultValue = "", description = "Of gpDB's sources, for the report.")
  private String commit = "";

  @Mixin private final JsonOption json = new JsonOption();

  @Mixin private final HtmlOption html = new HtmlOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Part> chosen = chosen();
    List<PartResult> results = new ArrayList<>();
    try (ScratchDirectory scratch = scratchFolder.open()) {
      for (Part part : chosen) {
        PartResult result = run(part, Files.createDirectories(scratch.fresh()));
        results.add(result);
        System.out.printf(
            "%s: %s, %.0f s%n%s",
            result.part(),
            result.passed() ? "passed" : "FAILED",
            result.seconds(),
            result.output());
        write(List.copyOf(results));
      }
    }
    return results.stream().allMatch(PartResult::passed) ? 0 : 1;
  }

  /** What there is so far: the machine may be taken away before all parts are through. */
  private void write(List<PartResult> results) throws IOException, InterruptedException {
    DeviceReport report =
        new DeviceReport(
            Machine.gpu(),
            Machine.host(),
            commit,
            LocalDate.now(ZoneOffset.UTC).toString(),
            results);
    json.write(report);
    html.write(new DevicePage(report)::html);
  }

  private List<Part> chosen() {
    List<Part> chosen = new ArrayList<>();
    for (String word : parts) {
      Part part = Part.named(word);
      if (part == null) {
        throw new ParameterException(
            spec.commandLine(),
            "no such part: " + word + "; there are " + String.join(", ", Part.words()));
      }
      chosen.add(part);
    }
    if (chosen.contains(Part.SLT) && scripts == null) {
      throw new ParameterException(spec.commandLine(), "part slt needs --scripts");
    }
    return chosen;
  }

  private PartResult run(Part part, Path folder) throws IOException, InterruptedException {
    PartRun run = new PartRun(part, folder);
    switch (part) {
      case CONTRACTS ->
          run.addTests(
              List.of(
                  "-ea",
                  "-Dgpdb.cuda=true",
                  "-Dgpdb.cuda.linked=true",
                  "-Djava.io.tmpdir=" + folder),
              isSpread() ? Part.LINKED_CLASSES : Part.CLASSES);
      case SLT -> {
        List<String> command = List.of("slt", String.valueOf(scripts));
        add(run, device, command);
        add(run, device + ALL_ON_THE_DEVICE, command);
      }
      case TPCH -> add(run, device, List.of("tpch", "--scale", "" + scale, "--path", "" + folder));
      case STATEMENTS -> {
        return statements(folder);
      }
      case FIGURES ->
          add(
              run,
              device,
              List.of(
                  "device-figures",
                  "--rows",
                  "" + figureRows,
                  "--line-items",
                  "" + lineItems,
                  "--counted",
                  "" + COUNTED_SHARE * figureRows,
                  "--path",
                  "" + folder));
      case SPREAD -> {
        return spread(folder);
      }
      case KILL -> {
        for (int i = 0; i < databases; i++) {
          int count = (kills + databases - 1 - i) / databases;
          if (count > 0) {
            add(
                run,
                device + ALL_ON_THE_DEVICE,
                List.of("kill", "--count", "" + count, "--path", folder + "/" + i));
          }
        }
      }
    }
    return run.run(limitSeconds);
  }

  /** One process after the other: side by side they would disturb each other's times. */
  private PartResult statements(Path folder) throws IOException, InterruptedException {
    List<PartResult> rounds = new ArrayList<>();
    for (int round = 0; round < this.rounds; round++) {
      PartRun run =
          new PartRun(Part.STATEMENTS, Files.createDirectories(folder.resolve("" + round)));
      add(
          run,
          device,
          List.of(
              "statements", "--rows", "" + rows, "--warming", "" + warming, "--path", "" + folder));
      rounds.add(run.run(limitSeconds));
    }
    return PartResult.together(rounds);
  }

  private boolean isSpread() {
    return device.contains(",") || device.endsWith(":all");
  }

  /** The first GPU of the machine, then all of them, a process each. */
  private PartResult spread(Path folder) throws IOException, InterruptedException {
    List<PartResult> rounds = new ArrayList<>();
    for (String on : List.of("cuda:0", isSpread() ? device : "cuda:all")) {
      PartRun run = new PartRun(Part.SPREAD, Files.createDirectories(folder.resolve(on)));
      add(run, on, List.of("spread-statements", "--rows", "" + spreadRows));
      rounds.add(run.run(limitSeconds));
    }
    return PartResult.together(rounds).passedIf(SpreadAnswers::equal);
  }

  /** One of the other commands, on a device with properties of the URL behind it. */
  private void add(PartRun run, String on, List<String> command) {
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(List.of("--device", on));
    run.add(List.of(), spec.root().userObject().getClass(), arguments);
  }
}
