package io.gpdb.simulation.explore;

/**
 * The explore executor calls it before every persistent effect of a kernel: between any two of them
 * the power may fail. The launching thread makes the call.
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
   * Reports one effect.
   *
   * @param buffer the name of the buffer stored to; empty for fences and persist barriers
   * @param offset bytes from the buffer's start
   */
  void before(Effect effect, String kernel, int block, int warp, String buffer, long offset);
}
