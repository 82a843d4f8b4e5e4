package io.gpdb.exec.ir;

/** Decides whether a kernel is well-formed. */
public final class KernelVerifier {
  private KernelVerifier() {}

  /** Throws when the kernel breaks a rule. */
  public static void verify(Kernel kernel) {
    if (kernel.blockSize() % Op.WARP_LANES != 0) {
      throw new IllegalArgumentException("blockSize=" + kernel.blockSize());
    }
  }
}
