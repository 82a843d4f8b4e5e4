package io.gpdb.txn.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds a row's update and delete versions, newest first. Every row of a version has a slot, slots
 * are numbered in the order of the writes; a hash table holds each row's newest slot, and each slot
 * the one before it of the same row.
 */
final class RowHeads {
  private static final int SMALLEST = 16;

  private final List<UndoVersion> versions = new ArrayList<>();
  private int[] firstSlots = new int[4];
  private int[] keys = new int[SMALLEST];
  private int[] heads = new int[SMALLEST];
  private int[] previous = new int[SMALLEST];
  private int rowCount;
  private int slotCount;

  int versionCount() {
    return versions.size();
  }

  void add(UndoVersion version) {
    if (versions.size() == firstSlots.length) {
      firstSlots = Arrays.copyOf(firstSlots, firstSlots.length * 2);
    }
    firstSlots[versions.size()] = slotCount;
    versions.add(version);
    int n = version.n();
    if (slotCount + n > previous.length) {
      previous = Arrays.copyOf(previous, Math.max(previous.length * 2, slotCount + n));
    }
    reserve(rowCount + n);
    for (int i = 0; i < n; i++) {
      int at = position(version.rows().intAt(i));
      previous[slotCount] = heads[at] - 1;
      if (keys[at] == 0) {
        keys[at] = version.rows().intAt(i) + 1;
        rowCount++;
      }
      heads[at] = ++slotCount;
    }
  }

  private void reserve(int rows) {
    if (rows * 2L <= keys.length) {
      return;
    }
    int size = Integer.highestOneBit(rows * 2 - 1) << 1;
    int[] oldKeys = keys;
    int[] oldHeads = heads;
    keys = new int[size];
    heads = new int[size];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int at = position(oldKeys[i] - 1);
        keys[at] = oldKeys[i];
        heads[at] = oldHeads[i];
      }
    }
  }

  /** Where the row is, or the free place where it belongs. */
  private int position(int row) {
    int mask = keys.length - 1;
    int at = ((row * 0x9e3779b9) >>> 8) & mask;
    while (keys[at] != 0 && keys[at] != row + 1) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** The row's newest slot, or -1. */
  int head(int row) {
    return heads[position(row)] - 1;
  }

  /** The next older slot of the same row, or -1. */
  int previous(int slot) {
    return previous[slot];
  }

  UndoVersion version(int slot) {
    return versions.get(indexOf(slot));
  }

  /** The slot's position in its version's lists. */
  int position(UndoVersion version, int slot) {
    int index = indexOf(slot);
    assert versions.get(index) == version : "slot " + slot + " is of another version";
    return slot - firstSlots[index];
  }

  private int indexOf(int slot) {
    int found = Arrays.binarySearch(firstSlots, 0, versions.size(), slot);
    return found >= 0 ? found : -found - 2;
  }
}
