package io.gpdb.storage.index;

import java.util.function.IntConsumer;

/** Threads that share the pieces of some work. */
@FunctionalInterface
public interface SharedWork {
  /** The calling thread alone. */
  SharedWork ALONE =
      (pieces, piece) -> {
        for (int i = 0; i < pieces; i++) {
          piece.accept(i);
        }
      };

  /**
   * Does piece i for each i below {@code pieces}, in any order, several at a time; returns when all
   * are done, or throws what one that failed has thrown, when none is being done any more.
   */
  void share(int pieces, IntConsumer piece);
}
