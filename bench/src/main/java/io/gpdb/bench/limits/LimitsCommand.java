package io.gpdb.bench.limits;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.Figures;
import io.gpdb.bench.harness.Figures.Figure;
import io.gpdb.bench.harness.HtmlOption;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Machine;
import io.gpdb.bench.harness.MemorySize;
import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What no database on this machine can exceed. */
@Command(
    name = "limits",
    mixinStandardHelpOptions = true,
    description = "Memory bandwidth, syncs and writes of this machine, without a database.")
public final class LimitsCommand implements Callable<Integer> {
  private static final int SIDE_BY_SIDE_MAX = 64;
  private static final int SYNCS = 200;
  private static final long BYTES_MAX = 8L << 30;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--threads",
      split = ",",
      converter = Count.One.class,
      description = "Threads that copy and add up (default: 1, 2, 4, … all processors).")
  private List<Integer> threads = upTo(Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--bytes",
      defaultValue = "512MB",
      converter = MemorySize.class,
      description = "Memory that is copied and added up (default: ${DEFAULT-VALUE}).")
  private long bytes = 512L << 20;

  @Option(
      names = "--syncs",
      split = ",",
      defaultValue = "1,2,4,8,16",
      converter = Count.One.class,
      description = "Threads that write and sync side by side (default: ${DEFAULT-VALUE}).")
  private List<Integer> syncing = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "7",
      converter = Count.One.class,
      description = "How often each is measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 7;

  @Option(
      names = "--window",
      defaultValue = "300",
      converter = Count.One.class,
      description = "Milliseconds of a round of syncs side by side (default: ${DEFAULT-VALUE}).")
  private int windowMillis = 300;

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Mixin private final HtmlOption html = new HtmlOption();

  /** Powers of two, and the number itself. */
  static List<Integer> upTo(int processors) {
    return IntStream.concat(
            IntStream.iterate(1, n -> n < processors, n -> 2 * n), IntStream.of(processors))
        .boxed()
        .toList();
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (syncing.stream().anyMatch(count -> count > SIDE_BY_SIDE_MAX)) {
      throw new ParameterException(
          spec.commandLine(), "--syncs takes at most " + SIDE_BY_SIDE_MAX + " threads");
    }
    if (bytes > BYTES_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--bytes takes at most " + (BYTES_MAX >> 30) + "GB");
    }
    List<Figure> figures = new ArrayList<>();
    try (ScratchDirectory scratch = scratchFolder.open();
        Progress progress = new Progress()) {
      memory(figures, progress);
      storage(figures, scratch.root(), progress);
    }
    Figures found =
        new Figures(
            "Limits of this machine",
            Machine.words(),
            List.of(
                "Copies count the bytes read and the bytes written. Writes and syncs are of 4 KiB"
                    + " of a file that has its size already."),
            figures);
    found.print(System.out);
    json.write(found);
    html.write(found::html);
    return 0;
  }

  private void memory(List<Figure> figures, Progress progress) throws InterruptedException {
    try (MemoryBandwidth memory = new MemoryBandwidth(bytes)) {
      for (int count : threads) {
        progress.step("copying with " + threads(count));
        figures.add(
            new Figure(
                "copies in memory", threads(count), "B/s", true, memory.copied(count, rounds)));
      }
      for (int count : threads) {
        progress.step("adding up with " + threads(count));
        figures.add(
            new Figure(
                "sums of words in memory",
                threads(count),
                "B/s",
                true,
                memory.summed(count, rounds)));
      }
    }
  }

  private void storage(List<Figure> figures, Path folder, Progress progress)
      throws IOException, InterruptedException {
    progress.step("writing and syncing");
    figures.add(
        new Figure(
            "sequential writes with one sync",
            "64 MiB",
            "B/s",
            true,
            StorageLimits.sequential(folder)));
    try (StorageLimits storage = new StorageLimits(folder)) {
      figures.add(
          new Figure("one write and sync", "1 thread", "µs", false, storage.latency(SYNCS)));
      for (int count : syncing) {
        progress.step("syncing with " + threads(count));
        figures.add(
            new Figure(
                "writes and syncs side by side",
                threads(count),
                "1/s",
                true,
                storage.overlapped(count, rounds, windowMillis)));
      }
    }
  }

  private static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }
}
