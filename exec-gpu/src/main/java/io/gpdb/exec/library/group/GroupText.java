package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one variant of the kernel that adds rows to their groups' accumulators.
 *
 * <p>A lane takes every 1024th row of its block. With few groups a block first adds its rows to
 * accumulators in shared memory and then those to the global ones; otherwise each row goes to the
 * global ones. All are integer operations that commute, so the order of lanes does not show.
 */
final class GroupText {
  static final ScalarParam ROW_BASE = new ScalarParam("row_base", Type.I64);
  static final ScalarParam GROUPS = new ScalarParam("groups", Type.I32);
  static final ScalarParam BLOCK_ROWS = new ScalarParam("block_rows", Type.I32);
  static final ScalarParam N = new ScalarParam("n", Type.I32);
  static final ScalarParam FROM = new ScalarParam("from", Type.I32);
  static final BufferParam ACCUMULATORS = BufferParam.output("accumulators", Element.I64);
  static final BufferParam GROUP_OF = BufferParam.output("group_of", Element.I32);

  static final int BLOCK_LANES = 1024;

  /** Words of shared memory that accumulators may take. */
  static final int SHARED_WORDS_MAX = 4096;

  private final KernelBuilder b;
  private final LaneScan scan;
  private final AccumulatorLayout layout;
  private final GroupIndex index;
  private final Reg rowBase;
  private final Reg groups;
  private final Reg blockRows;
  private final int accumulators;
  private final int groupOf;
  private final List<Integer> floatValues = new ArrayList<>();
  private final int shared;

  /**
   * @param hashed whether groups come from a {@link GroupTable}
   * @param inShared whether groups are accumulated in shared memory first
   */
  GroupText(
      String name,
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      AccumulatorLayout layout,
      boolean hashed,
      boolean inShared) {
    b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    this.layout = layout;
    scan = new LaneScan(b, inputs, variant);
    rowBase = b.scalar(ROW_BASE);
    groups = b.scalar(GROUPS);
    blockRows = b.scalar(BLOCK_ROWS);
    index = hashed ? new GroupIndex.Hashed(b) : new GroupIndex.Direct(b, filter, keys);
    accumulators = b.buffer(ACCUMULATORS);
    groupOf = layout.floatSums() == 0 ? -1 : b.buffer(GROUP_OF);
    for (int i = 0; i < layout.floatSums(); i++) {
      floatValues.add(b.buffer(floatValue(i)));
    }
    shared = inShared ? b.shared("partial", Element.I64, SHARED_WORDS_MAX) : -1;
  }

  /** The values of float sum i, row by row. */
  static BufferParam floatValue(int i) {
    return BufferParam.output("float_value" + i, Element.F64);
  }

  Written<ByName> write() {
    if (shared >= 0) {
      clearShared();
    }
    Reg base = b.variable(b.mul(b.block(), blockRows));
    Reg end = b.min(b.add(base, blockRows), scan.rows());
    b.whileLoop(
        () -> b.lt(base, end),
        () -> {
          addRow(scan.at(b.add(base, b.thread())));
          b.set(base, b.add(base, BLOCK_LANES));
        });
    if (shared >= 0) {
      b.barrier();
      flushShared();
    }
    return new Written<>(b.build(), scan.lane().layout(), ByName.ALL);
  }

  /** Shared memory starts as zeros; words with another identity get it. */
  private void clearShared() {
    eachGroup(
        first -> {
          for (int w = 0; w < layout.words().size(); w++) {
            long identity = layout.words().get(w).identity();
            if (identity != 0) {
              b.storeShared(shared, b.add(first, w), b.i64(identity));
            }
          }
        });
    b.barrier();
  }

  private void flushShared() {
    eachGroup(
        first ->
            b.ifThen(
                b.ne(b.loadShared(shared, first), AccumulatorLayout.NO_ROW),
                () -> {
                  for (int w = 0; w < layout.words().size(); w++) {
                    Reg at = b.add(first, w);
                    AtomicOp op = layout.words().get(w).op();
                    b.atomicUpdate(op, accumulators, at, b.loadShared(shared, at));
                  }
                }));
  }

  /** The lanes of the block share the groups; the register is the group's first word. */
  private void eachGroup(Consumer<Reg> body) {
    Reg group = b.variable(b.thread());
    b.whileLoop(
        () -> b.lt(group, groups),
        () -> {
          body.accept(b.mul(group, layout.words().size()));
          b.set(group, b.add(group, BLOCK_LANES));
        });
  }

  /**
   * In global memory, the lanes of a block first load their groups' first rows, then, after a
   * barrier, add to them: loads that miss a cache overlap, atomic operations do not. A first row is
   * changed where the row is before it: a stale one is never less than the current one.
   */
  private void addRow(LaneScan at) {
    Lane lane = at.lane();
    Reg found = b.variable(b.i32(-1));
    Reg known = b.variable(b.i64(0));
    if (groupOf >= 0) {
      b.ifThen(b.lt(lane.row(), at.rows()), () -> b.store(groupOf, lane.row(), b.i32(-1)));
    }
    index.ifGrouped(
        at,
        group -> {
          if (groupOf >= 0) {
            b.store(groupOf, lane.row(), group);
          }
          if (shared >= 0) {
            Reg first = firstWord(group);
            addTo(lane, first, b.loadShared(shared, first));
          } else {
            b.set(known, b.load(accumulators, firstWord(group)));
            b.set(found, group);
          }
        });
    if (shared < 0) {
      b.barrier();
      b.ifThen(b.ge(found, b.i32(0)), () -> addTo(lane, firstWord(found), known));
    }
  }

  private Reg firstWord(Reg group) {
    int words = layout.words().size();
    return shared >= 0 ? b.mul(group, words) : b.mul(b.convert(group, Type.I64), words);
  }

  private void addTo(Lane lane, Reg first, Reg knownFirstRow) {
    Reg row = b.add(rowBase, b.convert(lane.row(), Type.I64));
    b.ifThen(b.lt(row, knownFirstRow), () -> update(first, AccumulatorLayout.FIRST_ROW, row));
    if (layout.countsRows()) {
      update(first, AccumulatorLayout.ROWS, b.i64(1));
    }
    lane.stage(layout.arguments());
    for (int i = 0; i < layout.arguments().size(); i++) {
      int argument = i;
      LaneValue value = layout.arguments().get(i).emit(lane);
      Reg present = value.present();
      storeFloats(lane, argument, value);
      if (present == null) {
        addValue(first, argument, value.value());
      } else {
        b.ifElse(
            present,
            () -> addValue(first, argument, value.value()),
            () -> update(first, layout.nullWord(argument), b.i64(1)));
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

  private void addValue(Reg first, int argument, Reg value) {
    for (AccumulatorLayout.Slot slot : layout.slots()) {
      if (slot.argument() != argument) {
        continue;
      }
      switch (slot.function()) {
        case COUNT -> {}
        case MIN, MAX -> updateExtreme(first, slot.value(), OrderWords.of(b, value));
        case SUM -> {
          if (slot.type() == Type.I64) {
            update(first, slot.value(), b.and(value, 0xffffffffL));
            update(first, slot.value() + 1, b.shr(value, 32));
          } else if (slot.floatSum() < 0) {
            update(first, slot.value(), b.convert(value, Type.I64));
          }
        }
      }
    }
  }

  private void update(Reg first, int word, Reg value) {
    AtomicOp op = layout.words().get(word).op();
    Reg at = b.add(first, word);
    if (shared >= 0) {
      b.atomicSharedUpdate(op, shared, at, value);
    } else {
      b.atomicUpdate(op, accumulators, at, value);
    }
  }

  /**
   * A minimum or maximum in global memory is read first: most rows do not improve it. A stale value
   * is never better than the current one, so no improvement is missed.
   */
  private void updateExtreme(Reg first, int word, Reg value) {
    if (shared >= 0) {
      update(first, word, value);
      return;
    }
    Reg known = b.load(accumulators, b.add(first, word));
    boolean minimum = layout.words().get(word).op() == AtomicOp.MIN;
    Reg better = minimum ? b.lt(value, known) : b.gt(value, known);
    b.ifThen(better, () -> update(first, word, value));
  }

  /** Lane g sets the accumulators of group {@code from + g} to their identities. */
  static Kernel initKernel(AccumulatorLayout layout) {
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
