package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.GroupIndex;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of the kernel of {@link StagedGroups}: lane r stores the place and the arguments of row
 * r, as they are, and one word of bits that say which nullable arguments are NULL.
 */
public final class StageText {
  /** Above all places: that of rows which do not pass. */
  static final ScalarParam NO_PLACE = new ScalarParam("no_place", Type.I32);

  static final BufferParam PLACES = BufferParam.output("places", Element.I32);
  static final BufferParam NULLS = BufferParam.output("nulls", Element.I32);

  /** Arguments that may be NULL. */
  static final int NULLABLE_MAX = Integer.SIZE;

  private final KernelBuilder b;
  private final AccumulatorLayout layout;
  private final List<Integer> arguments = new ArrayList<>();

  private StageText(String name, AccumulatorLayout layout) {
    b = new KernelBuilder(name);
    b.blockSize(GroupText.BLOCK_LANES);
    this.layout = layout;
  }

  static int nullable(AccumulatorLayout layout) {
    return (int) layout.argumentTypes().stream().filter(LaneValue::isNullable).count();
  }

  public static Written<ByName> write(
      String name,
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      AccumulatorLayout layout) {
    return new StageText(name, layout).write(inputs, variant, filter, keys);
  }

  private Written<ByName> write(
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys) {
    LaneScan scan = new LaneScan(b, inputs, variant);
    Reg place = b.variable(b.scalar(NO_PLACE));
    Reg nulls = b.variable(b.i32(0));
    GroupIndex index = new GroupIndex.Direct(b, filter, keys, null);
    int places = b.buffer(PLACES);
    int nullBits = nullable(layout) == 0 ? -1 : b.buffer(NULLS);
    for (int i = 0; i < layout.arguments().size(); i++) {
      arguments.add(b.buffer(PartitionText.argument(layout, i)));
    }
    index.ifGrouped(
        scan,
        group -> {
          b.set(place, b.convert(group, Type.I32));
          storeArguments(scan.lane(), nulls);
        });
    b.ifThen(
        b.lt(scan.lane().row(), scan.rows()),
        () -> {
          b.store(places, scan.lane().row(), place);
          if (nullBits >= 0) {
            b.store(nullBits, scan.lane().row(), nulls);
          }
        });
    return new Written<>(b.build(), scan.lane().layout(), ByName.ALL);
  }

  private void storeArguments(Lane lane, Reg nulls) {
    lane.stage(layout.arguments());
    int bit = 0;
    for (int i = 0; i < arguments.size(); i++) {
      LaneValue value = layout.arguments().get(i).emit(lane);
      Reg raw = value.type() == Type.PRED ? b.convert(value.value(), Type.I32) : value.value();
      b.store(arguments.get(i), lane.row(), raw);
      if (layout.argumentTypes().get(i).isNullable()) {
        Reg present = value.present();
        if (present != null) {
          b.set(nulls, b.or(nulls, b.select(present, b.i32(0), b.i32(1 << bit))));
        }
        bit++;
      }
    }
  }
}
