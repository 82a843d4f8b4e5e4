package io.gpdb.exec.library.join;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import io.gpdb.exec.library.scan.GridFilterProject;
import java.util.ArrayList;
import java.util.BitSet;
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

  /** A filter whose second column is in rows that the kernel looks up. */
  private Kernel fused(GridHashJoin join, JoinProbe.Form form, LaneVariant variant) {
    BitSet inputs = new BitSet();
    inputs.set(1);
    FusedProbe.Shape shape =
        new FusedProbe.Shape(join.kind, lanes.inputs(), join.buildWords, form, variant, inputs);
    return new GridFilterProject(
            lanes.device(),
            "fused",
            lanes.inputs(),
            lanes::belowLimit,
            List.of(
                new GridFilterProject.Output(Element.I8, lanes.column(Element.I8)),
                new GridFilterProject.Output(Element.I16, lanes.column(Element.I16))),
            true)
        .kernel(
            new LaneVariant(variant.live(), variant.validity(), variant.nullParameters(), shape));
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
        JoinProbe.Form.ALL.forEach(form -> kernels.add(fused(join, form, variant)));
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
