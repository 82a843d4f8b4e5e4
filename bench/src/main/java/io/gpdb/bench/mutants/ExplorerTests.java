package io.gpdb.bench.mutants;

import io.gpdb.bench.crash.BoundedExploration;
import io.gpdb.bench.mutants.Coverage.TestClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explorations of the crash explorer in the place of tests: a change that no test has noticed is
 * tried with those that pass its place. The name of one is its setting and its number of states.
 */
final class ExplorerTests {
  /** In the place of a module. */
  static final String STAGE = "explorer";

  /** In whose folder they run. */
  static final String MODULE = "bench";

  /** The classes of the workloads that are explored, and of the media beneath them. */
  private static final List<String> CLASSES =
      List.of("io.gpdb.bench.crash.*", "io.gpdb.simulation.*.*");

  private static final String PREFIX = "explore:";
  private static final long SEED = 1;

  /** As many explorations share the states that a mutant is asked. */
  private static final int SHARES = 8;

  private ExplorerTests() {}

  /** All explorations, which share the given number of states for each mutant; none for 0. */
  static List<TestClass> all(long states, List<Path> mains) throws IOException {
    if (states == 0) {
      return List.of();
    }
    int hash = 0;
    for (String name : TargetClasses.matching(mains, CLASSES)) {
      hash += Arrays.hashCode(TargetClasses.classFile(mains, name));
    }
    List<TestClass> all = new ArrayList<>();
    for (String setting : BoundedExploration.settings(SEED)) {
      String name = PREFIX + Math.ceilDiv(states, SHARES) + ":" + setting;
      all.add(new TestClass(STAGE, name, hash));
    }
    return all;
  }

  /** Those to ask of the ones that pass a place: spread over all of them. */
  static List<Coverage.Test> chosen(List<Coverage.Test> passing) {
    int n = Math.min(SHARES, passing.size());
    List<Coverage.Test> chosen = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      chosen.add(passing.get(i * passing.size() / n));
    }
    return chosen;
  }

  static boolean isOne(String id) {
    return id.startsWith(PREFIX);
  }

  /** Runs one; returns why it failed, or null. */
  static @Nullable Throwable failure(String id) {
    int colon = id.indexOf(':', PREFIX.length());
    long states = Long.parseLong(id, PREFIX.length(), colon, 10);
    try {
      String violation = BoundedExploration.violation(id.substring(colon + 1), states);
      return violation.isEmpty() ? null : new AssertionError(violation);
    } catch (RuntimeException | Error e) {
      return e;
    }
  }
}
