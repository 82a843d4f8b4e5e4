package io.gpdb.bench.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which tests pass which points, and how long they take. It can be kept in a file, which is read as
 * long as the points are the same:
 *
 * <pre>
 * points HASH
 * class HASH MODULE CLASS        then its test methods as the worker listed them, or none
 * ok CPU WALL POINTS ID
 * failed CPU WALL POINTS ID
 * </pre>
 */
final class Coverage {
  /**
   * A test has noticed a change by time when it takes this many times the work that it takes
   * without.
   */
  private static final int TIMES_AS_LONG = 6;

  private static final int MILLIS_MIN = 4_000;

  private final Map<TestClass, List<Test>> tests = new HashMap<>();
  private @Nullable Path file;

  /**
   * A class of tests.
   *
   * @param hash of its class file
   */
  record TestClass(String module, String name, int hash) {
    private String line() {
      return "class " + hash + " " + module + " " + name;
    }
  }

  /** A test method: its unique id, what it takes, whether it passes, and what points it passes. */
  record Test(String id, int cpuMillis, int wallMillis, boolean passes, BitSet passed) {
    /** From a line of the worker's. */
    static Test of(String line) {
      String[] fields = line.split(" ", 5);
      BitSet passed = BitSet.valueOf(Base64.getDecoder().decode(fields[3]));
      int cpuMillis = Integer.parseInt(fields[1]);
      int wallMillis = Integer.parseInt(fields[2]);
      return new Test(fields[4], cpuMillis, wallMillis, fields[0].equals("ok"), passed);
    }

    private String line() {
      String points = Base64.getEncoder().encodeToString(passed.toByteArray());
      return (passes ? "ok " : "failed ")
          + "%d %d %s %s".formatted(cpuMillis, wallMillis, points, id);
    }

    /** As the worker takes it, with its limits. */
    String job() {
      return limit(cpuMillis) + " " + limit(wallMillis) + " " + id;
    }

    private static long limit(int millis) {
      return Math.max(MILLIS_MIN, (long) TIMES_AS_LONG * millis);
    }
  }

  synchronized boolean has(TestClass testClass) {
    return tests.containsKey(testClass);
  }

  synchronized void add(TestClass testClass, List<Test> methods) throws IOException {
    tests.put(testClass, methods);
    if (file != null) {
      append(file, testClass, methods);
    }
  }

  /** A test that fails without any change judges nothing. */
  synchronized List<String> failing() {
    return all().filter(test -> !test.passes()).map(Test::id).sorted().toList();
  }

  synchronized int size() {
    return (int) all().filter(Test::passes).count();
  }

  private Stream<Test> all() {
    return tests.values().stream().flatMap(List::stream);
  }

  /** Those of the module that pass the point, the quickest first. */
  synchronized List<Test> of(String module, int point) {
    return tests.entrySet().stream()
        .filter(e -> e.getKey().module().equals(module))
        .flatMap(e -> e.getValue().stream())
        .filter(test -> test.passes() && test.passed().get(point))
        .sorted(Comparator.comparingInt(Test::cpuMillis))
        .toList();
  }

  /**
   * Takes what the file knows of these classes, if it is of these points; from now on it knows all.
   */
  synchronized void keepIn(Path known, String pointsHash, List<TestClass> wanted)
      throws IOException {
    read(known, "points " + pointsHash, wanted);
    Files.write(known, List.of("points " + pointsHash));
    for (Map.Entry<TestClass, List<Test>> each : tests.entrySet()) {
      append(known, each.getKey(), each.getValue());
    }
    file = known;
  }

  private void read(Path known, String points, List<TestClass> wanted) throws IOException {
    List<String> lines = Files.exists(known) ? Files.readAllLines(known) : List.of("");
    if (!lines.getFirst().equals(points)) {
      return;
    }
    Map<String, TestClass> byLine = new HashMap<>();
    wanted.forEach(testClass -> byLine.put(testClass.line(), testClass));
    List<Test> methods = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith("class ")) {
        methods = new ArrayList<>();
        TestClass testClass = byLine.get(line);
        if (testClass != null) {
          tests.put(testClass, methods);
        }
      } else {
        methods.add(Test.of(line));
      }
    }
  }

  private static void append(Path to, TestClass testClass, List<Test> methods) throws IOException {
    List<String> lines = new ArrayList<>(List.of(testClass.line()));
    methods.forEach(test -> lines.add(test.line()));
    Files.write(to, lines, StandardOpenOption.APPEND);
  }
}
