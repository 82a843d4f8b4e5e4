package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.key.GroupTable;
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
 * Writes one variant of the kernel that adds rows to their groups' accumulators.
 *
 * <p>A lane takes every 1024th row of its block. With few groups a block adds its rows to {@link
 * BlockAccumulators}, and in the end leaves those in a region of its own, or adds them to the
 * global ones; otherwise each row goes to the global ones. All are integer operations that commute,
 * so the order of lanes does not show.
 */
public final class GroupText {
  public static final ScalarParam ROW_BASE = new ScalarParam("row_base", Type.I64);
  public static final ScalarParam GROUPS = new ScalarParam("groups", Type.I32);
  public static final ScalarParam BLOCK_ROWS = new ScalarParam("block_rows", Type.I32);
  public static final ScalarParam COPIES = new ScalarParam("copies", Type.I32);
  static final ScalarParam N = new ScalarParam("n", Type.I32);
  static final ScalarParam FROM = new ScalarParam("from", Type.I32);
  public static final BufferParam ACCUMULATORS = BufferParam.output("accumulators", Element.I64);
  public static final BufferParam REGIONS = BufferParam.output("regions", Element.I64);
  public static final BufferParam OUTSIDE = BufferParam.output("outside", Element.I32);
  public static final BufferParam GROUP_OF = BufferParam.output("group_of", Element.I32);

  public static final int BLOCK_LANES = 1024;

  private final KernelBuilder b;
  private final LaneScan scan;
  private final AccumulatorLayout layout;
  private final GroupIndex index;
  private final Reg rowBase;
  private final Reg groups;
  private final Reg blockRows;
  private final boolean apart;
  private final int accumulators;
  private final int outsideRows;
  private final int groupOf;
  private final List<Integer> floatValues = new ArrayList<>();
  private final @Nullable BlockAccumulators block;

  /** Where a block keeps the groups that it accumulates. */
  public enum Room {
    /** In global memory. */
    GLOBAL,
    /** In shared memory, and in the end they are added to those in global memory. */
    SHARED,
    /**
     * In shared memory, and in the end they are its region: of each word, the groups. Rows whose
     * keys are outside of the space count as those of one more group, and the first of them is
     * noted.
     */
    APART
  }

  /**
   * @param hashed whether groups come from a {@link GroupTable}
   * @param copied whether a block may have copies of its accumulators
   */
  public GroupText(
      String name,
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      AccumulatorLayout layout,
      boolean hashed,
      Room room,
      boolean copied) {
    b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    this.layout = layout;
    scan = new LaneScan(b, inputs, variant);
    rowBase = b.scalar(ROW_BASE);
    groups = b.scalar(GROUPS);
    blockRows = b.scalar(BLOCK_ROWS);
    apart = room == Room.APART;
    Reg outside = apart ? b.convert(groups, Type.I64) : null;
    index = hashed ? new GroupIndex.Hashed(b) : new GroupIndex.Direct(b, filter, keys, outside);
    accumulators = b.buffer(apart ? REGIONS : ACCUMULATORS);
    outsideRows = apart ? b.buffer(OUTSIDE) : -1;
    groupOf = layout.floatSums() == 0 ? -1 : b.buffer(GROUP_OF);
    for (int i = 0; i < layout.floatSums(); i++) {
      floatValues.add(b.buffer(floatValue(i)));
    }
    Reg copies = copied ? b.scalar(COPIES) : null;
    block = room == Room.GLOBAL ? null : new BlockAccumulators(b, layout, copies);
  }

  /** The values of float sum i, row by row. */
  public static BufferParam floatValue(int i) {
    return BufferParam.output("float_value" + i, Element.F64);
  }

  public Written<ByName> write() {
    Reg places = apart ? b.add(groups, 1) : groups;
    if (block != null) {
      block.clear(places);
    }
    Reg base = b.variable(b.mul(b.block(), blockRows));
    Reg end = b.min(b.add(base, blockRows), scan.rows());
    b.whileLoop(
        () -> b.lt(base, end),
        () -> {
          addRow(scan.at(b.add(base, b.thread())));
          b.set(base, b.add(base, BLOCK_LANES));
        });
    if (block != null) {
      b.barrier();
      block.merge(places);
      if (apart) {
        storeRegion(block);
      } else {
        addToGlobal(block);
      }
    }
    return new Written<>(b.build(), scan.lane().layout(), ByName.ALL);
  }

  private void storeRegion(BlockAccumulators from) {
    int words = layout.words().size();
    Reg region = b.mul(b.block(), b.mul(groups, words));
    from.eachPlace(
        groups,
        (first, place) -> {
          for (int w = 0; w < words; w++) {
            Reg start = b.add(b.add(region, b.mul(groups, w)), first);
            b.store(accumulators, b.add(start, b.thread()), from.widened(place, w, rowBase));
          }
        });
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> b.store(outsideRows, b.block(), from.load(groups, AccumulatorLayout.FIRST_ROW)));
  }

  private void addToGlobal(BlockAccumulators from) {
    from.eachPlace(
        groups,
        (_, place) ->
            b.ifThen(
                b.ne(from.load(place, AccumulatorLayout.FIRST_ROW), BlockAccumulators.NO_ROW),
                () -> {
                  Reg first = b.mul(b.convert(place, Type.I64), layout.words().size());
                  for (int w = 0; w < layout.words().size(); w++) {
                    AtomicOp op = layout.words().get(w).op();
                    Reg value = from.widened(place, w, rowBase);
                    b.atomicUpdate(op, accumulators, b.add(first, w), value);
                  }
                }));
  }

  /**
   * In global memory, the lanes of a block first load their groups' first rows, then, after a
   * barrier, add to them: loads that miss a cache overlap, atomic operations do not. A first row is
   * changed where the row is before it: a stale one is never less than the current one.
   */
  private void addRow(LaneScan at) {
    Lane lane = at.lane();
    Reg found = b.variable(b.i64(-1));
    Reg known = b.variable(b.i64(0));
    if (groupOf >= 0) {
      b.ifThen(b.lt(lane.row(), at.rows()), () -> b.store(groupOf, lane.row(), b.i32(-1)));
    }
    index.ifGrouped(
        at,
        group -> {
          if (groupOf >= 0) {
            b.store(groupOf, lane.row(), b.convert(group, Type.I32));
          }
          if (block != null) {
            block.update(group, AccumulatorLayout.FIRST_ROW, lane.row());
            addTo(lane, group);
          } else {
            Reg first = b.mul(group, layout.words().size());
            b.set(known, b.load(accumulators, first));
            b.set(found, first);
          }
        });
    if (block == null) {
      b.barrier();
      b.ifThen(
          b.ge(found, b.i64(0)),
          () -> {
            Reg row = b.add(rowBase, b.convert(lane.row(), Type.I64));
            b.ifThen(b.lt(row, known), () -> update(found, AccumulatorLayout.FIRST_ROW, row));
            addTo(lane, found);
          });
    }
  }

  /**
   * @param at the group's place where the block has accumulators of its own, else its first word
   */
  private void addTo(Lane lane, Reg at) {
    if (layout.countsRows()) {
      count(at, AccumulatorLayout.ROWS);
    }
    lane.stage(layout.arguments());
    for (int i = 0; i < layout.arguments().size(); i++) {
      int argument = i;
      LaneValue value = layout.arguments().get(i).emit(lane);
      Reg present = value.present();
      storeFloats(lane, argument, value);
      if (present == null) {
        addValue(at, argument, value.value());
      } else {
        b.ifElse(
            present,
            () -> addValue(at, argument, value.value()),
            () -> count(at, layout.nullWord(argument)));
      }
    }
  }

  /** A NULL adds 0.0. */
  private void storeFloats(Lane lane, int argument, LaneValue value) {
    for (AccumulatorLayout.Slot slot : layout.slots()) {
      if (slot.argument() == argument && slot.floatSum() >= 0) {
        Reg number = b.convert(value.value(), Type.F64);
        Reg present = value.present();
        b.store(
            floatValues.get(slot.floatSum()),
            lane.row(),
            present == null ? number : b.select(present, number, b.f64(0.0)));
      }
    }
  }

  private void addValue(Reg to, int argument, Reg value) {
    if (block != null) {
      block.addValue(to, argument, value);
      return;
    }
    for (AccumulatorLayout.Slot slot : layout.slots()) {
      if (slot.argument() != argument) {
        continue;
      }
      switch (slot.function()) {
        case COUNT -> {}
        case MIN, MAX -> updateExtreme(to, slot.value(), OrderWords.of(b, value));
        case SUM -> {
          if (slot.type() == Type.I64) {
            update(to, slot.value(), b.and(value, 0xffffffffL));
            update(to, slot.value() + 1, b.shr(value, 32));
          } else if (slot.floatSum() < 0) {
            update(to, slot.value(), b.convert(value, Type.I64));
          }
        }
      }
    }
  }

  private void count(Reg to, int word) {
    update(to, word, block == null ? b.i64(1) : b.i32(1));
  }

  private void update(Reg to, int word, Reg value) {
    if (block != null) {
      block.update(to, word, value);
    } else {
      b.atomicUpdate(layout.words().get(word).op(), accumulators, b.add(to, word), value);
    }
  }

  /**
   * A minimum or maximum in global memory is read first: most rows do not improve it. A stale value
   * is never better than the current one, so no improvement is missed.
   */
  private void updateExtreme(Reg to, int word, Reg value) {
    Reg known = b.load(accumulators, b.add(to, word));
    boolean minimum = layout.words().get(word).op() == AtomicOp.MIN;
    Reg better = minimum ? b.lt(value, known) : b.gt(value, known);
    b.ifThen(better, () -> update(to, word, value));
  }

  /** Lane g sets the accumulators of group {@code from + g} to their identities. */
  public static Kernel initKernel(AccumulatorLayout layout) {
    KernelBuilder b = new KernelBuilder("group_init_" + layout.words().size());
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    Reg from = b.scalar(FROM);
    int accumulators = b.buffer(ACCUMULATORS);
    b.ifThen(
        b.lt(b.global(), n),
        () -> {
          Reg group = b.convert(b.add(b.global(), from), Type.I64);
          Reg first = b.mul(group, layout.words().size());
          for (int w = 0; w < layout.words().size(); w++) {
            b.store(accumulators, b.add(first, w), b.i64(layout.words().get(w).identity()));
          }
        });
    return b.build();
  }
}
