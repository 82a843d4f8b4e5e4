package io.gpdb.session;

import io.gpdb.storage.memory.MemoryAccount;

/** Rows that a caller reads while the session goes on. */
public interface OpenResult {
  /** Copies the rows not yet read, because what they come from is about to change. */
  void detach();

  /** Ends the reading, because what they come from is gone. */
  void end();

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
          public void released(OpenResult result) {}
        };

    /** The account of the rows' memory until they are released. */
    MemoryAccount memory();

    void released(OpenResult result);
  }
}
