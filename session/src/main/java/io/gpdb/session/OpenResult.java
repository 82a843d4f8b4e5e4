package io.gpdb.session;

/** Rows that a caller reads while the session goes on. */
public interface OpenResult {
  /** Copies the rows not yet read, because what they come from is about to change. */
  void detach();

  /** Ends the reading, because what they come from is gone. */
  void end();

  /** Is told when the rows are no longer read, so that what they need can be let go. */
  interface Owner {
    Owner NONE = result -> {};

    void released(OpenResult result);
  }
}
