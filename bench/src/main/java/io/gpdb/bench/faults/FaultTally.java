package io.gpdb.bench.faults;

import java.util.Map;
import java.util.TreeMap;

/** How often a fault was injected, and what came of it. */
final class FaultTally {
  final Map<String, Integer> outcomes = new TreeMap<>();
  int injected;

  void count(String outcome) {
    injected++;
    outcomes.merge(outcome, 1, Integer::sum);
  }

  String text() {
    StringBuilder all = new StringBuilder();
    outcomes.forEach((o, n) -> all.append(all.isEmpty() ? "" : ", ").append(o + " " + n));
    return all.toString();
  }
}
