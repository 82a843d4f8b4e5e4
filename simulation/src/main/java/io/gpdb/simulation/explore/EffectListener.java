package io.gpdb.simulation.explore;

/**
 * Told by the explore executor of every persistent effect of a kernel, before it happens: between
 * any two of them the power may fail. Called by the launching thread.
 */
@FunctionalInterface
public interface EffectListener {
  /** What is about to happen. */
  enum Effect {
    /** A store to a buffer with a persist target. */
    STORE,
    FENCE_BLOCK,
    FENCE_DEVICE,
    FENCE_SYSTEM,
    PERSIST_WORKITEM,
    PERSIST_WORKGROUP,
    PERSIST_KERNEL
  }

  /**
   * Tells of one effect.
   *
   * @param buffer the name of the buffer stored to; empty for fences and persist barriers
   * @param offset bytes from the buffer's start
   */
  void before(Effect effect, String kernel, int block, int warp, String buffer, long offset);
}
