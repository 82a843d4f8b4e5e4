package io.gpdb.planner.batch;

import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import java.util.function.LongFunction;
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

  /**
   * Says, before the first batch, that all of them will be asked for, as many together as there
   * are: none need come early.
   */
  default void expectAll() {}

  /**
   * Says, before the first batch, where numbers of rows in their tablets are to be left: memory
   * that is good for longer than the batch. Whether they are there, {@link Batch#inTablet} says.
   *
   * @param memory returns room of the given number of bytes
   */
  default void leaveRows(LongFunction<HostBuffer> memory) {}

  @Override
  public void close();

  /** A stream of one batch, or of none. */
  static Batches of(@Nullable Batch only) {
    return ofAll(only == null ? List.of() : List.of(only));
  }

  /** A stream of some batches. */
  static Batches ofAll(List<Batch> all) {
    return new Batches() {
      private int next;

      @Override
      public @Nullable Batch next() {
        return next == all.size() ? null : all.get(next++);
      }

      @Override
      public void close() {
        all.subList(next, all.size()).forEach(Batch::close);
        next = all.size();
      }
    };
  }
}
