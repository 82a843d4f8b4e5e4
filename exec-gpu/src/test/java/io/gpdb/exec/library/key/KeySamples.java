package io.gpdb.exec.library.key;

import io.gpdb.exec.ir.Kernel;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that numbers keys. */
public final class KeySamples {
  private KeySamples() {}

  public static List<Kernel> of() {
    List<Kernel> kernels = new ArrayList<>();
    for (int words = 1; words <= 3; words++) {
      kernels.add(GroupTableKernels.probeKernel(words));
      kernels.add(GroupTableKernels.settleKernel(words));
      kernels.add(GroupTableKernels.insertKernel(words));
    }
    kernels.add(GroupTableKernels.resolveKernel());
    return kernels;
  }
}
