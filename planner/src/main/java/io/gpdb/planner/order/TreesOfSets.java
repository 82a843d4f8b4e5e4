package io.gpdb.planner.order;

import org.jspecify.annotations.Nullable;

/** A tree for each of some sets of relations: a hash table with linear probing. */
final class TreesOfSets {
  private static final int BITS_AT_FIRST = 6;

  /** Spreads the numbers of sets: 2 to the 64th by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private int bits = BITS_AT_FIRST;
  private @Nullable JoinTree[] trees = new JoinTree[1 << bits];
  private int size;

  @Nullable JoinTree get(long set) {
    return trees[slot(set)];
  }

  /** Keeps the tree for its relations, in place of another one. */
  void put(JoinTree tree) {
    int slot = slot(tree.relations());
    size += trees[slot] == null ? 1 : 0;
    trees[slot] = tree;
    if (size > trees.length / 2) {
      grow();
    }
  }

  private int slot(long set) {
    int slot = (int) ((set * SPREAD) >>> (Long.SIZE - bits));
    JoinTree there = trees[slot];
    while (there != null && there.relations() != set) {
      slot = (slot + 1) & (trees.length - 1);
      there = trees[slot];
    }
    return slot;
  }

  private void grow() {
    @Nullable JoinTree[] before = trees;
    bits++;
    trees = new JoinTree[1 << bits];
    for (JoinTree tree : before) {
      if (tree != null) {
        trees[slot(tree.relations())] = tree;
      }
    }
  }
}
