package io.gpdb.bench.faults;

import io.gpdb.bench.faults.KnownDatabase.Damage;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.jdbc.DatabaseCheck;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * One file cut at a random length, or deleted, of a database in real files that was closed, or
 * killed with its log in use. Neither an opening that refuses such a database nor the verifier
 * changes anything in it.
 */
final class FileDamage implements AutoCloseable {
  private static final String OWNER = "gpdb.lock";

  private final ScratchDirectory scratch;
  private final Path image;
  private final KnownDatabase database;
  private final List<String> files;

  FileDamage(FaultSetting setting, FaultWorkload workload, boolean killed) throws IOException {
    scratch = new ScratchDirectory(null);
    image = scratch.fresh();
    try (StorageDirectory directory = FileDirectory.open(image, true)) {
      database = KnownDatabase.leave(directory, setting, workload, killed);
      files = directory.names();
    }
  }

  /** The files that may be cut or deleted; the owner's holds nothing. */
  List<String> files() {
    return files;
  }

  /** Cuts a file to a random length shorter than it is. */
  String cut(Random random) throws IOException {
    String file = files.get(random.nextInt(files.size()));
    long size = Files.size(image.resolve(file));
    long length = random.nextLong(size);
    String act = "file=%s cut from %d to %d".formatted(file, size, length);
    return damage(
        file,
        act,
        damaged -> {
          try (FileChannel channel =
              FileChannel.open(damaged.resolve(file), StandardOpenOption.WRITE)) {
            channel.truncate(length);
          }
        });
  }

  /** Deletes a file. */
  String delete(String file) throws IOException {
    return damage(file, "deleted file=" + file, damaged -> Files.delete(damaged.resolve(file)));
  }

  private interface FileAct {
    void run(Path directory) throws IOException;
  }

  private String damage(String file, String act, FileAct damaging) throws IOException {
    String what = "%s, %s, %s".formatted(database.setting(), database.when(), act);
    Path damaged = scratch.fresh();
    copy(damaged);
    try {
      damaging.run(damaged);
      Map<String, Long> before = sums(damaged);
      List<String> problems = check(damaged);
      requireSame(before, damaged, what + ": the verifier");
      boolean lacksLast = database.killed() && file.equals("home.gpdb"); // values outside the log
      String outcome;
      try (StorageDirectory directory = FileDirectory.open(damaged, false)) {
        outcome = database.outcome(directory, new Damage(what, lacksLast, false), problems);
      }
      if (outcome.startsWith("refused")) {
        requireSame(before, damaged, what + ": the refused opening");
      }
      return outcome;
    } catch (RuntimeException e) {
      throw e instanceof Violation v ? v : new Violation(what, e);
    } finally {
      ScratchDirectory.delete(damaged);
    }
  }

  private static List<String> check(Path damaged) {
    try {
      return DatabaseCheck.run(damaged);
    } catch (SQLException e) {
      return List.of("cannot be checked: " + e.getMessage());
    }
  }

  private void copy(Path target) throws IOException {
    Files.createDirectory(target);
    try (Stream<Path> all = Files.list(image)) {
      for (Path file : all.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
  }

  private static Map<String, Long> sums(Path directory) throws IOException {
    Map<String, Long> sums = new HashMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        CRC32C sum = new CRC32C();
        sum.update(Files.readAllBytes(file));
        sums.put(file.getFileName().toString(), sum.getValue());
      }
    }
    sums.remove(OWNER);
    return sums;
  }

  private static void requireSame(Map<String, Long> before, Path directory, String who)
      throws IOException {
    Map<String, Long> after = sums(directory);
    if (!after.equals(before)) {
      throw new Violation("%s changed files: %s before, %s after".formatted(who, before, after));
    }
  }

  @Override
  public void close() throws IOException {
    scratch.close();
  }
}
