package io.gpdb.exec;

/**
 * The groups of a launch as a device hands them to a kernel: launched again, they are not bound
 * again. Used by one thread at a time.
 *
 * <p>What a kernel reads is used where it was, whatever has become of it: the caller knows that it
 * is the same, or throws the results away. Memory that was freed holds anything, but a launch that
 * reads it does no harm.
 */
public interface KeptLaunch {
  /**
   * As {@link LoadedKernel#enqueue}, with the same arguments but for those that {@code first} says
   * anew, the arguments of the first group: scalars that all groups had in common, and buffers that
   * the kernel writes, of which each group's is as far from the first one's as it was.
   *
   * @return whether it was launched; false where the device has moved what the kernel reads
   */
  boolean enqueue(Arguments first);

  /** Whether the device has not moved what the kernel reads: asked when the launch has ended. */
  boolean isCurrent();
}
