package io.gpdb.exec.library.base;

/**
 * Loops of the host over many elements, some at a call. HotSpot's second compiler takes a method
 * after 600 calls; a loop of more turns runs long in code that counts in memory which all threads
 * share.
 */
public final class HostLoop {
  /** As many turns as a loop should make at a call; a multiple of the bits of a bitmap's word. */
  public static final int CALL_TURNS = 256;

  private HostLoop() {}

  /** Some turns of a loop. */
  @FunctionalInterface
  public interface Turns {
    void run(int from, int end);
  }

  /** Makes the turns {@code from} to {@code end}-1, in order. */
  public static void run(int from, int end, Turns turns) {
    for (int i = from; i < end; i += CALL_TURNS) {
      turns.run(i, Math.min(end, i + CALL_TURNS));
    }
  }
}
