package io.gpdb.exec.emulated;

/**
 * How the emulated device runs kernels.
 *
 * @param workers threads that run blocks; at least 1
 * @param counting whether every figure of the execution counters is kept (about 1.5 times the time)
 */
public record EmulatedOptions(Mode mode, int workers, boolean counting) {
  public EmulatedOptions {
    if (workers < 1) {
      throw new IllegalArgumentException("workers=" + workers + " is below 1");
    }
  }

  /** Which executor runs a kernel. */
  public enum Mode {
    /** Lane by lane, the judge of the others. */
    REFERENCE,
    /** One operation at a time over the lanes of a block. */
    INTERPRETED,
    /** A hidden class for each kernel. */
    COMPILED,
    /** Interpreted at first, compiled when it pays. */
    AUTO
  }

  public static EmulatedOptions standard() {
    return new EmulatedOptions(Mode.AUTO, Runtime.getRuntime().availableProcessors(), false);
  }
}
