package io.gpdb.bench.crash;

import java.util.function.Supplier;

/**
 * Kills a process between two of its acts: no further act happens until it is started again. Unlike
 * a loss of power this loses nothing that was stored, and makes nothing durable.
 */
final class ProcessDeath {
  private static final String NEVER = "";

  private String act = NEVER;
  private int left;
  private boolean happened;

  /** What a killed process sees of its next act. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  /** Before each act; {@code place} begins with what it is. */
  synchronized void beforeAct(Supplier<String> place) {
    boolean now = !act.equals(NEVER) && place.get().startsWith(act) && left-- <= 0;
    if (happened || now) {
      happened = true;
      throw new Killed();
    }
  }

  /**
   * The process dies before an act at a place that begins so, when that number of them have
   * happened.
   */
  synchronized void before(String place, int acts) {
    act = place;
    left = acts;
    happened = false;
  }

  /** The process lives, or another one does. */
  synchronized void never() {
    act = NEVER;
    happened = false;
  }

  synchronized boolean hasHappened() {
    return happened;
  }
}
