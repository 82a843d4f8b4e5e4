package io.gpdb.bench.mutants;

import java.util.BitSet;

/** Notes which places of the instrumented classes were passed. */
public final class Probes {
  private static volatile boolean[] passed = new boolean[0];

  private Probes() {}

  static void reset(int ids) {
    passed = new boolean[ids];
  }

  /** Called by instrumented code, on any thread. */
  public static void hit(int id) {
    boolean[] now = passed;
    if (id < now.length) {
      now[id] = true;
    }
  }

  static BitSet passed() {
    BitSet all = new BitSet();
    boolean[] now = passed;
    for (int id = 0; id < now.length; id++) {
      all.set(id, now[id]);
    }
    return all;
  }
}
