package io.gpdb.exec.library.base;

/**
 * Loops of the host over many elements, some at a call. HotSpot's second compiler takes a method
 * after 600 calls; a loop of more turns runs long in code that counts in memory which all threads
 * share. So the first calls of a loop, which is told by the class of its function, make few turns.
 */
public final class HostLoop {
  /** As many turns as a loop should make at a call; a multiple of the bits of a bitmap's word. */
  public static final int CALL_TURNS = 256;

  /** As many as it makes at its first calls: the bits of a bitmap's word. */
  static final int FRESH_TURNS = 32;

  /** By then the compiler has been asked. */
  static final int FRESH_CALLS = 2000;

  private static final class Calls {
    int made; // races only delay the change
  }

  private static final ClassValue<Calls> OF_CLASSES =
      new ClassValue<>() {
        @Override
        protected Calls computeValue(Class<?> turns) {
          return new Calls();
        }
      };

  private HostLoop() {}

  /** Some turns of a loop. */
  @FunctionalInterface
  public interface Turns {
    void run(int from, int end);
  }

  /** Makes the turns {@code from} to {@code end}-1, in order. */
  public static void run(int from, int end, Turns turns) {
    Calls calls = OF_CLASSES.get(turns.getClass());
    int i = from;
    for (; i < end && calls.made < FRESH_CALLS; i += FRESH_TURNS) {
      calls.made++;
      turns.run(i, Math.min(end, i + FRESH_TURNS));
    }
    for (; i < end; i += CALL_TURNS) {
      turns.run(i, Math.min(end, i + CALL_TURNS));
    }
  }
}
