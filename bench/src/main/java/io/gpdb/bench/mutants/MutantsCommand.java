package io.gpdb.bench.mutants;

import io.gpdb.bench.AlignedTable;
import io.gpdb.bench.Count;
import io.gpdb.bench.JsonFile;
import io.gpdb.bench.Leftovers;
import io.gpdb.bench.mutants.MutantHunt.Verdict;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes the engine one instruction at a time and counts what the tests notice. */
@Command(
    name = "mutants",
    mixinStandardHelpOptions = true,
    description = {
      "Mutation testing: class files are changed one instruction at a time, and the tests that"
          + " pass",
      "the place are run, the quickest first, until one fails. What no test notices is listed.",
      "Exit status 1 when fewer are killed than --least says."
    })
public final class MutantsCommand implements Callable<Integer> {
  private static final int PROGRESS = 100;
  private static final List<String> TEST_MODULES = List.of("storage-pm", "txn");
  private static final List<String> MODULES = List.of("storage-pm", "exec-gpu", "txn", "bench");

  /** Durability, isolation and recovery. */
  private static final List<String> CLASSES =
      Stream.of(
              "storage.AppendArea storage.BlockChecksums storage.Checkpoint* storage.Checksum",
              "storage.ExtentAllocator storage.FieldReader storage.FileChannels",
              "storage.FileDirectory storage.FileMemory storage.HomeImage storage.LoggedExtents",
              "storage.LoggedValues storage.RootCodec storage.RootImage storage.RootWriter",
              "storage.Superblock* storage.SyncChannels storage.TableSpace txn.ArrivedValues",
              "txn.CapProtocol txn.Checkpoint* txn.ChosenProtocol txn.Commit* txn.Conflicts",
              "txn.ExtentReference txn.GroupCommit txn.KeyChecks txn.LoggedStrings txn.Poison",
              "txn.PoisoningProtocol txn.ReadSet txn.RecordBuffer txn.Recovery txn.Replay",
              "txn.Rollback txn.RowHeads txn.RowMasks txn.SectionKind txn.SnapshotCopies",
              "txn.SnapshotReader txn.Snapshots txn.StatementSnapshot txn.TableReads",
              "txn.TableVersions txn.TabletSnapshot txn.TabletVersions txn.Transaction",
              "txn.TransactionManager txn.TransactionWrites txn.Undo* txn.ValuesBeside",
              "txn.Version* txn.Wal*")
          .flatMap(line -> Stream.of(line.split(" ")))
          .map(name -> "io.gpdb." + name)
          .toList();

  @Option(
      names = "--project",
      defaultValue = ".",
      description = "Folder of the modules, with MODULE/target/classes and test-classes.")
  private Path project = Path.of(".");

  @Option(names = "--classes", split = ",", description = "Patterns (default: those that matter).")
  private List<String> classes = CLASSES;

  @Option(names = "--tests", description = "Pattern of test classes (default: all of the two).")
  private String tests = "io.gpdb.*Test";

  @Option(names = "--also", split = ",", description = "Further test classes, by full name.")
  private List<String> also = List.of();

  @Option(names = "--count", defaultValue = "500", converter = Count.One.class)
  private int count = 500;

  @Option(names = "--seconds", defaultValue = "36000", description = "No new mutant after these.")
  private int seconds = 36_000;

  @Option(names = "--seed", description = "Of the sample (default: the time).")
  private @Nullable Long seed;

  @Option(names = "--only", split = ",", description = "Mutants by name, CLASS#NUMBER.")
  private List<String> only = List.of();

  @Option(names = "--threads", defaultValue = "1", converter = Count.One.class)
  private int threads = 1;

  @Option(names = "--least", defaultValue = "0", description = "Per cent that must be killed.")
  private int least;

  @Option(names = "--json", description = "Also write the result to this file as JSON.")
  private @Nullable Path json;

  /** For a machine that has the class files and nothing to build them with. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new MutantsCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    List<Path> mains = folders(MODULES, "classes");
    List<Path> roots =
        Stream.concat(mains.stream(), folders(MODULES, "test-classes").stream()).toList();
    List<String> names = TargetClasses.matching(mains, classes);
    Path scratch = Leftovers.watch(Files.createTempDirectory("mutants"));
    Path list = Files.write(scratch.resolve("classes"), names);
    TargetClasses targets = new TargetClasses(roots, names);
    List<String> command =
        MutantHunt.workerCommand(
            MutantHunt.agent(scratch.resolve("agent.jar")), list, roots, classPath(roots));
    MutantHunt hunt =
        new MutantHunt(targets, testClasses(), command, project.resolve("txn"), scratch, threads);
    hunt.cover();
    System.out.printf(
        "%d classes, %d mutants, %d tests, %.0f s%n",
        names.size(),
        targets.points().size(),
        hunt.coverage().size(),
        (System.nanoTime() - start) / 1e9);
    hunt.coverage().failing().forEach(id -> System.out.println("fails unchanged: " + id));
    long chosen = seed == null ? System.nanoTime() : seed;
    List<MutationPoint> points =
        only.isEmpty()
            ? hunt.shuffled(chosen).stream().limit(count).toList()
            : only.stream().map(targets::point).toList();
    System.out.printf("seed %d, %d mutants%n", chosen, points.size());
    List<Verdict> verdicts = new ArrayList<>();
    hunt.judge(points, start + seconds * 1_000_000_000L, verdict -> note(verdict, verdicts));
    report(verdicts, chosen);
    System.out.printf("%.0f s%n", (System.nanoTime() - start) / 1e9);
    Files.delete(list);
    Files.delete(scratch.resolve("agent.jar"));
    Files.delete(scratch);
    long killed = verdicts.stream().filter(Verdict::isKilled).count();
    return killed * 100 >= (long) least * verdicts.size() ? 0 : 1;
  }

  private List<Path> folders(List<String> modules, String kind) {
    return modules.stream()
        .map(module -> project.resolve(module, "target", kind))
        .filter(Files::isDirectory)
        .toList();
  }

  /** That of this process, with the folders, and the libraries that only tests need. */
  private String classPath(List<Path> roots) throws IOException {
    List<String> all = new ArrayList<>();
    roots.forEach(root -> all.add(root.toAbsolutePath().toString()));
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .forEach(entry -> all.add(Path.of(entry).toAbsolutePath().toString()));
    Path libraries = project.resolve("bench", "target", "test-lib");
    if (Files.isDirectory(libraries)) {
      try (Stream<Path> jars = Files.list(libraries)) {
        jars.sorted().forEach(jar -> all.add(jar.toAbsolutePath().toString()));
      }
    }
    return String.join(File.pathSeparator, all);
  }

  private List<String> testClasses() throws IOException {
    List<String> found =
        new ArrayList<>(
            TargetClasses.matching(folders(TEST_MODULES, "test-classes"), List.of(tests)).stream()
                .filter(name -> !name.contains("$"))
                .toList());
    found.addAll(also);
    return found;
  }

  private static void note(Verdict verdict, List<Verdict> verdicts) {
    verdicts.add(verdict);
    if (verdicts.size() % PROGRESS == 0) {
      System.out.printf(
          "%d judged, %d killed%n",
          verdicts.size(), verdicts.stream().filter(Verdict::isKilled).count());
    }
    if (!verdict.isKilled()) {
      System.out.printf("%s: %s (%d tests)%n", verdict.outcome(), verdict.point(), verdict.tests());
    }
  }

  private void report(List<Verdict> verdicts, long chosen) throws IOException {
    Map<String, int[]> byClass = new TreeMap<>();
    for (Verdict verdict : verdicts) {
      String name = verdict.point().className().replaceFirst("\\$.*", "");
      int[] tally = byClass.computeIfAbsent(name, n -> new int[2]);
      tally[0] += verdict.isKilled() ? 1 : 0;
      tally[1]++;
    }
    AlignedTable table = new AlignedTable("class", "mutants", "killed");
    byClass.forEach(
        (name, tally) ->
            table.row(name, Integer.toString(tally[1]), 100 * tally[0] / tally[1] + "%"));
    table.print(System.out);
    long killed = verdicts.stream().filter(Verdict::isKilled).count();
    System.out.printf(
        "killed %d of %d, %.1f%%%n",
        killed, verdicts.size(), 100.0 * killed / Math.max(1, verdicts.size()));
    if (json != null) {
      writeJson(json, verdicts, chosen);
    }
  }

  private static void writeJson(Path file, List<Verdict> verdicts, long chosen) throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "mutants");
    report.put("seed", chosen);
    report.put("mutants", verdicts.size());
    report.put("killed", verdicts.stream().filter(Verdict::isKilled).count());
    List<Map<String, Object>> rows = new ArrayList<>();
    verdicts.stream()
        .sorted(Comparator.comparing(v -> v.point().id()))
        .forEach(
            v ->
                rows.add(
                    Map.of(
                        "mutant",
                        v.point().toString(),
                        "outcome",
                        v.outcome(),
                        "test",
                        v.test(),
                        "tests",
                        v.tests())));
    report.put("verdicts", rows);
    JsonFile.write(file, report);
  }
}
