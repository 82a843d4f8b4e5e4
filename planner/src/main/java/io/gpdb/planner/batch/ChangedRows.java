package io.gpdb.planner.batch;

/** Takes the rows that a change stores or deletes, in its order, for what it returns of them. */
public interface ChangedRows {
  /** Rows were stored; they are looked at when the change has ended. */
  void stored(long first, int n);

  /**
   * A row is about to be stored again or to make room; if this change stored it, it is looked at
   * now.
   */
  void replacing(long row);

  /** A row is about to be deleted: it is looked at now. */
  void deleting(long row);
}
