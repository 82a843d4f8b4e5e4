package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kernel ready to run on its device. Thread-safe. */
public interface LoadedKernel {
  Kernel kernel();

  /** Launches one group, see {@link #launch(List)}. */
  default void launch(int blocks, Arguments arguments) {
    launch(List.of(new LaunchGroup(blocks, arguments)));
  }

  /**
   * Runs the blocks of all groups, in any order and at any time, and returns when all have ended
   * and what the kernel persisted is durable. What groups share they only read, or change by
   * atomics.
   *
   * @throws KernelTrap after all blocks ended, when a lane trapped: the smallest of all groups
   * @throws IllegalArgumentException when an argument is missing or does not fit the kernel
   */
  void launch(List<LaunchGroup> groups);

  /**
   * As {@link #launch(List)}, but may return earlier: what any thread does later with the device's
   * memory comes after the blocks, and what they do to the host's memory has ended. An index
   * outside its buffer, which is a mistake of the caller's, may be thrown by a later call. Traps
   * that the kernel's text asks for are thrown by this one.
   */
  default void enqueue(List<LaunchGroup> groups) {
    launch(groups);
  }

  /**
   * Keeps what the groups bind, for later launches of the same buffers; null where the device gains
   * nothing by it, or where a buffer is not in memory that stays the device's while it is open.
   */
  default @Nullable KeptLaunch keep(List<LaunchGroup> groups) {
    return null;
  }
}
