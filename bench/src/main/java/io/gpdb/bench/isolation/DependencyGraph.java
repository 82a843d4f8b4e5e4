package io.gpdb.bench.isolation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Dependencies between the transactions of a history, and the cycles among them. */
final class DependencyGraph {
  private static final EnumSet<Dependency> NOT_RW = EnumSet.complementOf(EnumSet.of(Dependency.RW));

  private final List<List<Edge>> edges = new ArrayList<>();

  /** {@code from} comes before {@code to}. */
  record Edge(int from, int to, Dependency kind, String why) {
    @Override
    public String toString() {
      return "T" + from + " -" + kind + "-> T" + to + " (" + why + ")";
    }
  }

  DependencyGraph(int transactions) {
    for (int i = 0; i < transactions; i++) {
      edges.add(new ArrayList<>());
    }
  }

  void add(int from, int to, Dependency kind, String why) {
    if (from != to) {
      edges.get(from).add(new Edge(from, to, kind, why));
    }
  }

  /** Reports one cycle for each way in which it can be made, at most {@code limit} of each kind. */
  void cycles(int limit, Consumer<Anomaly> found) {
    components(EnumSet.of(Dependency.WW), limit, AnomalyKind.G0, Dependency.WW, found);
    components(
        EnumSet.of(Dependency.WW, Dependency.WR), limit, AnomalyKind.G1C, Dependency.WR, found);
    components(NOT_RW, limit, AnomalyKind.G1C, Dependency.TIME, found);
    overReads(limit, found);
  }

  /** Cycles of these kinds with an edge of {@code must}. */
  private void components(
      Set<Dependency> kinds,
      int limit,
      AnomalyKind name,
      Dependency must,
      Consumer<Anomaly> found) {
    int[] component = StrongComponents.of(edges, kinds);
    int count = 0;
    for (List<Edge> out : edges) {
      for (Edge edge : out) {
        if (edge.kind == must && component[edge.from] == component[edge.to] && count < limit) {
          List<Edge> back = path(edge.to, edge.from, kinds, component);
          if (back != null) {
            found.accept(cycle(name, edge, back));
            count++;
          }
        }
      }
    }
  }

  private static Anomaly cycle(AnomalyKind kind, Edge first, List<Edge> rest) {
    List<String> texts = new ArrayList<>(List.of(first.toString()));
    rest.forEach(edge -> texts.add(edge.toString()));
    return new Anomaly(kind, String.join(", ", texts));
  }

  private void overReads(int limit, Consumer<Anomaly> found) {
    int[] component = StrongComponents.of(edges, EnumSet.allOf(Dependency.class));
    Map<AnomalyKind, Integer> counts = new EnumMap<>(AnomalyKind.class);
    for (List<Edge> out : edges) {
      for (Edge edge : out) {
        if (edge.kind == Dependency.RW && component[edge.from] == component[edge.to]) {
          Anomaly anomaly = overRead(edge, component);
          if (counts.merge(anomaly.kind(), 1, Integer::sum) <= limit) {
            found.accept(anomaly);
          }
        }
      }
    }
  }

  /** The cycle through this edge that the fewest levels allow. */
  private Anomaly overRead(Edge edge, int[] component) {
    List<Edge> back = path(edge.to, edge.from, NOT_RW, component);
    if (back != null) {
      return cycle(AnomalyKind.G_SINGLE, edge, back);
    }
    back = pathWithoutNeighbours(edge.to, edge.from, component);
    if (back != null) {
      return cycle(AnomalyKind.G_NONADJACENT, edge, back);
    }
    back = path(edge.to, edge.from, EnumSet.allOf(Dependency.class), component);
    if (back == null) {
      throw new IllegalStateException("no way back inside of a strong component: " + edge);
    }
    return cycle(AnomalyKind.G2_ITEM, edge, back);
  }

  /** A shortest path inside of the component of {@code from}, or null. */
  private @Nullable List<Edge> path(int from, int to, Set<Dependency> kinds, int[] component) {
    @Nullable Edge[] reachedBy = new @Nullable Edge[edges.size()];
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(from));
    while (!queue.isEmpty()) {
      for (Edge edge : edges.get(queue.remove())) {
        if (kinds.contains(edge.kind)
            && component[edge.to] == component[from]
            && reachedBy[edge.to] == null) {
          reachedBy[edge.to] = edge;
          if (edge.to == to) {
            return walkBack(reachedBy, from, to);
          }
          queue.add(edge.to);
        }
      }
    }
    return null;
  }

  private static List<Edge> walkBack(@Nullable Edge[] reachedBy, int from, int to) {
    List<Edge> path = new ArrayList<>();
    int at = to;
    do {
      Edge edge = reachedBy[at];
      if (edge == null) {
        throw new IllegalStateException("the path breaks off at T" + at);
      }
      path.add(edge);
      at = edge.from;
    } while (at != from);
    Collections.reverse(path);
    return path;
  }

  /**
   * As {@link #path} of all kinds, for a walk that begins and ends without rw and has no two of
   * them in a row: states are a transaction and whether rw led to it.
   */
  private @Nullable List<Edge> pathWithoutNeighbours(int from, int to, int[] component) {
    @Nullable Edge[] reachedBy = new @Nullable Edge[2 * edges.size()];
    int[] before = new int[2 * edges.size()];
    Arrays.fill(before, -1);
    int start = 2 * from + 1;
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(start));
    while (!queue.isEmpty()) {
      int state = queue.remove();
      for (Edge edge : edges.get(state / 2)) {
        boolean rw = edge.kind == Dependency.RW;
        int next = 2 * edge.to + (rw ? 1 : 0);
        if (!(rw && state % 2 == 1)
            && component[edge.to] == component[from]
            && reachedBy[next] == null
            && next != start) {
          reachedBy[next] = edge;
          before[next] = state;
          if (next == 2 * to) {
            return walkBack(reachedBy, before, start, next);
          }
          queue.add(next);
        }
      }
    }
    return null;
  }

  private static List<Edge> walkBack(@Nullable Edge[] reachedBy, int[] before, int start, int end) {
    List<Edge> path = new ArrayList<>();
    for (int state = end; state != start; state = before[state]) {
      Edge edge = reachedBy[state];
      if (edge == null) {
        throw new IllegalStateException("the path breaks off at T" + state / 2);
      }
      path.add(edge);
    }
    Collections.reverse(path);
    return path;
  }
}
