package io.gpdb.simulation.medium;

/** Called before every act on a {@link CrashableDirectory}. */
@FunctionalInterface
public interface PersistListener {
  /** What is about to happen. */
  enum Act {
    STORE,
    FLUSH,
    DRAIN,
    GROW,
    SHRINK,
    NAMES
  }

  void before(Act act, String memory, long offset, long bytes);
}
