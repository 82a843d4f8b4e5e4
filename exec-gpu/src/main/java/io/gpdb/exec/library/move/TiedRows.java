package io.gpdb.exec.library.move;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/** Rows of an order that are sorted by comparing their words: a merge sort. */
final class TiedRows {
  private final List<HostBuffer> words;
  private final HostBuffer order;

  TiedRows(List<HostBuffer> words, HostBuffer order) {
    this.words = words;
    this.order = order;
  }

  /** Sorts those at places {@code from} to {@code to}-1; equal ones keep their order. */
  void sort(int from, int to) {
    int[] rows = new int[to - from];
    order.read(from, rows, 0, rows.length);
    sort(rows, rows.clone(), 0, rows.length);
    order.write(from, rows, 0, rows.length);
  }

  /** Both arrays have the same rows at first; they come into {@code to}. */
  private void sort(int[] to, int[] from, int first, int end) {
    if (end - first < 2) {
      return;
    }
    StopSignal.poll(first);
    int middle = (first + end) >>> 1;
    sort(from, to, first, middle);
    sort(from, to, middle, end);
    int left = first;
    int right = middle;
    for (int i = first; i < end; i++) {
      boolean takesLeft = right == end || (left < middle && !isBefore(from[right], from[left]));
      to[i] = takesLeft ? from[left++] : from[right++];
    }
  }

  private boolean isBefore(int row, int other) {
    for (HostBuffer word : words) {
      int order = Long.compareUnsigned(word.longAt(row), word.longAt(other));
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
  }
}
