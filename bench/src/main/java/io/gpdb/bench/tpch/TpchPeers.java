package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.peers.Peer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The same rows in several databases, each contestant in a process of its own, and the queries
 * asked of one after the other.
 */
final class TpchPeers {
  private final List<TpchContestant> contestants;
  private final TpchEffort effort;
  private final Progress progress;

  TpchPeers(List<TpchContestant> contestants, TpchEffort effort, Progress progress) {
    this.contestants = contestants;
    this.effort = effort;
    this.progress = progress;
  }

  /**
   * For each query the contestants' answers by their names; an empty list where one cannot load.
   */
  List<Map<String, TpchMeasured>> run(ScratchDirectory scratch, double factor, long seed)
      throws IOException, InterruptedException {
    List<TpchProcess> processes = new ArrayList<>();
    Map<Peer, Path> loaded = new EnumMap<>(Peer.class);
    try {
      for (TpchContestant contestant : contestants) {
        Path source = loaded.get(contestant.peer());
        Path own = scratch.fresh();
        if (source == null) {
          load(contestant, own, factor, seed);
          loaded.put(contestant.peer(), own);
        } else {
          progress.step(contestant.name() + ": copying");
          copy(source, own);
        }
        processes.add(new TpchProcess(contestant, own, effort));
      }
      List<Map<String, TpchMeasured>> answers = new ArrayList<>();
      for (int query = 1; query <= TpchQueries.ALL.size(); query++) {
        answers.add(ask(query, processes));
      }
      return answers;
    } finally {
      processes.forEach(TpchProcess::close);
    }
  }

  private void load(TpchContestant contestant, Path directory, double factor, long seed)
      throws IOException, InterruptedException {
    progress.step(contestant.peer().label() + ": loading");
    String failure =
        TpchProcess.load(
            contestant,
            directory,
            effort,
            factor,
            seed,
            part -> progress.part(contestant.peer().label() + ": " + part));
    if (!failure.isEmpty()) {
      throw new IOException(contestant.peer().label() + ": loading " + failure);
    }
  }

  private Map<String, TpchMeasured> ask(int query, List<TpchProcess> processes)
      throws IOException, InterruptedException {
    Map<String, TpchMeasured> answers = new LinkedHashMap<>();
    for (TpchProcess process : processes) {
      String name = process.contestant().name();
      progress.step("Q%d of %d: %s".formatted(query, TpchQueries.ALL.size(), name));
      answers.put(name, process.ask(query));
    }
    return answers;
  }

  /** Databases that nobody has open. */
  private static void copy(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(source.relativize(file)));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
