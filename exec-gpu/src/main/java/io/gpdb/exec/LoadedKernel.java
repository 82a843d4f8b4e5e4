package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;

/** A kernel ready to run on its device. Thread-safe. */
public interface LoadedKernel {
  Kernel kernel();

  /**
   * Runs {@code blocks} blocks and returns when all have ended and what the kernel persisted is
   * durable.
   *
   * @throws KernelTrap after all blocks ended, when a lane trapped
   * @throws IllegalArgumentException when an argument is missing or does not fit the kernel
   */
  void launch(int blocks, Arguments arguments);
}
