package io.gpdb.bench.micro;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.Figures;
import io.gpdb.bench.harness.Figures.Figure;
import io.gpdb.bench.harness.HtmlOption;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Machine;
import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Parts of the engine, each in processes of JMH. */
@Command(
    name = "micro",
    mixinStandardHelpOptions = true,
    description = "Kernels, look-ups in indexes, appending to the log, planning; by JMH.")
public final class MicroCommand implements Callable<Integer> {
  @Option(
      names = "--parts",
      split = ",",
      defaultValue = "kernels,probes,log,planning",
      description = "Which parts (default: ${DEFAULT-VALUE}).")
  private List<MicroPart> parts = List.of();

  @Option(
      names = "--forks",
      defaultValue = "1",
      converter = Count.One.class,
      description = "Processes of each benchmark (default: ${DEFAULT-VALUE}).")
  private int forks = 1;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      converter = Count.One.class,
      description = "Counted rounds of a process, after as many that are not (default: 5).")
  private int rounds = 5;

  @Option(
      names = "--millis",
      defaultValue = "1000",
      converter = Count.One.class,
      description = "Milliseconds of a round (default: ${DEFAULT-VALUE}).")
  private int millis = 1000;

  @Mixin private final JsonOption json = new JsonOption();

  @Mixin private final HtmlOption html = new HtmlOption();

  @Override
  public Integer call() throws IOException {
    List<Figure> figures = new ArrayList<>();
    try (ScratchDirectory scratch = new ScratchDirectory(null);
        Progress progress = new Progress()) {
      MicroRun run = new MicroRun(scratch.root(), forks, rounds, millis);
      for (MicroPart part : parts) {
        progress.step(part.label());
        figures.addAll(run.of(part));
      }
    }
    Figures found = new Figures("Parts of gpDB, one by one", Machine.words(), List.of(), figures);
    found.print(System.out);
    json.write(found);
    html.write(found::html);
    return 0;
  }
}
