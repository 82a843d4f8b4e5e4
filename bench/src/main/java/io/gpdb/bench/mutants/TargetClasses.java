package io.gpdb.bench.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The classes that are changed, and their points, numbered through. */
final class TargetClasses {
  private final Map<String, byte[]> files = new HashMap<>();
  private final Map<String, List<MutationPoint>> points = new HashMap<>();
  private final Map<String, Integer> firstIds = new HashMap<>();
  private final List<MutationPoint> all = new ArrayList<>();

  /**
   * @param roots folders of class files
   * @param names of the classes, with dots
   */
  TargetClasses(List<Path> roots, List<String> names) throws IOException {
    for (String name : names) {
      byte[] file = classFile(roots, name);
      if (file == null) {
        throw new IllegalArgumentException("no class " + name + " in " + roots);
      }
      files.put(name, file);
      List<MutationPoint> own = PointFinder.points(file);
      points.put(name, own);
      firstIds.put(name, all.size());
      all.addAll(own);
    }
  }

  /** Names of the classes of a folder that match one of the patterns, with those nested in them. */
  static List<String> matching(List<Path> roots, List<String> patterns) throws IOException {
    List<String> expressions =
        patterns.stream()
            .map(p -> p.replace(".", "\\.").replace("*", "[^$]*") + "(\\$.*)?")
            .toList();
    List<String> names = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .map(file -> root.relativize(file).toString())
            .filter(file -> file.endsWith(".class"))
            .map(file -> file.substring(0, file.length() - 6).replace('/', '.'))
            .filter(name -> expressions.stream().anyMatch(name::matches))
            .sorted()
            .forEach(names::add);
      }
    }
    return names;
  }

  /** All points; a point's id is its place here. */
  List<MutationPoint> points() {
    return all;
  }

  /** Differs when the points or the classes do. */
  String hash() {
    int sum = all.toString().hashCode();
    for (byte[] file : files.values()) {
      sum += Arrays.hashCode(file);
    }
    return Integer.toHexString(sum);
  }

  MutationPoint point(String id) {
    int hash = id.lastIndexOf('#');
    List<MutationPoint> own = points.get(id.substring(0, hash));
    int index = Integer.parseInt(id.substring(hash + 1));
    if (own == null || index >= own.size()) {
      throw new IllegalArgumentException("no mutant " + id);
    }
    return own.get(index);
  }

  /** The class with that one change. */
  byte[] mutant(MutationPoint point) {
    return change().mutate(original(point.className()), point);
  }

  byte[] original(String className) {
    byte[] file = files.get(className);
    if (file == null) {
      throw new IllegalArgumentException("no class " + className);
    }
    return file;
  }

  /** All classes, with a probe before each point. */
  Map<String, byte[]> withProbes() {
    ClassChange change = change();
    Map<String, byte[]> changed = new HashMap<>();
    for (String name : files.keySet()) {
      List<MutationPoint> own = points.getOrDefault(name, List.of());
      int firstId = firstIds.getOrDefault(name, 0);
      changed.put(name, change.withProbes(original(name), own, firstId));
    }
    return changed;
  }

  private static ClassChange change() {
    return new ClassChange(TargetClasses.class.getClassLoader());
  }

  static byte @Nullable [] classFile(List<Path> roots, String name) throws IOException {
    for (Path root : roots) {
      Path file = root.resolve(name.replace('.', '/') + ".class");
      if (Files.isRegularFile(file)) {
        return Files.readAllBytes(file);
      }
    }
    return null;
  }
}
