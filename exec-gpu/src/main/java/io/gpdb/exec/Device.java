package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.memory.DeviceMemory;
import java.util.function.Supplier;

/** A machine that runs kernels. Thread-safe. */
public interface Device extends AutoCloseable {
  String name();

  /** Verifies the kernel and makes it ready to run; loading an equal kernel again is cheap. */
  LoadedKernel load(Kernel kernel);

  /** The memory that the device's kernels reach. */
  DeviceMemory memory();

  /** A new order of work; its owner closes it. */
  Stream stream();

  /** Sums over all launches since the last reset; only some are kept when counting is off. */
  ExecutionCounters counters();

  /**
   * Does the work with all figures of the launches that this thread makes kept in {@code counters},
   * whether the device counts or not. Counting takes more time.
   */
  <T> T counted(ExecutionCounters counters, Supplier<T> work);

  /** Waits for running launches. */
  @Override
  void close();
}
