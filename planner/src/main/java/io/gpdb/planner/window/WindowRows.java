package io.gpdb.planner.window;

/** The rows that windows are over, in memory or not, and the room for what calls return. */
interface WindowRows {
  int count();

  /** Where all rows are in memory, for one thread alone; else the one for all who ask. */
  WindowColumn column(int field);

  /** Room for the results of a call. */
  WindowOutput output(WindowGroup.Placed placed);

  /** Says that a call has returned all of its results. */
  void put(WindowGroup.Placed placed, WindowOutput output);

  /** Whether all rows are in memory, where many threads may read them. */
  boolean areHeld();
}
