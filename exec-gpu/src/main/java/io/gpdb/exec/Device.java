package io.gpdb.exec;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel;

/** A machine that runs kernels. Thread-safe. */
public interface Device extends AutoCloseable {
  String name();

  /** Verifies the kernel and makes it ready to run; loading an equal kernel again is cheap. */
  LoadedKernel load(Kernel kernel);

  /** Sums over all launches since the last reset; only some are kept when counting is off. */
  ExecutionCounters counters();

  /** Waits for running launches. */
  @Override
  void close();

  /** The device that every machine has: worker threads that run blocks as warps of 32 lanes. */
  static Device emulated(EmulatedOptions options) {
    return new EmulatedDevice(options);
  }
}
