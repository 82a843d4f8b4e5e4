package io.gpdb.bench.peers;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All figures of all contestants, over the rounds.
 *
 * @param notes on processes that ended before they had done all
 */
record PeersReport(
    String machine,
    MachineLimits limits,
    PeerSizes sizes,
    int rounds,
    List<Contestant> contestants,
    List<Figure> figures,
    List<String> notes) {

  /**
   * A database with a number of workers.
   *
   * @param name the peer's name, with the workers where it has any
   */
  record Contestant(String name, Peer peer, int workers) {
    static Contestant of(Peer peer, int workers) {
      return new Contestant(
          peer.hasWorkers()
              ? peer.label() + ", " + workers + (workers == 1 ? " worker" : " workers")
              : peer.label(),
          peer,
          workers);
    }

    public String durability() {
      return peer.durability();
    }

    public boolean durable() {
      return peer.isDurable();
    }

    boolean isOurs() {
      return peer == Peer.GPDB;
    }
  }

  /**
   * One figure.
   *
   * @param results by the contestants' names
   */
  record Figure(
      String section,
      String name,
      String unit,
      boolean higherIsBetter,
      Map<String, Result> results) {

    /** How many times better {@code ours} is than the best durable other; NaN without one. */
    double ratio(Contestant ours, List<Contestant> contestants) {
      double best = Double.NaN;
      for (Contestant other : contestants) {
        Result result = results.get(other.name());
        boolean counts =
            other.durable()
                && !other.isOurs()
                && (!other.peer().hasWorkers() || other.workers() == ours.workers());
        if (result != null && counts && !Double.isNaN(result.warm().median())) {
          double value = result.warm().median();
          best =
              Double.isNaN(best)
                  ? value
                  : higherIsBetter ? Math.max(best, value) : Math.min(best, value);
        }
      }
      Result own = results.get(ours.name());
      double value = own == null ? Double.NaN : own.warm().median();
      return higherIsBetter ? value / best : best / value;
    }
  }

  /**
   * What one contestant reached.
   *
   * @param first over the rounds, the first run in each process
   * @param warm over the rounds, the median of the later half of the runs in each process
   * @param refusal why a round has no value, null where all have
   */
  record Result(Spread first, Spread warm, @Nullable String refusal) {
    static Result of(List<Measured> rounds) {
      String refusal = null;
      List<Double> first = new ArrayList<>();
      List<Double> warm = new ArrayList<>();
      for (Measured measured : rounds) {
        if (measured.refusal() != null) {
          refusal = measured.refusal();
        } else {
          first.add(measured.first());
          warm.add(measured.warm());
        }
      }
      return new Result(Spread.of(first), Spread.of(warm), refusal);
    }
  }

  /** Figures in the order in which their sections, and then they, were first found. */
  static List<Figure> figures(Map<Contestant, List<Measured>> found) {
    Map<String, Measured> heads = new LinkedHashMap<>();
    Map<String, Map<String, List<Measured>>> byKey = new LinkedHashMap<>();
    found.forEach(
        (contestant, all) -> {
          for (Measured measured : all) {
            heads.putIfAbsent(measured.key(), measured);
            byKey
                .computeIfAbsent(measured.key(), _ -> new LinkedHashMap<>())
                .computeIfAbsent(contestant.name(), _ -> new ArrayList<>())
                .add(measured);
          }
        });
    List<String> sections = heads.values().stream().map(Measured::section).distinct().toList();
    List<Figure> figures = new ArrayList<>();
    byKey.forEach(
        (key, byName) -> {
          Measured head = Objects.requireNonNull(heads.get(key));
          Map<String, Result> results = new LinkedHashMap<>();
          byName.forEach((name, rounds) -> results.put(name, Result.of(rounds)));
          figures.add(
              new Figure(head.section(), head.name(), head.unit(), head.higherIsBetter(), results));
        });
    figures.sort(Comparator.comparingInt(figure -> sections.indexOf(figure.section())));
    return figures;
  }
}
