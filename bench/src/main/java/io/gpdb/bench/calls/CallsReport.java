package io.gpdb.bench.calls;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What random calls met: counts, and each kind of defect with its first place. */
public final class CallsReport {
  private static final int DEFECTS_MAX = 200;

  private final Map<String, String> defects = new TreeMap<>();
  private final Set<String> methods = new TreeSet<>();
  private long episodes;
  private long calls;
  private long refused;

  synchronized void episode() {
    episodes++;
  }

  synchronized void called(String method) {
    calls++;
    methods.add(method);
  }

  synchronized void refusal() {
    refused++;
  }

  synchronized void defect(String what, String where) {
    if (defects.size() < DEFECTS_MAX) {
      defects.putIfAbsent(what, where);
    }
  }

  public synchronized Map<String, String> defects() {
    return Map.copyOf(defects);
  }

  public synchronized long episodes() {
    return episodes;
  }

  public synchronized long calls() {
    return calls;
  }

  public synchronized long refused() {
    return refused;
  }

  public synchronized int methods() {
    return methods.size();
  }
}
