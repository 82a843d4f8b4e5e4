package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.group.partition.PartitionText;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.exec.library.reduce.ReduceSamples;
import java.util.ArrayList;
import java.util.List;

/** A kernel of every kind and variant that aggregates rows in groups. */
public final class GroupSamples {
  private final List<Kernel> kernels = new ArrayList<>();
  private final SampleLanes lanes;

  private GroupSamples(SampleLanes lanes) {
    this.lanes = lanes;
  }

  public static List<Kernel> of(SampleLanes lanes) {
    GroupSamples samples = new GroupSamples(lanes);
    samples.groups();
    return samples.kernels;
  }

  private void groups() {
    List<LaneProgram> keys = List.of(lanes.column(Element.I32), lanes.column(Element.I8));
    GridGroupBy dense =
        new GridGroupBy(
            lanes.device(),
            "group",
            lanes.inputs(),
            lanes::belowLimit,
            keys,
            ReduceSamples.aggregates(lanes));
    List<Aggregate> aggregates = ReduceSamples.aggregates(lanes);
    aggregates.removeIf(aggregate -> aggregate.function() == Aggregate.Function.SUM);
    aggregates.add(Aggregate.sum(lanes.column(Element.I32)));
    aggregates.add(Aggregate.sum(lanes.column(Element.I64)));
    GridGroupBy exact =
        new GridGroupBy(
            lanes.device(), "group_few", lanes.inputs(), lanes::belowLimit, keys, aggregates);
    GridGroupBy wide =
        new GridGroupBy(
            lanes.device(), "group_all", lanes.inputs(), null, lanes.columns(), List.of());
    LaneProgram number = lanes.column(Element.I64);
    List<Aggregate> few =
        List.of(
            Aggregate.countRows(),
            Aggregate.sum(number),
            Aggregate.max(number),
            Aggregate.min(lanes.column(Element.F32)),
            Aggregate.count(lanes::belowLimit),
            Aggregate.sum(lanes::belowLimit));
    GridGroupBy many =
        new GridGroupBy(lanes.device(), "group_many", lanes.inputs(), lanes::belowLimit, keys, few);
    kernels.add(PartitionText.adding(many.layout));
    for (LaneVariant variant : List.of(LaneVariant.plain(), LaneVariant.full(lanes.inputs()))) {
      for (boolean hashed : new boolean[] {false, true}) {
        for (GroupText.Room room : List.of(GroupText.Room.GLOBAL, GroupText.Room.SHARED)) {
          kernels.add(dense.kernel(new GridGroupBy.Shape(hashed, room), variant));
        }
      }
      kernels.add(exact.kernel(new GridGroupBy.Shape(false, GroupText.Room.APART), variant));
      kernels.add(many.partitioned.partitioning().text(variant));
      kernels.add(many.staged.stages().text(variant));
      kernels.add(dense.staged.stages().text(variant));
      kernels.add(wide.staging.kernel(variant));
      kernels.add(dense.staging.kernel(variant));
      kernels.add(many.gathered().rows().kernel(variant));
    }
    GridGroupBy gathered = many.gathered().groups();
    kernels.add(
        gathered.kernel(
            new GridGroupBy.Shape(true, GroupText.Room.GLOBAL), LaneVariant.full(gathered.inputs)));
    GridGroupBy copied =
        new GridGroupBy(
            lanes.device(), "group_copied", lanes.inputs(), lanes::belowLimit, keys, few, false);
    kernels.add(
        copied.kernel(
            new GridGroupBy.Shape(false, GroupText.Room.APART), LaneVariant.full(lanes.inputs())));
    kernels.add(FewGroups.laneFoldKernel());
    kernels.add(FewGroups.blockFoldKernel());
    kernels.add(GroupText.initKernel(dense.layout));
  }
}
