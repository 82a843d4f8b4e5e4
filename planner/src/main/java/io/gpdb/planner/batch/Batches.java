package io.gpdb.planner.batch;

import org.jspecify.annotations.Nullable;

/** A stream of batches; a batch is closed before the next is asked for. */
public interface Batches extends AutoCloseable {
  /** The next batch, null at the end. A batch may be empty. */
  @Nullable Batch next();

  /**
   * The next batch while those before it are open, for one launch over all of them; null where it
   * cannot be had so, and at the end: {@link #next} says which. After an error of memory the batch
   * is still to come.
   */
  default @Nullable Batch nextTogether() {
    return null;
  }

  @Override
  public void close();

  /** A stream of one batch, or of none. */
  static Batches of(@Nullable Batch only) {
    return new Batches() {
      private @Nullable Batch left = only;

      @Override
      public @Nullable Batch next() {
        Batch batch = left;
        left = null;
        return batch;
      }

      @Override
      public void close() {
        if (left != null) {
          left.close();
        }
      }
    };
  }
}
