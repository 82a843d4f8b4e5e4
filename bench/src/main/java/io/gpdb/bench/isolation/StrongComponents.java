package io.gpdb.bench.isolation;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Strongly connected components (Tarjan, 1972), without recursion. */
final class StrongComponents {
  private final List<List<DependencyGraph.Edge>> edges;
  private final Set<Dependency> kinds;
  private final int[] index;
  private final int[] low;
  private final int[] component;
  private final int[] next;
  private final int[] stack;
  private final int[] path;
  private int stackSize;
  private int lastIndex;
  private int components;

  private StrongComponents(List<List<DependencyGraph.Edge>> edges, Set<Dependency> kinds) {
    this.edges = edges;
    this.kinds = kinds;
    int n = edges.size();
    index = new int[n];
    low = new int[n];
    component = new int[n];
    next = new int[n];
    stack = new int[n];
    path = new int[n];
    Arrays.fill(component, -1);
  }

  /** The component of every node over edges of these kinds, a number each. */
  static int[] of(List<List<DependencyGraph.Edge>> edges, Set<Dependency> kinds) {
    StrongComponents search = new StrongComponents(edges, kinds);
    for (int node = 0; node < edges.size(); node++) {
      if (search.index[node] == 0) {
        search.from(node);
      }
    }
    return search.component;
  }

  private void from(int root) {
    int depth = 0;
    path[0] = root;
    enter(root);
    while (depth >= 0) {
      int node = path[depth];
      if (next[node] < edges.get(node).size()) {
        DependencyGraph.Edge edge = edges.get(node).get(next[node]++);
        if (!kinds.contains(edge.kind())) {
          continue;
        }
        if (index[edge.to()] == 0) {
          path[++depth] = edge.to();
          enter(edge.to());
        } else if (component[edge.to()] < 0) {
          low[node] = Math.min(low[node], index[edge.to()]);
        }
      } else {
        depth--;
        leave(node);
        if (depth >= 0) {
          low[path[depth]] = Math.min(low[path[depth]], low[node]);
        }
      }
    }
  }

  private void enter(int node) {
    index[node] = ++lastIndex;
    low[node] = lastIndex;
    stack[stackSize++] = node;
  }

  private void leave(int node) {
    if (low[node] == index[node]) {
      int popped;
      do {
        popped = stack[--stackSize];
        component[popped] = components;
      } while (popped != node);
      components++;
    }
  }
}
