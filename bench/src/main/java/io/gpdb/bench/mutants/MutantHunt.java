package io.gpdb.bench.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
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

/** Judges mutants by tests, in several processes side by side. */
final class MutantHunt {
  private final Path scratch;
  private final List<String> worker;
  private final Path folder;
  private final int threads;
  private final TargetClasses targets;
  private final List<String> testClasses;
  private final Coverage coverage = new Coverage();

  /** What came of a mutant: killed by a test, survived, invalid, or no test passes it. */
  record Verdict(MutationPoint point, String outcome, String test, int tests) {
    boolean isKilled() {
      return outcome.startsWith("killed");
    }
  }

  /**
   * @param worker the command that starts a {@link MutantWorker}
   * @param folder where the workers run
   * @param scratch a folder for temporary files
   */
  MutantHunt(
      TargetClasses targets,
      List<String> testClasses,
      List<String> worker,
      Path folder,
      Path scratch,
      int threads) {
    this.targets = targets;
    this.testClasses = testClasses;
    this.worker = worker;
    this.folder = folder;
    this.scratch = scratch;
    this.threads = threads;
  }

  Coverage coverage() {
    return coverage;
  }

  /** The points, in an order that the seed tells: the first n are a sample. */
  List<MutationPoint> shuffled(long seed) {
    List<MutationPoint> all = new ArrayList<>(targets.points());
    Collections.shuffle(all, new Random(seed));
    return all;
  }

  /** Runs every test class once with probes. */
  void cover() {
    each(testClasses, (process, testClass) -> cover(process, testClass));
  }

  private void cover(WorkerProcess process, String testClass) throws IOException {
    for (String line : process.ask(List.of("cover " + testClass), "done")) {
      String[] fields = line.split(" ", 4);
      if (fields[0].equals("ok")) {
        BitSet passed = BitSet.valueOf(Base64.getDecoder().decode(fields[2]));
        coverage.add(new Coverage.Test(fields[3], Integer.parseInt(fields[1]), passed));
      } else if (fields[0].equals("failed")) {
        coverage.addFailing(fields[3]);
      } else if (fields[0].equals("killed")) {
        coverage.addFailing(testClass);
      }
    }
  }

  /** Judges the points, until they are done or the time is over. */
  void judge(List<MutationPoint> points, long untilNanos, Consumer<Verdict> report) {
    each(
        points,
        (process, point) -> {
          if (System.nanoTime() - untilNanos < 0) {
            Verdict verdict = judge(process, point);
            synchronized (report) {
              report.accept(verdict);
            }
          }
        });
  }

  private Verdict judge(WorkerProcess process, MutationPoint point) throws IOException {
    List<Coverage.Test> tests = coverage.of(targets.points().indexOf(point));
    if (tests.isEmpty()) {
      return new Verdict(point, "not reached", "", 0);
    }
    String answer = process.judge(point, tests.stream().map(Coverage.Test::line).toList());
    String[] fields = answer.split(" ", 3);
    boolean hasReason = fields.length == 3;
    return new Verdict(
        point,
        hasReason ? fields[0] + " " + fields[1] : fields[0],
        hasReason ? fields[2] : "",
        tests.size());
  }

  /** What a process does with one of many items. */
  private interface Work<T> {
    void on(WorkerProcess process, T item) throws IOException;
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
    try (WorkerProcess process = new WorkerProcess(worker, folder, own)) {
      for (T item = queue.poll(); item != null; item = queue.poll()) {
        work.on(process, item);
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
