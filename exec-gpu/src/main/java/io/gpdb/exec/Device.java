package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.memory.DeviceMemory;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** A machine that runs kernels. Thread-safe. */
public interface Device extends AutoCloseable {
  String name();

  /** Verifies the kernel and makes it ready to run; loading an equal kernel again is cheap. */
  LoadedKernel load(Kernel kernel);

  /**
   * How many rows a plan may read at most for its kernels to be left to the host, see {@link
   * io.gpdb.storage.memory.MemoryAccount#worksOnHost}; 0 where the host runs all or none.
   */
  default long hostRows() {
    return 0;
  }

  /** Returns when all that was given to the device has ended. */
  default void finish() {}

  /** The memory that the device's kernels reach. */
  DeviceMemory memory();

  /** A new order of work; its owner closes it. */
  Stream stream();

  /** Sums over all launches since the last reset; only some are kept when counting is off. */
  ExecutionCounters counters();

  /**
   * Does the work with the figures of the launches that this thread makes kept in {@code counters},
   * whether the device counts or not. Counting in blocks takes more time.
   */
  <T> T counted(ExecutionCounters counters, Supplier<T> work);

  /**
   * Does work of the host: piece i for each i below {@code pieces}, in any order, on as many
   * threads as the device has for it. Returns when all are done, or throws what one that failed has
   * thrown, when none is being done any more. All threads work under the caller's stop signal and
   * for its memory account.
   */
  default void share(int pieces, IntConsumer piece) {
    for (int i = 0; i < pieces; i++) {
      piece.accept(i);
    }
  }

  /**
   * Kernels over a million rows or more may be launched soon: readies in the background what makes
   * first ones fast. Cheap when called again.
   */
  default void expectScans() {}

  /** Waits for running launches. */
  @Override
  void close();
}
