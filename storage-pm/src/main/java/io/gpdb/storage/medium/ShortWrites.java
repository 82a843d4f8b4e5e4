package io.gpdb.storage.medium;

/** How many of its bytes each write of a file takes, for tests and campaigns. */
@FunctionalInterface
public interface ShortWrites {
  /**
   * How many bytes a write takes that is asked to take so many: one to all of them; none is what a
   * medium answers that does not work.
   */
  int taken(int bytes);
}
