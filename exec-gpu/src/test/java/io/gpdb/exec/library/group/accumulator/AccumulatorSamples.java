package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.ir.Kernel;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that works on accumulators, whatever the plan. */
public final class AccumulatorSamples {
  private AccumulatorSamples() {}

  public static List<Kernel> of() {
    List<Kernel> kernels = new ArrayList<>(GroupColumnKernels.samples());
    kernels.add(GroupFloatSums.pairKernel());
    kernels.add(GroupFloatSums.sumKernel());
    kernels.add(RunSums.boundsKernel());
    kernels.add(RunSums.sumKernel());
    return kernels;
  }
}
