package io.gpdb.exec.library.join;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that joins. */
public final class JoinSamples {
  private final List<Kernel> kernels = new ArrayList<>();
  private final SampleLanes lanes;

  private JoinSamples(SampleLanes lanes) {
    this.lanes = lanes;
  }

  public static List<Kernel> of(SampleLanes lanes) {
    JoinSamples samples = new JoinSamples(lanes);
    samples.joins();
    return samples.kernels;
  }

  private void joins() {
    for (GridHashJoin.Kind kind : GridHashJoin.Kind.values()) {
      GridHashJoin join =
          new GridHashJoin(
              lanes.device(),
              "join",
              kind,
              lanes.inputs(),
              lanes.columns(),
              lanes.inputs(),
              lanes.columns());
      for (LaneVariant variant : lanes.variants()) {
        JoinProbe.Form.ALL.forEach(form -> kernels.add(join.probe.kernel(form, variant)));
      }
      kernels.add(join.staging.kernel(LaneVariant.full(lanes.inputs())));
    }
    for (int words = 1; words <= 3; words++) {
      kernels.add(KeyRankKernels.extremesKernel(words));
      kernels.add(KeyRankKernels.markKernel(words));
      kernels.add(KeyRankKernels.groupKernel(words));
      kernels.add(KeyRankKernels.orderKernel(words));
    }
    kernels.add(PairKernels.countKernel());
    kernels.add(PairKernels.writeKernel());
    kernels.add(JoinKernels.participantsKernel());
    kernels.add(JoinKernels.countKernel());
    kernels.add(JoinKernels.placeKernel());
  }
}
