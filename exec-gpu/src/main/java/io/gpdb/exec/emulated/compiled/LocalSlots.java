package io.gpdb.exec.emulated.compiled;

import java.util.Arrays;

/** Which local variable of generated code holds each of some numbered things. */
final class LocalSlots {
  private int[] slots = new int[0];

  boolean has(int number) {
    return number < slots.length && slots[number] >= 0;
  }

  void put(int number, int slot) {
    if (number >= slots.length) {
      int before = slots.length;
      slots = Arrays.copyOf(slots, Math.max(number + 1, before * 2));
      Arrays.fill(slots, before, slots.length, -1);
    }
    slots[number] = slot;
  }

  int get(int number) {
    if (!has(number)) {
      throw new IllegalStateException("no local for number " + number);
    }
    return slots[number];
  }
}
