package io.gpdb.bench.mutants;

import io.gpdb.bench.mutants.Coverage.TestClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Judges mutants by tests, in several processes side by side. */
final class MutantHunt {
  /** The modules that the changed classes are of: all their tests are asked. */
  private static final List<String> OWN_MODULES = List.of("storage-pm", "simulation", "txn");

  /** Tests of other modules that take longer are not asked: too many of them pass each place. */
  private static final int OTHERS_MILLIS_MAX = 3_000;

  private static final int OTHERS_MAX = 100;

  private final Path scratch;
  private final List<String> worker;
  private final Path project;
  private final List<String> modules;
  private final int threads;
  private final int longestMillis;
  private final TargetClasses targets;
  private final Coverage coverage = new Coverage();

  /**
   * What came of a mutant: killed by a test, survived, invalid, or no test passes it.
   *
   * @param stage the last one that was asked: a module, or {@link ExplorerTests#STAGE}
   */
  record Verdict(MutationPoint point, String outcome, String test, int tests, String stage) {
    boolean isKilled() {
      return outcome.startsWith("killed");
    }

    /** The JVM refuses the class: nothing to notice. */
    boolean isInvalid() {
      return outcome.startsWith("invalid");
    }

    boolean isByTime() {
      return outcome.equals("killed timeout") || outcome.equals("killed standstill");
    }
  }

  /**
   * @param worker the command that starts a {@link MutantWorker}
   * @param project the folder of the modules
   * @param modules whose tests are asked, in this order
   * @param scratch a folder for temporary files
   * @param longestMillis tests that take more are not asked
   */
  MutantHunt(
      TargetClasses targets,
      List<String> worker,
      Path project,
      List<String> modules,
      Path scratch,
      int threads,
      int longestMillis) {
    this.targets = targets;
    this.worker = worker;
    this.project = project;
    this.modules = modules;
    this.scratch = scratch;
    this.threads = threads;
    this.longestMillis = longestMillis;
  }

  Coverage coverage() {
    return coverage;
  }

  /** The points, in an order drawn from the seed: the first n are a sample. */
  List<MutationPoint> shuffled(long seed) {
    List<MutationPoint> all = new ArrayList<>(targets.points());
    Collections.shuffle(all, new Random(seed));
    return all;
  }

  /** Runs the test classes that are not known yet once with probes. */
  void cover(List<TestClass> testClasses) {
    each(
        testClasses.stream().filter(c -> !coverage.has(c)).toList(),
        (workers, testClass) -> cover(workers.of(testClass.module()), testClass));
  }

  private void cover(WorkerProcess process, TestClass testClass) throws IOException {
    List<Coverage.Test> methods = new ArrayList<>();
    for (String line : process.ask(List.of("cover " + testClass.name()), "done")) {
      if (line.startsWith("ok ") || line.startsWith("failed ")) {
        methods.add(Coverage.Test.of(line));
      } else if (line.startsWith("killed")) {
        System.out.println("ends unchanged: " + testClass.name() + ", " + line);
      }
    }
    coverage.add(testClass, methods);
  }

  /** Judges the points, until they are done or the time is over. */
  void judge(List<MutationPoint> points, long untilNanos, Consumer<Verdict> report) {
    each(
        points,
        (workers, point) -> {
          if (System.nanoTime() - untilNanos < 0) {
            Verdict verdict = judge(workers, point);
            synchronized (report) {
              report.accept(verdict);
            }
          }
        });
  }

  private Verdict judge(Workers workers, MutationPoint point) throws IOException {
    Verdict verdict = new Verdict(point, "not reached", "", 0, "");
    for (String stage : stages()) {
      List<Coverage.Test> tests = tests(stage, point);
      if (!tests.isEmpty() && !verdict.isKilled() && !verdict.isInvalid()) {
        String answer =
            workers.of(stage).judge(point, tests.stream().map(Coverage.Test::job).toList());
        String[] fields = answer.split(" ", 3);
        boolean hasReason = fields.length == 3;
        verdict =
            new Verdict(
                point,
                hasReason ? fields[0] + " " + fields[1] : fields[0],
                hasReason ? fields[2] : "",
                verdict.tests() + tests.size(),
                stage);
      }
    }
    return verdict;
  }

  /** The modules in their order, and then the crash explorer, where it was covered. */
  List<String> stages() {
    return Stream.concat(modules.stream(), Stream.of(ExplorerTests.STAGE)).toList();
  }

  private List<Coverage.Test> tests(String module, MutationPoint point) {
    if (module.equals(ExplorerTests.STAGE)) {
      return ExplorerTests.chosen(coverage.of(module, targets.points().indexOf(point)));
    }
    boolean own = OWN_MODULES.contains(module);
    int millisMax = own ? longestMillis : Math.min(longestMillis, OTHERS_MILLIS_MAX);
    return coverage.of(module, targets.points().indexOf(point)).stream()
        .filter(test -> test.cpuMillis() <= millisMax)
        .limit(own ? Integer.MAX_VALUE : OTHERS_MAX)
        .toList();
  }

  /** The processes of a thread, one for each stage: a module's tests run in its folder. */
  private final class Workers implements AutoCloseable {
    private final Path own;
    private final Map<String, WorkerProcess> processes = new HashMap<>();

    Workers(Path own) {
      this.own = own;
    }

    WorkerProcess of(String stage) {
      String module = stage.equals(ExplorerTests.STAGE) ? ExplorerTests.MODULE : stage;
      return processes.computeIfAbsent(
          stage,
          s ->
              new WorkerProcess(
                  worker, project.resolve(module), own.resolveSibling(own.getFileName() + s)));
    }

    @Override
    public void close() throws IOException {
      for (WorkerProcess process : processes.values()) {
        process.close();
      }
    }
  }

  /** What is done with one of many items. */
  private interface Work<T> {
    void on(Workers workers, T item) throws IOException;
  }

  private <T> void each(List<T> items, Work<T> work) {
    ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>(items);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Path own = scratch.resolve("worker" + t);
        ends.add(pool.submit(() -> drain(queue, own, work)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("a worker failed", e);
    }
  }

  private <T> void drain(ConcurrentLinkedQueue<T> queue, Path own, Work<T> work) {
    try (Workers workers = new Workers(own)) {
      for (T item = queue.poll(); item != null; item = queue.poll()) {
        work.on(workers, item);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A jar that makes the worker an agent, which may redefine classes. */
  static Path agent(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", MutantWorker.class.getName());
    attributes.putValue("Can-Redefine-Classes", "true");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  /** The command for a worker on this JVM and class path. */
  static List<String> workerCommand(
      Path agent, Path targetList, List<Path> roots, String classPath) {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx800m",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=2",
                "-XX:TieredStopAtLevel=1", // most tests end before more has paid
                "-ea",
                "-javaagent:" + agent,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                classPath,
                MutantWorker.class.getName(),
                targetList.toString()));
    for (Path root : roots) {
      command.add(root.toAbsolutePath().toString());
    }
    return command;
  }
}
