package io.gpdb.storage.memory;

/**
 * A store of many bytes, cut into parts. All parts are stored, in any order and by any threads;
 * then one thread ends the store. Between the beginning and the end nobody else stores to that
 * memory.
 */
public interface SharedStore {
  int parts();

  /** Stores one part; a failure poisons the memory, as that of any store. */
  void store(int part);

  /** Stores what is in no part, when all parts are stored, and counts the bytes. */
  void end();
}
