package io.gpdb.bench.mutants;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/** Which tests pass which points, and how long they take. */
final class Coverage {
  private final List<Test> tests = new ArrayList<>();
  private final List<String> failing = new ArrayList<>();

  /** A test method: its unique id, and the points it passes. */
  record Test(String id, int millis, BitSet passed) {
    /** As the worker takes it. */
    String line() {
      return millis + " " + id;
    }
  }

  synchronized void add(Test test) {
    tests.add(test);
  }

  /** A test that fails without any change judges nothing. */
  synchronized void addFailing(String id) {
    failing.add(id);
  }

  synchronized List<String> failing() {
    return List.copyOf(failing);
  }

  synchronized int size() {
    return tests.size();
  }

  /** Those that pass the point, the quickest first. */
  synchronized List<Test> of(int point) {
    return tests.stream()
        .filter(test -> test.passed().get(point))
        .sorted(Comparator.comparingInt(Test::millis))
        .toList();
  }
}
