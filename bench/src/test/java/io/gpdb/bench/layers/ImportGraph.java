package io.gpdb.bench.layers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which source files name which classes; a class inside another counts as the outer one. */
final class ImportGraph {
  private final Map<String, Set<String>> imports = new TreeMap<>();

  void add(String from, Collection<String> to) {
    Set<String> known = imports.computeIfAbsent(from, name -> new TreeSet<>());
    known.addAll(to);
    known.remove(from);
  }

  /** The full names of the classes that were read. */
  Set<String> classes() {
    return imports.keySet();
  }

  Set<String> importsOf(String name) {
    return imports.getOrDefault(name, Set.of());
  }

  static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  Set<String> packages() {
    Set<String> packages = new TreeSet<>();
    classes().forEach(name -> packages.add(packageOf(name)));
    return packages;
  }

  /** The rings of all packages that have more files than that. */
  List<Set<String>> ringsOver(int filesMax) {
    return packages().stream()
        .flatMap(name -> rings(name).stream())
        .filter(ring -> ring.size() > filesMax)
        .toList();
  }

  /** Sets of more than one class of the package that all reach each other inside it. */
  List<Set<String>> rings(String inPackage) {
    return new Rings(inPackage).found;
  }

  /** Tarjan, Depth-first search and linear graph algorithms (1972). */
  private final class Rings {
    private final String inPackage;
    private final Map<String, Integer> number = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final List<Set<String>> found = new ArrayList<>();

    Rings(String inPackage) {
      this.inPackage = inPackage;
      for (String name : classes()) {
        if (packageOf(name).equals(inPackage) && !number.containsKey(name)) {
          visit(name);
        }
      }
    }

    private void visit(String name) {
      number.put(name, number.size());
      low.put(name, number.get(name));
      open.push(name);
      for (String next : importsOf(name)) {
        if (!imports.containsKey(next) || !packageOf(next).equals(inPackage)) {
          continue;
        }
        if (!number.containsKey(next)) {
          visit(next);
          low.merge(name, low.get(next), Math::min);
        } else if (open.contains(next)) {
          low.merge(name, number.get(next), Math::min);
        }
      }
      if (low.get(name).equals(number.get(name))) {
        close(name);
      }
    }

    private void close(String name) {
      Set<String> ring = new TreeSet<>();
      while (!ring.contains(name)) {
        ring.add(open.pop());
      }
      if (ring.size() > 1) {
        found.add(ring);
      }
    }
  }
}
