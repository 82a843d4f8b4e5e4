package io.gpdb.exec.library.reduce;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that aggregates rows without groups. */
public final class ReduceSamples {
  private ReduceSamples() {}

  public static List<Kernel> of(SampleLanes lanes) {
    List<Kernel> kernels = new ArrayList<>();
    List<Aggregate> aggregates = aggregates(lanes);
    for (LaneVariant variant : lanes.variants()) {
      for (LaneProgram filter :
          new LaneProgram[] {lanes::belowLimit, lane -> LaneValue.of(lane.builder().pred(true))}) {
        kernels.add(
            new GridReduce(lanes.device(), "reduce", lanes.inputs(), filter, aggregates)
                .kernel(variant));
      }
      kernels.add(
          new GridReduce(
                  lanes.device(),
                  "reduce_gpu",
                  lanes.inputs(),
                  lanes::belowLimit,
                  aggregates,
                  ReduceShape.GPU)
              .kernel(variant));
      kernels.add(
          new GridReduce(lanes.device(), "reduce_all", lanes.inputs(), null, aggregates)
              .kernel(variant));
    }
    return kernels;
  }

  /** Each aggregate of each column and of what is computed. */
  public static List<Aggregate> aggregates(SampleLanes lanes) {
    List<Aggregate> aggregates = new ArrayList<>();
    aggregates.add(Aggregate.countRows());
    List<LaneProgram> arguments = new ArrayList<>(lanes.columns());
    arguments.add(lanes::belowLimit);
    arguments.add(lanes::computed);
    for (LaneProgram argument : arguments) {
      aggregates.add(Aggregate.count(argument));
      aggregates.add(Aggregate.sum(argument));
      aggregates.add(Aggregate.min(argument));
      aggregates.add(Aggregate.max(argument));
    }
    return aggregates;
  }
}
