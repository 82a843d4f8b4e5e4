package io.gpdb.storage.tablet;

/**
 * Whether a table's memory is as it was when the mark was set: the same bytes in the same buffers.
 * Of {@link ChangeMarks}.
 */
public final class ChangeMark {
  private volatile boolean changed;

  ChangeMark() {}

  /**
   * False from the moment on in which anybody begins to change a tablet. A true answer holds for
   * all that was read before, also by work that somebody else did and that has ended.
   */
  public boolean isCurrent() {
    return !changed;
  }

  void end() {
    changed = true;
  }
}
