package io.gpdb.bench.kill;

import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** One database worked on and killed over and over, and verified in between. */
final class KillRun {
  /** A promise that was not kept; the database it was found in stays on disk. */
  static final class Violation extends Exception {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  private static final int KILLED = 128 + 9;
  private static final long PHASE_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final long WORK_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long POLL_NANOS = 200_000;

  private final Path root;
  private final List<KillSetting> settings;
  private final long seed;
  private final Map<KillSetting, KillTally> tallies = new LinkedHashMap<>();
  private Path folder;
  private int databases;
  private final List<WorkerModel> models = new ArrayList<>();
  private final long[] balances = new long[Work.ACCOUNTS];

  KillRun(Path root, List<KillSetting> settings, long seed) {
    this.root = root;
    this.settings = settings;
    this.seed = seed;
    this.folder = root;
    settings.forEach(setting -> tallies.put(setting, new KillTally()));
  }

  Map<KillSetting, KillTally> tallies() {
    return tallies;
  }

  private Path database() {
    return folder.resolve("db");
  }

  private void begin(KillSetting setting) throws SQLException, IOException {
    folder = Files.createDirectories(root.resolve("run" + databases++));
    models.clear();
    for (int worker = 0; worker < KillWorkload.WORKERS; worker++) {
      models.add(new WorkerModel(seed, worker));
    }
    Arrays.fill(balances, KillWorkload.OPENING_BALANCE);
    try (Connection connection = DriverManager.getConnection(setting.url(database(), 1 << 29))) {
      KillWorkload.create(connection);
    }
  }

  /** Kill number {@code number}, counted from 0; the last one is always verified. */
  void kill(int number, boolean last)
      throws SQLException, IOException, InterruptedException, Violation {
    SplittableRandom random = new SplittableRandom(seed + 31L * number);
    KillSetting setting = settings.get(number % settings.size());
    KillTally tally = tallies.computeIfAbsent(setting, s -> new KillTally());
    if (databases == 0) {
      begin(setting);
    }
    String url = setting.url(database(), 1L << (18 + random.nextInt(10)));
    try (Ledger ledger = new Ledger(folder.resolve(Ledger.FILE_NAME), KillWorkload.CONNECTIONS)) {
      long before = acknowledged(ledger);
      long countedBefore = counted(ledger);
      killOne(url, number, ledger, random, tally);
      tally.kills++;
      tally.acknowledged += acknowledged(ledger) - before;
      tally.counted += counted(ledger) - countedBefore;
      // Left out now and then, so that the next child meets what this kill has left and dies on it.
      if (last || random.nextInt(10) < 6 || setting.isBaseline()) {
        verify(url, number, ledger, random, setting, tally);
      }
    }
  }

  private static long acknowledged(Ledger ledger) {
    return acknowledged(ledger, 0, KillWorkload.WORKERS);
  }

  /** By the workers of the hot row. */
  private static long counted(Ledger ledger) {
    return acknowledged(ledger, KillWorkload.WORKERS, KillWorkload.CONNECTIONS);
  }

  /** By the workers from {@code first} to before {@code end}. */
  private static long acknowledged(Ledger ledger, int first, int end) {
    long sum = 0;
    for (int worker = first; worker < end; worker++) {
      sum += ledger.acknowledged(worker);
    }
    return sum;
  }

  private void killOne(
      String url, int number, Ledger ledger, SplittableRandom random, KillTally tally)
      throws IOException, InterruptedException, Violation {
    ledger.enter(Ledger.Phase.STARTING);
    ledger.orderEnd(false);
    Path output = folder.resolve("child.log");
    Process child = start(url, output);
    int moment = random.nextInt(10);
    if (moment < 3) {
      await(child, ledger, Ledger.Phase.OPENING);
      pause(random.nextInt(600));
    } else {
      await(child, ledger, Ledger.Phase.WORKING);
      LongSupplier done =
          random.nextInt(3) == 0 ? () -> counted(ledger) : () -> acknowledged(ledger);
      long wanted = done.getAsLong() + (long) (Math.pow(random.nextDouble(), 3) * 1000);
      await(child, done, wanted);
      pause(random.nextInt(100));
      if (moment == 9) {
        ledger.orderEnd(true);
        await(child, ledger, Ledger.Phase.CLOSING);
        pause(random.nextInt(100));
      }
    }
    Ledger.Phase phase = ledger.phase();
    long killed = System.nanoTime();
    child.destroyForcibly();
    int status = child.waitFor();
    tally.endingSeconds.add(MachineLimits.seconds(killed));
    if (status == 0) {
      tally.endedBefore++;
    } else if (status != KILLED) {
      throw violation(
          number, List.of("the child ended by itself, status " + status, Files.readString(output)));
    } else if (phase == Ledger.Phase.WORKING) {
      tally.inWork++;
    } else if (phase == Ledger.Phase.CLOSING) {
      tally.inClosing++;
    } else {
      tally.inOpening++;
    }
  }

  private Process start(String url, Path output) throws IOException {
    List<String> command =
        ChildJvm.shortLived(
            List.of("-Xms64m", "-Xmx256m", "-ea"),
            KillChild.class,
            url,
            folder.toString(),
            Long.toString(seed));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static void await(Process child, Ledger ledger, Ledger.Phase phase) {
    long start = System.nanoTime();
    while (child.isAlive()
        && ledger.phase().compareTo(phase) < 0
        && System.nanoTime() - start < PHASE_LIMIT_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void await(Process child, LongSupplier done, long wanted) {
    long start = System.nanoTime();
    while (child.isAlive()
        && done.getAsLong() < wanted
        && System.nanoTime() - start < WORK_LIMIT_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void pause(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void verify(
      String url,
      int number,
      Ledger ledger,
      SplittableRandom random,
      KillSetting setting,
      KillTally tally)
      throws SQLException, IOException, Violation {
    List<String> problems;
    try (Connection connection = DriverManager.getConnection(url)) {
      tally.recoverySeconds.add(Statistics.read(connection).value("recovery_nanos") / 1e9);
      KillVerifier verifier = new KillVerifier(connection, ledger, models, balances, random);
      problems = verifier.problems();
      tally.keptUnacknowledged += verifier.keptUnacknowledged();
      tally.lostUnacknowledged += verifier.lostUnacknowledged();
      if (problems.isEmpty()) {
        problems = verifyBackups(tally);
      }
    } catch (SQLException e) {
      problems = List.of(String.valueOf(e.getMessage()));
    }
    tally.verified++;
    if (problems.isEmpty()) {
      return;
    }
    if (!setting.isBaseline()) {
      throw violation(number, problems);
    }
    // What a baseline left part done cannot be gone on with.
    tally.notGuaranteed++;
    ScratchDirectory.delete(folder);
    begin(setting);
  }

  private List<String> verifyBackups(KillTally tally) throws IOException {
    KillBackup backup = new KillBackup(folder);
    tally.backups += backup.count();
    return backup.problems(models.stream().mapToLong(WorkerModel::committed).toArray());
  }

  private Violation violation(int number, List<String> problems) {
    return new Violation(
        "seed %d, kill %d: %s%nthe database is kept in %s"
            .formatted(seed, number, String.join(System.lineSeparator(), problems), folder));
  }
}
