package io.gpdb.storage.index;

/** Where entries belong among the leaves of an ordered index, and what is next to them. */
final class LeafSearch {
  private LeafSearch() {}

  /** The last leaf whose low is not above the probe, which is an entry. */
  static int find(OrderedLeaf[] leaves, byte[] probe, int start, int length) {
    return find(leaves, probe, start, length, false);
  }

  /**
   * As {@link #find(OrderedLeaf[], byte[], int, int)}, probably a few leaves behind a first one.
   */
  static int findFrom(OrderedLeaf[] leaves, int first, byte[] probe, int start, int length) {
    int at = first;
    if (at >= leaves.length || !leaves[at].isNotAbove(probe, start, length, false)) {
      return find(leaves, probe, start, length);
    }
    for (int steps = 0; steps < 4; steps++) {
      if (at + 1 == leaves.length || !leaves[at + 1].isNotAbove(probe, start, length, false)) {
        return at;
      }
      at++;
    }
    return find(leaves, probe, start, length);
  }

  /**
   * The last leaf whose low is not above the probe; {@code behind} says that lows that begin with
   * the probe are not above it.
   */
  static int find(OrderedLeaf[] leaves, byte[] probe, int start, int length, boolean behind) {
    int from = 1;
    int to = leaves.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (leaves[middle].isNotAbove(probe, start, length, behind)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  /** Whether the entry before entry i of a leaf, which may be in another leaf, has the key. */
  static boolean hasKeyBefore(
      OrderedLeaf[] leaves, int leaf, int i, byte[] key, int start, int keyLength) {
    int at = leaf;
    int before = i - 1;
    while (before < 0 && --at >= 0) {
      before = OrderedLeaf.count(leaves[at].bytes()) - 1;
    }
    return before >= 0 && OrderedLeaf.hasKey(leaves[at].bytes(), before, key, start, keyLength);
  }

  /** Whether entry i of a leaf, or where it has no more the next one, has the key. */
  static boolean hasKeyFrom(
      OrderedLeaf[] leaves, int leaf, int i, byte[] key, int start, int keyLength) {
    int at = leaf;
    int next = i;
    while (next >= OrderedLeaf.count(leaves[at].bytes())) {
      next = 0;
      if (++at >= leaves.length) {
        return false;
      }
    }
    return OrderedLeaf.hasKey(leaves[at].bytes(), next, key, start, keyLength);
  }
}
