package io.gpdb.exec.library.sort;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import io.gpdb.exec.library.scan.GridFilterProject;
import io.gpdb.exec.library.scan.GridFilterProject.Output;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that sorts. */
public final class SortSamples {
  private final List<Kernel> kernels = new ArrayList<>();
  private final SampleLanes lanes;

  private SortSamples(SampleLanes lanes) {
    this.lanes = lanes;
  }

  public static List<Kernel> of(SampleLanes lanes) {
    SortSamples samples = new SortSamples(lanes);
    samples.sorts();
    return samples.kernels;
  }

  private void sorts() {
    kernels.add(GridSort.identityKernel());
    for (boolean descending : new boolean[] {false, true}) {
      List<SortKey> keys =
          lanes.columns().stream().map(c -> new SortKey(c, descending, !descending)).toList();
      List<LaneProgram> words = SortWords.programs(lanes.inputs(), keys);
      List<Output> outputs = SortWords.outputs(words);
      for (LaneVariant variant : lanes.variants()) {
        kernels.add(
            new GridFilterProject(
                    lanes.device(), "sort_words", lanes.inputs(), null, outputs, false)
                .kernel(variant));
      }
      for (Element element : Element.values()) {
        SortKey key = new SortKey(lanes.column(element), descending, descending);
        GridTopN top =
            new GridTopN(lanes.device(), "top", lanes.inputs(), lanes::belowLimit, List.of(key));
        kernels.add(top.kernel());
        for (LaneVariant variant : lanes.variants()) {
          kernels.add(top.fewCandidates.kernel(false, variant));
          kernels.add(top.fewCandidates.kernel(true, variant));
        }
      }
    }
  }
}
