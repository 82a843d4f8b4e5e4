package io.gpdb.storage;

/** Every row that belongs in an index, with the hash of its key. */
public interface RowKeys {
  /** Passes all of them to {@code sink}, in any order. */
  void forEach(Sink sink);

  /** Takes one key. */
  interface Sink {
    void key(long hash, long row);
  }
}
