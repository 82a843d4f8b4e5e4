package io.gpdb.exec.library.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.change.BatchShape.Logged;
import io.gpdb.exec.library.change.BatchShape.Result;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.SampleLanes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A kernel of every kind and variant that changes tables or replays changes. */
public final class ChangeSamples {
  private final List<Kernel> kernels = new ArrayList<>();
  private final SampleLanes lanes;

  private ChangeSamples(SampleLanes lanes) {
    this.lanes = lanes;
  }

  public static List<Kernel> of(SampleLanes lanes) {
    ChangeSamples samples = new ChangeSamples(lanes);
    samples.changes();
    samples.batches();
    return samples.kernels;
  }

  private void changes() {
    for (Element element : Element.values()) {
      for (boolean nullable : new boolean[] {false, true}) {
        for (boolean conventional : new boolean[] {false, true}) {
          update(element, nullable, nullable, true, true, conventional);
          update(element, nullable, nullable, false, true, conventional);
        }
        update(element, nullable, nullable, true, false, false);
        update(element, nullable, false, false, false, false);
        for (boolean rowMajor : new boolean[] {false, true}) {
          kernels.add(
              GridReplay.kernel(new GridReplay.Shape(element, nullable, rowMajor, rowMajor)));
          kernels.add(
              GridReplay.kernel(new GridReplay.Shape(element, nullable, rowMajor, !rowMajor)));
        }
      }
    }
    for (boolean flag : new boolean[] {false, true}) {
      kernels.add(GridInsert.kernel(flag));
      kernels.add(GridReplay.kernel(new GridReplay.Shape(null, false, flag, flag)));
      kernels.add(GridApplyDelete.kernel(new GridApplyDelete.Shape(true, flag)));
    }
    kernels.add(GridApplyDelete.kernel(new GridApplyDelete.Shape(false, false)));
  }

  private void batches() {
    List<LaneInputs.Stored> reads = new ArrayList<>();
    List<GridApplyBatch.Target> targets = new ArrayList<>();
    BitSet all = new BitSet();
    for (Element element : Element.values()) {
      int number = targets.size();
      reads.add(new LaneInputs.Stored(lanes.inputs().column(number), number));
      all.set(number);
      targets.add(new GridApplyBatch.Target(number, element, lanes.column(element)));
    }
    all.set(targets.size());
    targets.add(new GridApplyBatch.Target(targets.size(), Element.I8, lanes::belowLimit));
    all.set(targets.size());
    targets.add(new GridApplyBatch.Target(targets.size(), Element.I64, lanes::computed));
    GridApplyBatch batch =
        new GridApplyBatch(lanes.device(), "batch", lanes.inputs(), reads, targets);
    LaneVariant plain = LaneVariant.plain();
    LaneVariant full =
        new LaneVariant(false, LaneVariant.full(lanes.inputs()).validity(), new BitSet());
    for (Result result : Result.values()) {
      boolean stores = result == Result.STORED;
      for (boolean flag : new boolean[] {false, true}) {
        Logged logged = stores ? Logged.NEW_VALUE : Logged.OLD_VALUE;
        BitSet valid = result == Result.ASIDE ? new BitSet() : flag ? all : new BitSet();
        kernels.add(
            batch.kernel(
                new BatchShape(flag ? full : plain, valid, stores, logged, flag, result, !stores)));
      }
    }
    for (boolean flag : new boolean[] {false, true}) {
      LaneVariant lanes = flag ? full : plain;
      BitSet valid = flag ? all : new BitSet();
      kernels.add(
          batch.kernel(
              new BatchShape(lanes, valid, true, Logged.OLD_VALUE, flag, Result.NONE, true)));
      kernels.add(
          batch.kernel(
              new BatchShape(lanes, valid, false, Logged.NOTHING, false, Result.STORED, true)));
    }
  }

  private void update(
      Element element,
      boolean columnValidity,
      boolean newValidity,
      boolean capture,
      boolean logged,
      boolean conventional) {
    kernels.add(
        GridApplyUpdate.kernel(
            new UpdateShape(element, columnValidity, newValidity, capture, logged, conventional)));
  }
}
