package io.gpdb.storage.column;

/** What an index is made of, and so which look-ups it answers. */
public enum IndexKind {
  /** Finds the rows of a whole key, in no order of keys. */
  HASH('Y', 'N');

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

  /**
   * The shape of an index whose kind and uniqueness a byte says.
   *
   * @throws IllegalStateException where no kind has that tag
   */
  public static IndexShape shapeOf(byte tag, int indexId, int[] columns) {
    for (IndexKind kind : values()) {
      if (tag == kind.tag(true) || tag == kind.tag(false)) {
        return new IndexShape(indexId, kind, columns, tag == kind.tag(true));
      }
    }
    throw new IllegalStateException("index of kind " + tag);
  }
}
