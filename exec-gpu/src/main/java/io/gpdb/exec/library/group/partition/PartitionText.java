package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.ShuffleKind;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.BlockAccumulators;
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
 * The text of the kernels of {@link PartitionedGroups}.
 *
 * <p>A row that was put into its partition is a word of 32 bits and its arguments:
 *
 * <pre>
 *   | NULLs of nullable arguments | row of the block, 15 | place in the partition |
 * </pre>
 */
public final class PartitionText {
  /** Rows of a block that puts rows into partitions. */
  static final int BLOCK_ROWS = 1 << 15;

  static final int PARTITIONS_MAX = 1024;

  static final ScalarParam PARTITIONS = new ScalarParam("partitions", Type.I32);
  static final ScalarParam SHIFT = new ScalarParam("shift", Type.I32);
  static final ScalarParam SOURCES = new ScalarParam("sources", Type.I32);
  static final BufferParam ROWS = BufferParam.output("partitioned", Element.I32);
  static final BufferParam STARTS = BufferParam.output("starts", Element.I32);
  static final BufferParam SOURCE_ROWS = BufferParam.input("source_rows", Element.I32);

  private static final int WARP_LANES = 32;
  private static final int ROW_BITS = 15;

  private final KernelBuilder b;
  private final AccumulatorLayout layout;
  private final List<Integer> arguments = new ArrayList<>();

  private PartitionText(String name, AccumulatorLayout layout) {
    b = new KernelBuilder(name);
    b.blockSize(GroupText.BLOCK_LANES);
    this.layout = layout;
  }

  /** The values of argument i. */
  static BufferParam argument(AccumulatorLayout layout, int i) {
    return BufferParam.output("argument" + i, element(layout, i));
  }

  static Element element(AccumulatorLayout layout, int i) {
    return switch (layout.argumentTypes().get(i).type()) {
      case I32, PRED -> Element.I32;
      case I64 -> Element.I64;
      case F32 -> Element.F32;
      case F64 -> Element.F64;
    };
  }

  /**
   * The bits of a partition's places: as many as a block has accumulators for and the rows' words
   * have room for.
   */
  static int shiftMax(AccumulatorLayout layout) {
    int places = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(layout.blockPlaces());
    long nulls = layout.argumentTypes().stream().filter(LaneValue::isNullable).count();
    return Math.min(places, Integer.SIZE - ROW_BITS - (int) nulls);
  }

  /**
   * Each block puts its rows into partitions: it counts the rows of each, and then stores each row
   * where its partition has the next room.
   */
  public static Written<ByName> partitioning(
      String name,
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      AccumulatorLayout layout) {
    return new PartitionText(name, layout).partitioning(inputs, variant, filter, keys);
  }

  private Written<ByName> partitioning(
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys) {
    LaneScan scan = new LaneScan(b, inputs, variant);
    Reg partitions = b.scalar(PARTITIONS);
    Reg shift = b.scalar(SHIFT);
    GroupIndex index = new GroupIndex.Direct(b, filter, keys, null);
    int rows = b.buffer(ROWS);
    int starts = b.buffer(STARTS);
    for (int i = 0; i < layout.arguments().size(); i++) {
      arguments.add(b.buffer(argument(layout, i)));
    }
    int counts = b.shared("counts", Element.I32, PARTITIONS_MAX);
    int warpTotals = b.shared("warp_totals", Element.I32, GroupText.BLOCK_LANES / WARP_LANES);
    Reg first = b.mul(b.block(), BLOCK_ROWS);
    eachRow(
        scan,
        at ->
            index.ifGrouped(
                at,
                place ->
                    b.atomicSharedUpdate(
                        AtomicOp.ADD,
                        counts,
                        b.convert(b.ushr(place, wide(shift)), Type.I32),
                        b.i32(1))));
    b.barrier();
    Reg own = b.loadShared(counts, b.thread());
    Reg start = b.sub(inclusive(own, warpTotals), own);
    b.storeShared(counts, b.thread(), start);
    Reg table = b.mul(b.block(), b.add(partitions, 1));
    b.ifThen(b.lt(b.thread(), partitions), () -> b.store(starts, b.add(table, b.thread()), start));
    b.ifThen(
        b.eq(b.thread(), b.sub(partitions, 1)),
        () -> b.store(starts, b.add(table, partitions), b.add(start, own)));
    b.barrier();
    Reg mask = b.sub(b.shl(b.i32(1), shift), 1);
    eachRow(
        scan,
        at ->
            index.ifGrouped(
                at,
                place -> {
                  Reg partition = b.convert(b.ushr(place, wide(shift)), Type.I32);
                  Reg to = b.add(first, b.atomicShared(AtomicOp.ADD, counts, partition, b.i32(1)));
                  Reg row = b.sub(at.lane().row(), first);
                  Reg word = b.or(b.shl(row, shift), b.and(b.convert(place, Type.I32), mask));
                  b.store(rows, to, b.or(word, storeArguments(at.lane(), to, shift)));
                }));
    return new Written<>(b.build(), scan.lane().layout(), ByName.ALL);
  }

  private interface OfRow {
    void write(LaneScan at);
  }

  private void eachRow(LaneScan scan, OfRow body) {
    Reg base = b.variable(b.mul(b.block(), BLOCK_ROWS));
    Reg end = b.min(b.add(base, BLOCK_ROWS), scan.rows());
    b.whileLoop(
        () -> b.lt(base, end),
        () -> {
          body.write(scan.at(b.add(base, b.thread())));
          b.set(base, b.add(base, GroupText.BLOCK_LANES));
        });
  }

  /** The sum of the lanes up to this one. */
  private Reg inclusive(Reg own, int warpTotals) {
    Reg sum = b.variable(own);
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
      Reg below = b.shuffle(ShuffleKind.UP, sum, b.i32(distance));
      b.set(sum, b.select(b.ge(b.lane(), b.i32(distance)), b.add(sum, below), sum));
    }
    Reg warp = b.special(SpecialKind.WARP);
    b.ifThen(b.eq(b.lane(), WARP_LANES - 1), () -> b.storeShared(warpTotals, warp, sum));
    b.barrier();
    Reg before = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.lt(before, warp),
        () -> {
          b.set(sum, b.add(sum, b.loadShared(warpTotals, before)));
          b.set(before, b.add(before, 1));
        });
    return sum;
  }

  /** The bits that say which of them are NULL. */
  private Reg storeArguments(Lane lane, Reg to, Reg shift) {
    lane.stage(layout.arguments());
    Reg nulls = b.i32(0);
    int bit = 0;
    for (int i = 0; i < arguments.size(); i++) {
      LaneValue value = layout.arguments().get(i).emit(lane);
      Reg raw = value.type() == Type.PRED ? b.convert(value.value(), Type.I32) : value.value();
      b.store(arguments.get(i), to, raw);
      if (layout.argumentTypes().get(i).isNullable()) {
        Reg present = value.present();
        if (present != null) {
          Reg mask = b.shl(b.i32(1 << (ROW_BITS + bit)), shift);
          nulls = b.or(nulls, b.select(present, b.i32(0), mask));
        }
        bit++;
      }
    }
    return nulls;
  }

  /**
   * Block p adds the rows of partition p, a lane those that one block put there, and then what it
   * has to the partition's accumulators, which no other block touches.
   */
  public static Kernel adding(AccumulatorLayout layout) {
    return new PartitionText("group_partitions", layout).adding();
  }

  private Kernel adding() {
    Reg rowBase = b.scalar(GroupText.ROW_BASE);
    Reg groups = b.scalar(GroupText.GROUPS);
    Reg partitions = b.scalar(PARTITIONS);
    Reg shift = b.scalar(SHIFT);
    Reg sources = b.scalar(SOURCES);
    int accumulators = b.buffer(GroupText.ACCUMULATORS.with(Access.READ_WRITE));
    int rows = b.buffer(ROWS.with(Access.READ));
    int starts = b.buffer(STARTS.with(Access.READ));
    int sourceRows = b.buffer(SOURCE_ROWS);
    for (int i = 0; i < layout.arguments().size(); i++) {
      arguments.add(b.buffer(argument(layout, i).with(Access.READ)));
    }
    BlockAccumulators block = new BlockAccumulators(b, layout);
    Reg firstPlace = b.shl(b.block(), shift);
    Reg places = b.min(b.shl(b.i32(1), shift), b.sub(groups, firstPlace));
    Reg mask = b.sub(b.shl(b.i32(1), shift), 1);
    block.clear(places);
    Reg source = b.variable(b.thread());
    b.whileLoop(
        () -> b.lt(source, sources),
        () -> {
          Reg entry = b.add(b.mul(source, b.add(partitions, 1)), b.block());
          Reg first = b.mul(source, BLOCK_ROWS);
          Reg i = b.variable(b.add(first, b.load(starts, entry)));
          Reg end = b.add(first, b.load(starts, b.add(entry, 1)));
          Reg firstRow = b.load(sourceRows, source);
          b.whileLoop(
              () -> b.lt(i, end),
              () -> {
                addRow(block, i, b.load(rows, i), firstRow, shift, mask);
                b.set(i, b.add(i, 1));
              });
          b.set(source, b.add(source, GroupText.BLOCK_LANES));
        });
    b.barrier();
    block.eachPlace(
        places,
        (_, place) ->
            b.ifThen(
                b.ne(block.load(place, AccumulatorLayout.FIRST_ROW), BlockAccumulators.NO_ROW),
                () -> {
                  Reg group = b.convert(b.add(firstPlace, place), Type.I64);
                  Reg at = b.mul(group, layout.words().size());
                  for (int w = 0; w < layout.words().size(); w++) {
                    Reg total = b.add(at, w);
                    Reg more = block.widened(place, w, rowBase);
                    Reg known = b.load(accumulators, total);
                    b.store(accumulators, total, layout.words().get(w).combined(b, known, more));
                  }
                }));
    return b.build();
  }

  private void addRow(BlockAccumulators block, Reg i, Reg word, Reg firstRow, Reg shift, Reg mask) {
    Reg place = b.convert(b.and(word, mask), Type.I64);
    Reg rest = b.ushr(word, shift);
    Reg row = b.add(firstRow, b.and(rest, BLOCK_ROWS - 1));
    block.update(place, AccumulatorLayout.FIRST_ROW, row);
    if (layout.countsRows()) {
      block.update(place, AccumulatorLayout.ROWS, b.i32(1));
    }
    int bit = 0;
    for (int a = 0; a < arguments.size(); a++) {
      int argument = a;
      Runnable add = () -> block.addValue(place, argument, b.load(arguments.get(argument), i));
      if (layout.argumentTypes().get(a).isNullable()) {
        Reg isNull = b.ne(b.and(rest, 1 << (ROW_BITS + bit)), 0);
        b.ifElse(isNull, () -> block.update(place, layout.nullWord(argument), b.i32(1)), add);
        bit++;
      } else {
        add.run();
      }
    }
  }

  private Reg wide(Reg shift) {
    return b.convert(shift, Type.I64);
  }
}
