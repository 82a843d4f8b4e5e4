package io.gpdb.session;

import io.gpdb.storage.memory.MemoryAccount;

/** Rows that a caller reads while the session goes on. */
public interface OpenResult {
  /** Copies the rows not yet read, because what they come from is about to change. */
  void detach();

  /** Ends the reading, because what they come from is gone. */
  void end();

  /**
   * The transaction is about to commit: ends the reading, or copies the rows not yet read and calls
   * {@link Owner#kept}, so that the result outlives it.
   */
  default void beforeCommit() {
    end();
  }

  /** Called when the rows are no longer read, so that what they need can be released. */
  interface Owner {
    /** Of rows that belong to no statement. */
    Owner NONE =
        new Owner() {
          @Override
          public MemoryAccount memory() {
            return MemoryAccount.current();
          }

          @Override
          public void kept(OpenResult result) {}

          @Override
          public void released(OpenResult result) {}
        };

    /** The account of the rows' memory until they are released. */
    MemoryAccount memory();

    /** The rows are copied: nothing is needed any more but their memory. */
    void kept(OpenResult result);

    void released(OpenResult result);
  }
}
