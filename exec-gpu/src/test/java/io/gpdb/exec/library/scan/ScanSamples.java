package io.gpdb.exec.library.scan;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import io.gpdb.exec.library.scan.GridFilterProject.Output;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every variant that filters and projects. */
public final class ScanSamples {
  private final List<Kernel> kernels = new ArrayList<>();
  private final SampleLanes lanes;

  private ScanSamples(SampleLanes lanes) {
    this.lanes = lanes;
  }

  public static List<Kernel> of(SampleLanes lanes) {
    ScanSamples samples = new ScanSamples(lanes);
    samples.scans();
    return samples.kernels;
  }

  private void scans() {
    List<Output> outputs = new ArrayList<>();
    for (Element element : Element.values()) {
      outputs.add(new Output(element, lanes.column(element)));
    }
    outputs.add(new Output(Element.I8, lanes::belowLimit));
    outputs.add(new Output(Element.I64, lanes::computed));
    for (LaneVariant variant : lanes.variants()) {
      for (LaneProgram filter :
          new LaneProgram[] {lanes::belowLimit, lane -> LaneValue.of(lane.builder().pred(true))}) {
        kernels.add(
            new GridFilterProject(lanes.device(), "filter", lanes.inputs(), filter, outputs, true)
                .kernel(variant));
      }
      kernels.add(
          new GridFilterProject(lanes.device(), "project", lanes.inputs(), null, outputs, false)
              .kernel(variant));
    }
  }
}
