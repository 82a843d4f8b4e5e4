package io.gpdb.exec.library.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernels by which a {@link GridTopN} finds the few rows that are within the thresholds. One
 * lane per row. Block b writes the first rows that pass to a region of its own, in row order, and
 * how many pass to {@code counts[b]}: more than the region holds where the thresholds are bad. One
 * kernel takes every row, the other one every n-th. Thread-safe.
 */
final class TopCandidates {
  static final int BLOCK_LANES = 1024;

  /** Rows of a block's region; an eighth of what all rows would take. */
  static final int REGION_ROWS = 128;

  static final ScalarParam STRIDE = new ScalarParam("stride", Type.I32);
  static final BufferParam COUNTS = BufferParam.output("counts", Element.I32);
  static final BufferParam ROWS = BufferParam.output("passed_rows", Element.I32);

  private final String name;
  private final LaneInputs inputs;
  private final GridTopN.Filter filter;
  private final List<LaneProgram> words;
  private final LaneKernels<ByName> all;
  private final LaneKernels<ByName> sampled;

  TopCandidates(
      Device device,
      String name,
      LaneInputs inputs,
      GridTopN.Filter filter,
      List<LaneProgram> words) {
    this.name = name;
    this.inputs = inputs;
    this.filter = filter;
    this.words = words;
    all = new LaneKernels<>(device, variant -> written(variant, false));
    sampled = new LaneKernels<>(device, variant -> written(variant, true));
  }

  static ScalarParam threshold(int i) {
    return new ScalarParam("limit" + i, Type.I64);
  }

  static BufferParam word(int i) {
    return BufferParam.output("word" + i, Element.I64);
  }

  /** Rows of a block's region. */
  static int regionRows(boolean sample) {
    return sample ? BLOCK_LANES : REGION_ROWS;
  }

  Ready<ByName> ready(boolean sample, LaneBindings bindings, boolean live) {
    return (sample ? sampled : all).get(LaneVariant.of(bindings, live));
  }

  Kernel kernel(boolean sample, LaneVariant variant) {
    return (sample ? sampled : all).text(variant);
  }

  private Written<ByName> written(LaneVariant variant, boolean sample) {
    KernelBuilder b = new KernelBuilder(name + (sample ? "_sample" : ""));
    b.blockSize(BLOCK_LANES);
    LaneScan head = new LaneScan(b, inputs, variant);
    List<Reg> thresholds = new ArrayList<>();
    for (int i = 0; i < filter.thresholds(); i++) {
      thresholds.add(b.scalar(threshold(i)));
    }
    LaneScan scan = sample ? head.at(b.mul(b.global(), b.scalar(STRIDE))) : head;
    int counts = b.buffer(COUNTS);
    int rows = b.buffer(ROWS);
    int firstWord = -1;
    for (int w = 0; w < words.size(); w++) {
      int buffer = b.buffer(word(w));
      firstWord = w == 0 ? buffer : firstWord;
    }
    int wordsFrom = firstWord;
    Lane lane = scan.lane();
    Reg passes = b.variable(b.pred(false));
    scan.ifExists(() -> b.set(passes, filter.passes(lane, thresholds)));
    Reg rank = b.blockRank(passes);
    int region = regionRows(sample);
    b.ifThen(
        b.and(passes, b.lt(rank, b.i32(region))),
        () -> {
          lane.stage(words);
          Reg at = b.add(b.mul(b.block(), region), rank);
          b.store(rows, at, lane.row());
          for (int w = 0; w < words.size(); w++) {
            b.store(wordsFrom + w, at, words.get(w).emit(lane).value());
          }
        });
    b.ifThen(
        b.eq(b.thread(), BLOCK_LANES - 1),
        () -> b.store(counts, b.block(), b.add(rank, b.select(passes, b.i32(1), b.i32(0)))));
    return new Written<>(b.build(), lane.layout(), ByName.ALL);
  }
}
