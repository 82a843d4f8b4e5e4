package io.gpdb.storage.table;

/**
 * The entries that a batch of keys makes in an ordered index, in its order. Keys that are equal
 * stay in the order of their rows.
 */
final class SortedEntries {
  private final KeyBytes bytes;
  private final int[] starts;
  private final int[] order;

  private SortedEntries(KeyBytes bytes, int[] starts, int[] order) {
    this.bytes = bytes;
    this.starts = starts;
    this.order = order;
  }

  static SortedEntries of(OrderedKeys keys, KeyBatch batch, long firstRow) {
    int n = batch.n();
    KeyBytes bytes = new KeyBytes((int) Math.min(Integer.MAX_VALUE / 4, (long) n * keys.room()));
    int[] starts = new int[n + 1];
    int[] order = new int[n];
    boolean sorted = true;
    for (int i = 0; i < n; i++) {
      keys.append(bytes, batch, i);
      bytes.addRow(firstRow + i);
      starts[i + 1] = bytes.length();
      order[i] = i;
      sorted = sorted && (i == 0 || compare(bytes, starts, i - 1, i) < 0);
    }
    if (!sorted) {
      sort(bytes, starts, order);
    }
    return new SortedEntries(bytes, starts, order);
  }

  private static int compare(KeyBytes bytes, int[] starts, int a, int b) {
    byte[] array = bytes.array();
    return KeyBytes.compare(
        array, starts[a], starts[a + 1] - starts[a], array, starts[b], starts[b + 1] - starts[b]);
  }

  /** Merges runs of 1, 2, 4, … entries. */
  private static void sort(KeyBytes bytes, int[] starts, int[] order) {
    int n = order.length;
    int[] from = order;
    int[] to = new int[n];
    for (int run = 1; run < n; run *= 2) {
      for (int left = 0; left < n; left += 2 * run) {
        merge(bytes, starts, from, to, left, Math.min(n, left + run), Math.min(n, left + 2 * run));
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    System.arraycopy(from, 0, order, 0, n); // may be the same
  }

  private static void merge(
      KeyBytes bytes, int[] starts, int[] from, int[] to, int left, int middle, int end) {
    int a = left;
    int b = middle;
    for (int i = left; i < end; i++) {
      boolean takesLeft = b >= end || (a < middle && compare(bytes, starts, from[a], from[b]) <= 0);
      to[i] = takesLeft ? from[a++] : from[b++];
    }
  }

  byte[] bytes() {
    return bytes.array();
  }

  /** Where entry i of the order begins. */
  int start(int i) {
    return starts[order[i]];
  }

  int length(int i) {
    return starts[order[i] + 1] - starts[order[i]];
  }

  /** The place in the batch of entry i of the order. */
  int position(int i) {
    return order[i];
  }
}
