package io.gpdb.storage.column;

/** What an index is made of, and so which look-ups it answers. */
public enum IndexKind {
  /** Finds the rows of a whole key, in no order of keys. */
  HASH('Y', 'N'),

  /** Finds the rows of keys, of the beginnings of keys and of ranges, in the order of keys. */
  ORDERED('U', 'O');

  private final char uniqueTag;
  private final char plainTag;

  IndexKind(char uniqueTag, char plainTag) {
    this.uniqueTag = uniqueTag;
    this.plainTag = plainTag;
  }

  /** The byte of a table's shape that says the kind, and whether keys are unique. */
  public byte tag(boolean unique) {
    return (byte) (unique ? uniqueTag : plainTag);
  }

  /** Whether keys have an order, so that a column is ascending or descending. */
  public boolean isOrdered() {
    return this == ORDERED;
  }

  public static IndexKind ofTag(byte tag) {
    for (IndexKind kind : values()) {
      if (tag == kind.tag(true) || tag == kind.tag(false)) {
        return kind;
      }
    }
    throw new IllegalStateException("index of kind " + tag);
  }

  /**
   * The shape of an index whose kind and uniqueness a byte says.
   *
   * @throws IllegalStateException where no kind has that tag
   */
  public static IndexShape shapeOf(byte tag, int indexId, int[] columns, boolean[] descending) {
    IndexKind kind = ofTag(tag);
    return new IndexShape(indexId, kind, columns, descending, tag == kind.tag(true));
  }
}
