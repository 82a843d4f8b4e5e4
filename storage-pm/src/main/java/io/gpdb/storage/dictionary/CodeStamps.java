package io.gpdb.storage.dictionary;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * For each code of a dictionary the round in which it was last found, assigned or stored. For any
 * thread.
 */
final class CodeStamps {
  private static final int PART_SHIFT = 14;
  private static final int PART_MASK = (1 << PART_SHIFT) - 1;

  private volatile int[][] parts = {};

  /**
   * Whoever looks for codes in use after this call sees the stamp; others have looked before it.
   */
  void stamp(int code, int round) {
    int[] stamps = part(code >>> PART_SHIFT);
    if (stamps[code & PART_MASK] != round) {
      stamps[code & PART_MASK] = round;
      VarHandle.fullFence();
    }
  }

  private int[] part(int number) {
    int[][] known = parts;
    return number < known.length && known[number].length > 0 ? known[number] : made(number);
  }

  private synchronized int[] made(int number) {
    int[][] known = parts;
    if (number >= known.length) {
      known = Arrays.copyOf(known, Math.max(number + 1, known.length * 2));
      for (int i = parts.length; i < known.length; i++) {
        known[i] = new int[0];
      }
    }
    if (known[number].length == 0) {
      known[number] = new int[PART_MASK + 1];
    }
    parts = known;
    return known[number];
  }

  int of(int code) {
    int part = code >>> PART_SHIFT;
    int[][] known = parts;
    return part < known.length && known[part].length > 0 ? known[part][code & PART_MASK] : 0;
  }
}
