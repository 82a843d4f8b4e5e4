package io.gpdb.bench.mutants;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Leftovers;
import io.gpdb.bench.mutants.Coverage.TestClass;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
  private static final List<String> MODULES =
      List.of(
          "storage-pm",
          "exec-gpu",
          "simulation",
          "txn",
          "sql",
          "planner",
          "session",
          "jdbc",
          "bench");

  /** Durability, isolation and recovery. */
  private static final List<String> CLASSES =
      Stream.of(
              "storage.column.FieldReader storage.home.ExtentAllocator",
              "storage.home.HomeImage storage.home.LoggedExtents storage.home.RootCodec",
              "storage.home.RootImage storage.home.RootWriter storage.home.Superblock*",
              "storage.medium.FileChannels storage.medium.FileDirectory",
              "storage.medium.FileMemory storage.medium.SyncChannels",
              "storage.memory.Checksum storage.space.Checkpoint*",
              "storage.space.TableSpace storage.tablet.BlockChecksums",
              "storage.tablet.Checkpoint* storage.tablet.LoggedValues txn.Checkpoint*",
              "txn.Rollback txn.SnapshotCopies txn.SnapshotReader txn.Transaction",
              "txn.TransactionManager txn.Version* txn.change.LoggedStrings",
              "txn.change.TransactionWrites txn.commit.Commit* txn.commit.GroupCommit",
              "txn.commit.ExtentWrites txn.log.ArrivedValues txn.log.Checkpoint*",
              "txn.log.ExtentReference txn.log.RecordBuffer txn.log.*Section*",
              "txn.log.InsertedValidity txn.log.PayloadPieces",
              "txn.log.Wal* txn.protocol.CapProtocol txn.protocol.ChosenProtocol",
              "txn.protocol.Poison txn.protocol.PoisoningProtocol txn.protocol.Undo*",
              "txn.reclaim.Version* txn.recovery.Recovery txn.recovery.Replay",
              "txn.version.Commit* txn.version.Conflicts txn.version.KeyChecks",
              "txn.version.ReadSet txn.version.RowHeads txn.version.RowMasks",
              "txn.version.Snapshots txn.version.StatementSnapshot",
              "txn.version.TableReads txn.version.TableVersions",
              "txn.version.TabletSnapshot txn.version.TabletVersions txn.version.Undo*",
              "txn.version.Version*")
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

  @Option(
      names = "--modules",
      split = ",",
      defaultValue = "storage-pm,simulation,txn,planner,jdbc",
      description = {
        "Modules whose tests are asked, those of one after those of the one before have not",
        "noticed (default: ${DEFAULT-VALUE}); beyond storage-pm, simulation and txn, the 100",
        "quickest of those that pass the place and take less than 3 s."
      })
  private List<String> modules = List.of();

  @Option(names = "--tests", description = "Pattern of test classes (default: all of them).")
  private String tests = "io.gpdb.*Test";

  @Option(
      names = "--longest",
      defaultValue = "600",
      description = "Tests that take more seconds of a processor are not asked.")
  private int longest;

  @Option(
      names = "--coverage",
      description = {
        "File that keeps which tests pass which places, for further runs:",
        "only test classes that have changed are run again for it."
      })
  private @Nullable Path coverageFile;

  @Option(names = "--count", defaultValue = "500", converter = Count.One.class)
  private int count = 500;

  @Option(names = "--seconds", defaultValue = "36000", description = "No new mutant after these.")
  private int seconds = 36_000;

  @Option(names = "--seed", description = "Of the sample (default: the time).")
  private @Nullable Long seed;

  @Option(
      names = "--explore",
      defaultValue = "0",
      converter = Count.LongZero.class,
      description = {
        "Survivors go to the crash explorer: this number of states of the workloads that pass the",
        "place, under the protocols that promise atomicity (default: ${DEFAULT-VALUE}, not at all)."
      })
  private long explore;

  @Option(names = "--only", split = ",", description = "Mutants by name, CLASS#NUMBER.")
  private List<String> only = List.of();

  @Option(names = "--threads", defaultValue = "1", converter = Count.One.class)
  private int threads = 1;

  @Option(names = "--least", defaultValue = "0", description = "Per cent that must be killed.")
  private int least;

  @Mixin private final JsonOption json = new JsonOption();

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
        new MutantHunt(targets, command, project, modules, scratch, threads, 1000 * longest);
    cover(hunt, targets);
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
    MutantReport report = new MutantReport(chosen, hunt.stages());
    hunt.judge(points, start + seconds * 1_000_000_000L, report::note);
    report.print();
    json.write(report.figures());
    System.out.printf("%.0f s%n", (System.nanoTime() - start) / 1e9);
    Files.delete(list);
    Files.delete(scratch.resolve("agent.jar"));
    Files.delete(scratch);
    return report.hasKilled(least) ? 0 : 1;
  }

  private void cover(MutantHunt hunt, TargetClasses targets) throws IOException {
    List<TestClass> testClasses = testClasses();
    String hash = targets.hash();
    if (coverageFile != null) {
      hunt.coverage().keepIn(coverageFile, hash, testClasses);
    }
    hunt.cover(testClasses);
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

  private List<TestClass> testClasses() throws IOException {
    List<TestClass> found = new ArrayList<>();
    for (String module : modules) {
      List<Path> folders = folders(List.of(module), "test-classes");
      for (String name : TargetClasses.matching(folders, List.of(tests))) {
        if (!name.contains("$")) {
          int hash = Arrays.hashCode(TargetClasses.classFile(folders, name));
          found.add(new TestClass(module, name, hash));
        }
      }
    }
    found.addAll(ExplorerTests.all(explore, folders(MODULES, "classes")));
    return found;
  }
}
