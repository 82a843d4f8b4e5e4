package io.gpdb.storage.index;

/**
 * Says that a leaf of an ordered index has entries that are not in their order yet, to those who
 * would read it: they have it sorted, under the index's lock, and look again.
 */
final class UnsortedLeaf extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient OrderedLeaf leaf;

  UnsortedLeaf(OrderedLeaf leaf) {
    super("leaf is to be sorted first", null, false, false);
    this.leaf = leaf;
  }

  OrderedLeaf leaf() {
    return leaf;
  }
}
