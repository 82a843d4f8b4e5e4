package io.gpdb.bench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gpdb bench soak}: fails when memory or files go beyond their bounds. */
@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = "Writers with new strings during long snapshots; memory, files and speed.")
public final class SoakCommand implements Callable<Integer> {
  private static final long MIB = 1 << 20;

  /** In addition to four times the live data: the JVM, its code and its heap. */
  private static final long RSS_MIB = 300;

  /** The log between checkpoints (checkpoint_bytes) and during one, the last file and the next. */
  private static final long LOG_MIB = 512 + 64 + 2 * 64;

  private static final int TIMES_LIVE = 4;

  /** Runs with strings given back and kept, in turn. */
  private static final int PAIRS = 3;

  @Option(
      names = "--minutes",
      defaultValue = "30",
      converter = Count.One.class,
      description = "Minutes of the load (default: 30).")
  private int minutes = 30;

  @Option(
      names = "--rows",
      defaultValue = "200000",
      converter = Count.Twenty.class,
      description = "Rows of the table (default: 200000).")
  private int rows = 200_000;

  @Option(
      names = "--rate",
      defaultValue = "100000",
      converter = Count.Zero.class,
      description =
          "Rows that the writers change in a second at most; 0: as many as they can"
              + " (default: 100000). The speeds compared are always those of 0.")
  private int rate = 100_000;

  @Option(names = "--seed", description = "Seed of the rows chosen (default: the time).")
  private @Nullable Long seed;

  @Option(
      names = "--speeds",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Also compare with strings that stay, three times, 2 seconds a minute.")
  private boolean speeds = true;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws IOException, InterruptedException {
    long used = seed == null ? System.nanoTime() : seed;
    System.out.println("seed " + used);
    Map<String, SoakChild.Result> results = new LinkedHashMap<>();
    try (ScratchDirectory scratch = scratchFolder.open()) {
      results.put("NEW", run(scratch, SoakSpeed.NEW, minutes * 60L, used, rate));
      if (speeds) {
        long part = Math.max(30, minutes * 2L);
        for (int pair = 1; pair <= PAIRS; pair++) {
          results.put("NEW " + pair, run(scratch, SoakSpeed.NEW, part, used + pair, 0));
          results.put("KEPT " + pair, run(scratch, SoakSpeed.KEPT, part, used + pair, 0));
        }
        results.put("SAME", run(scratch, SoakSpeed.SAME, part, used, 0));
      }
    }
    json.write(results);
    results.values().forEach(SoakCommand::print);
    if (speeds) {
      System.out.printf(
          "speed with strings given back: %.2f of that with strings kept (medians of %d)%n",
          median(results, "NEW ") / (double) median(results, "KEPT "), PAIRS);
    }
    List<String> broken = broken(results.get("NEW"));
    broken.forEach(System.out::println);
    return broken.isEmpty() ? 0 : 1;
  }

  private SoakChild.Result run(
      ScratchDirectory scratch, SoakSpeed speed, long seconds, long used, int rowsPerSecond)
      throws IOException, InterruptedException {
    Path result = scratch.root().resolve(speed + ".json");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx80m");
    command.add("-XX:TrimNativeHeapInterval=1000");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(SoakChild.class.getName());
    command.addAll(
        List.of(
            scratch.fresh().toString(),
            speed.name(),
            Integer.toString(rows),
            Long.toString(seconds),
            Long.toString(used),
            Integer.toString(rowsPerSecond),
            result.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("MALLOC_ARENA_MAX", "1"); // else each thread keeps what it freed
    Process child = builder.start();
    try {
      if (child.waitFor() != 0) {
        throw new IOException("the load " + speed + " failed, status " + child.exitValue());
      }
    } finally {
      child.destroyForcibly();
    }
    return new ObjectMapper().readValue(result.toFile(), SoakChild.Result.class);
  }

  private static void print(SoakChild.Result r) {
    System.out.printf(
        "%-4s %,9d rows/s; RSS %d to %d MiB (%d own, %d of files), peak %d; files at most %d MiB;"
            + " closed %d MiB, home image %d%n",
        r.load(),
        r.rowsPerSecond(),
        r.rssFirstMib(),
        r.rssMostMib(),
        r.rssAnonMostMib(),
        r.rssFileMostMib(),
        r.rssPeakMib(),
        r.filesMostMib(),
        r.closedMib(),
        r.closedHomeMib());
  }

  private static long median(Map<String, SoakChild.Result> results, String load) {
    return results.entrySet().stream()
        .filter(result -> result.getKey().startsWith(load))
        .mapToLong(result -> result.getValue().rowsPerSecond())
        .sorted()
        .skip(PAIRS / 2)
        .findFirst()
        .orElseThrow();
  }

  private List<String> broken(SoakChild.Result result) {
    long live = SoakLoad.liveBytes(rows) / MIB;
    List<String> broken = new ArrayList<>();
    require(broken, "RSS", result.rssMostMib(), TIMES_LIVE * live + RSS_MIB);
    require(broken, "files", result.filesMostMib(), TIMES_LIVE * live + LOG_MIB);
    // Pieces of the file are given back in steps of an eighth of it.
    require(broken, "home image after the close", result.closedHomeMib(), 2 * live + live / 2 + 2);
    return broken;
  }

  private static void require(List<String> broken, String what, long mib, long limit) {
    String line = "%s: %d MiB, limit %d MiB".formatted(what, mib, limit);
    System.out.println(line);
    if (mib > limit) {
      broken.add("BEYOND ITS BOUND: " + line);
    }
  }
}
