package io.gpdb.bench.mutants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs tests against changed classes: jobs come line by line, answers go back line
 * by line. A test that takes too long or too much memory ends the process, after it said so.
 *
 * <pre>
 * cover CLASS                        ok CPU WALL POINTS ID … for each test method, then done
 * mutant POINT, then CPU WALL ID …   killed REASON ID, or survived, or invalid REASON when the
 *                                    changed class cannot be loaded; an empty line ends the tests
 * </pre>
 *
 * CPU and WALL are milliseconds: those that a test took, and those that it may take.
 */
final class MutantWorker {
  /** The first line of a worker that has started; without it there is nothing to judge by. */
  static final String GREETING = "ready";

  private static final long RESIDENT_BYTES_MAX = 3L << 30;
  private static final long WATCH_MILLIS = 200;
  private static final int PAGE_BYTES = 4096;
  private static final int RUNAWAY_MILLIS = 20;

  private final TargetClasses targets;
  private final BufferedReader jobs;
  private final PrintStream answers;
  private final AtomicReference<@Nullable TimeLimit> limit = new AtomicReference<>();
  private volatile String testAtHand = "";
  private final Instrumentation instrumentation;
  private boolean covering;

  private static volatile @Nullable Instrumentation agent;

  private MutantWorker(
      TargetClasses targets,
      Instrumentation instrumentation,
      BufferedReader jobs,
      PrintStream answers) {
    this.targets = targets;
    this.instrumentation = instrumentation;
    this.jobs = jobs;
    this.answers = answers;
  }

  /** Called by the JVM before {@link #main}. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    agent = instrumentation;
  }

  /**
   * Works until the jobs end.
   *
   * @param arguments a file with the names of the classes, then the folders of class files
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    List<Path> roots = Stream.of(arguments).skip(1).map(Path::of).toList();
    List<String> names = Files.readAllLines(Path.of(arguments[0]));
    BufferedReader jobs =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    MutantWorker worker =
        new MutantWorker(
            new TargetClasses(roots, names), Objects.requireNonNull(agent), jobs, answers);
    Thread watch = new Thread(worker::watch, "watch");
    watch.setDaemon(true);
    watch.start();
    Effort.now(); // fails here on a JVM that does not report it, not at the first mutant
    answers.println(GREETING);
    answers.flush();
    for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
      worker.carryOut(job);
    }
    Runtime.getRuntime().halt(0);
  }

  private void carryOut(String job) throws IOException {
    int space = job.indexOf(' ');
    String what = job.substring(space + 1);
    if (job.startsWith("cover ")) {
      cover(what);
    } else {
      judge(targets.point(what));
    }
    answers.flush();
  }

  private void cover(String testClass) {
    if (!covering) {
      targets.withProbes().forEach(this::redefine);
      covering = true;
    }
    for (String id : TestRun.methods(testClass)) {
      Probes.reset(targets.points().size());
      long start = System.nanoTime();
      long startOfWork = Effort.processNanos();
      Throwable failure = TestRun.failure(id);
      long cpu = TimeUnit.NANOSECONDS.toMillis(Effort.processNanos() - startOfWork);
      long wall = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      String passed = Base64.getEncoder().encodeToString(Probes.passed().toByteArray());
      String outcome = failure == null ? "ok " : "failed ";
      answers.println(outcome + cpu + " " + wall + " " + passed + " " + id);
    }
    answers.println("done");
  }

  /** Redefines the class, runs the tests until one fails, and takes the change back. */
  private void judge(MutationPoint point) throws IOException {
    String answer = "survived";
    try {
      redefine(point.className(), targets.mutant(point));
    } catch (LinkageError e) {
      answer = "invalid " + e;
    }
    for (String test = jobs.readLine(); !test.isEmpty(); test = jobs.readLine()) {
      if (answer.equals("survived")) {
        answer = outcome(point, test);
      }
    }
    redefine(point.className(), targets.original(point.className()));
    answers.println(answer);
    if (answer.startsWith("killed") && hasRunaways()) {
      answers.flush();
      Runtime.getRuntime().halt(0);
    }
  }

  /** Whether threads that the mutant has left behind go on: later tests would pay for them. */
  private static boolean hasRunaways() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> before = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      before.put(id, threads.getThreadCpuTime(id));
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RUNAWAY_MILLIS));
    long ran = 0;
    for (Map.Entry<Long, Long> thread : before.entrySet()) {
      long now = threads.getThreadCpuTime(thread.getKey());
      ran += thread.getKey() == Thread.currentThread().threadId() ? 0 : now - thread.getValue();
    }
    return TimeUnit.NANOSECONDS.toMillis(ran) * 4 > RUNAWAY_MILLIS;
  }

  /** A test that fails without the change, too, shows that this process is in a bad way. */
  private String outcome(MutationPoint point, String test) throws IOException {
    String[] fields = test.split(" ", 3);
    Throwable failure = failure(fields);
    if (failure == null) {
      return "survived";
    }
    redefine(point.className(), targets.original(point.className()));
    String id = fields[2];
    if (failure(fields) != null) {
      answers.println("killed sick " + id);
      answers.flush();
      Runtime.getRuntime().halt(1);
    }
    return "killed " + failure.getClass().getSimpleName() + " " + id;
  }

  private @Nullable Throwable failure(String[] test) throws IOException {
    testAtHand = test[2];
    limit.set(new TimeLimit(Long.parseLong(test[0]), Long.parseLong(test[1]), Effort.now()));
    Throwable failure = TestRun.failure(test[2]);
    limit.set(null);
    return failure;
  }

  private void redefine(String className, byte[] file) {
    try {
      Class<?> loaded = Class.forName(className, false, MutantWorker.class.getClassLoader());
      instrumentation.redefineClasses(new ClassDefinition(loaded, file));
    } catch (ClassNotFoundException | UnmodifiableClassException e) {
      throw new IllegalStateException(e);
    }
  }

  private void watch() {
    while (true) {
      try {
        Thread.sleep(WATCH_MILLIS);
        TimeLimit known = limit.get();
        String reason = known == null ? null : known.exceeded(Effort.now());
        if (reason != null && limit.get() == known) {
          end(reason);
        }
        if (residentPages() * PAGE_BYTES > RESIDENT_BYTES_MAX) {
          end("memory");
        }
      } catch (InterruptedException | IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static long residentPages() throws IOException {
    String statm = Files.readString(Path.of("/proc/self/statm"));
    int from = statm.indexOf(' ') + 1;
    return Long.parseLong(statm, from, statm.indexOf(' ', from), 10);
  }

  private void end(String reason) {
    answers.println("killed " + reason + " " + testAtHand);
    answers.flush();
    Runtime.getRuntime().halt(1);
  }
}
