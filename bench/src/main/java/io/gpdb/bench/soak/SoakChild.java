package io.gpdb.bench.soak;

import io.gpdb.bench.harness.JsonFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One load in a JVM of its own: says what the process and the files take while it runs. */
public final class SoakChild {
  private static final long MIB = 1 << 20;
  private static final long SAMPLE_SECONDS = 10;

  private SoakChild() {}

  /**
   * What was measured.
   *
   * @param rssMostMib greatest resident set of the process
   * @param rssPeakMib its greatest size ever, between the samples too
   * @param rssAnonMostMib greatest part of it that is the process's own memory
   * @param rssFileMostMib greatest part of it that is pages of mapped files, which the system may
   *     take away
   * @param filesMostMib greatest size of all files
   * @param closedHomeMib size of the home image after the close
   * @param closedMib size of all files after the close
   */
  public record Result(
      String load,
      int rows,
      long seconds,
      long rowsPerSecond,
      long rssFirstMib,
      long rssMostMib,
      long rssPeakMib,
      long rssAnonMostMib,
      long rssFileMostMib,
      long filesMostMib,
      long closedHomeMib,
      long closedMib,
      List<Sample> samples) {}

  /** One moment. */
  public record Sample(
      long second,
      long rssMib,
      long rssAnonMib,
      long rssFileMib,
      long filesMib,
      long homeMib,
      long rows) {}

  /** Arguments: directory of the database, load, rows, seconds, seed, rate, file for the result. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    SoakSpeed speed = SoakSpeed.valueOf(arguments[1]);
    int rows = Integer.parseInt(arguments[2]);
    long seconds = Long.parseLong(arguments[3]);
    long seed = Long.parseLong(arguments[4]);
    long rate = Long.parseLong(arguments[5]);
    SoakLoad load = new SoakLoad(url(directory), rows, speed.fresh(), seed, rate);
    JsonFile.write(Path.of(arguments[6]), run(directory, speed, rows, seconds, load));
  }

  private static String url(Path directory) {
    return "jdbc:gpdb:" + directory;
  }

  private static Result run(Path directory, SoakSpeed speed, int rows, long seconds, SoakLoad load)
      throws SQLException, InterruptedException, IOException {
    List<Sample> samples = new ArrayList<>();
    long rowsPerSecond;
    try (Connection holder = DriverManager.getConnection(url(directory));
        Statement statement = holder.createStatement()) {
      statement.execute("SET auto_vacuum = " + (speed.released() ? "on" : "off"));
      load.create();
      long start = System.nanoTime();
      load.start();
      for (long second = 0; second < seconds; second += SAMPLE_SECONDS) {
        load.await(Math.min(SAMPLE_SECONDS, seconds - second));
        samples.add(sample(directory, elapsed(start), load.changed()));
      }
      rowsPerSecond = load.changed() / Math.max(1, elapsed(start));
      load.stop();
    }
    return new Result(
        speed.name(),
        rows,
        seconds,
        rowsPerSecond,
        samples.getFirst().rssMib(),
        samples.stream().mapToLong(Sample::rssMib).max().orElse(0),
        residentMib("VmHWM:"),
        samples.stream().mapToLong(Sample::rssAnonMib).max().orElse(0),
        samples.stream().mapToLong(Sample::rssFileMib).max().orElse(0),
        samples.stream().mapToLong(Sample::filesMib).max().orElse(0),
        bytes(directory, "home") / MIB,
        bytes(directory, "") / MIB,
        samples);
  }

  private static long elapsed(long start) {
    return (System.nanoTime() - start) / 1_000_000_000;
  }

  private static Sample sample(Path directory, long second, long rows) throws IOException {
    long anon = residentMib("RssAnon:");
    long file = residentMib("RssFile:");
    long rss = residentMib("VmRSS:");
    long files = bytes(directory, "") / MIB;
    long home = bytes(directory, "home") / MIB;
    System.out.printf(
        "%5d s: RSS %5d MiB (%d own, %d of files), files %5d MiB, home image %5d MiB, %,d rows%n",
        second, rss, anon, file, files, home, rows);
    return new Sample(second, rss, anon, file, files, home, rows);
  }

  private static long residentMib(String kind) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(kind)) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return 0;
  }

  private static long bytes(Path directory, String prefix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .mapToLong(SoakChild::size)
          .sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** A log file may be deleted meanwhile. */
  private static long size(Path file) {
    return file.toFile().length();
  }
}
