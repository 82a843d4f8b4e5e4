package io.gpdb.exec.library.sort;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/**
 * The first few of some rows by their words, chosen on the host in one pass: a heap keeps the best
 * so far, its last one on top. Called by {@link Top}, where sorting all rows would take a launch
 * for each digit. Used by one thread.
 */
final class FirstRows {
  private final List<HostBuffer> words;
  private final int[] heap;
  private int size;

  /** The words of a row are unsigned, most significant first; equal rows keep their order. */
  private FirstRows(List<HostBuffer> words, int limit) {
    this.words = words;
    heap = new int[limit];
  }

  /** The first {@code limit} of {@code count} rows, or all of them, in order. */
  static int[] of(List<HostBuffer> words, int count, int limit) {
    FirstRows first = new FirstRows(words, Math.min(limit, count));
    for (int row = 0; row < count; row++) {
      StopSignal.poll(row);
      first.offer(row);
    }
    return first.sorted();
  }

  private void offer(int row) {
    if (size < heap.length) {
      heap[size++] = row;
      if (size == heap.length) {
        for (int i = size / 2 - 1; i >= 0; i--) {
          sink(i);
        }
      }
    } else if (isBefore(row, heap[0])) {
      heap[0] = row;
      sink(0);
    }
  }

  private int[] sorted() {
    while (size > 1) {
      int last = heap[0];
      heap[0] = heap[--size];
      sink(0);
      heap[size] = last;
    }
    return heap;
  }

  private void sink(int from) {
    int moved = heap[from];
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child], heap[child + 1])) {
        child++;
      }
      if (!isBefore(moved, heap[child])) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  }

  private boolean isBefore(int row, int other) {
    for (HostBuffer word : words) {
      int order = Long.compareUnsigned(word.longAt(row), word.longAt(other));
      if (order != 0) {
        return order < 0;
      }
    }
    return row < other;
  }
}
