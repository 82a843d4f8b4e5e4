package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Op.PersistScope;

/** Takes what the lanes of one block do to PERSISTENT buffers, each time before it is done. */
public interface PersistEffects {
  void storing(int lane, int buffer, long offset, int bytes);

  void fencing(FenceScope scope, boolean[] active);

  void persisting(PersistScope scope, boolean[] active);

  /** What blocks that are not explored do: lines are gathered for the thread. */
  static PersistEffects gatheredBy(BlockPersists persists) {
    return new PersistEffects() {
      @Override
      public void storing(int lane, int buffer, long offset, int bytes) {
        persists.stored(buffer, offset, bytes);
      }

      @Override
      public void fencing(FenceScope scope, boolean[] active) {}

      @Override
      public void persisting(PersistScope scope, boolean[] active) {
        persists.persist(scope);
      }
    };
  }
}
