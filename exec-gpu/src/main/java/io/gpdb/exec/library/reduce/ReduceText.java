package io.gpdb.exec.library.reduce;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels.Written;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one variant of {@link GridReduce}'s kernel. Aggregates over the same program object share
 * its evaluation and its count.
 */
final class ReduceText {
  private final KernelBuilder b;
  private final ReduceShape shape;
  private final int lanes;
  private final boolean sized;
  private final LaneScan head;
  private LaneScan scan;
  private final @Nullable LaneProgram filter;
  private final List<Aggregate> aggregates;
  private final List<LaneProgram> arguments = new ArrayList<>();
  private final List<ReducePart> parts = new ArrayList<>();
  private final List<Reg> accumulators = new ArrayList<>();

  /**
   * The kernel's parts (part 0 counts rows) and, per aggregate, which of them it is made of.
   *
   * @param blockRows the scalar that says how many rows a block takes; -1 where the text does
   */
  record Places(List<ReducePart> parts, List<Sources> sources, int blockRows) {}

  /**
   * Part numbers; value and high are -1 where there is none.
   *
   * @param type the result's; extremes of floats are kept as {@link OrderWords}
   */
  record Sources(int count, int value, int high, Type type) {}

  ReduceText(
      String name,
      LaneInputs inputs,
      LaneVariant variant,
      @Nullable LaneProgram filter,
      List<Aggregate> aggregates,
      ReduceShape shape) {
    this.shape = shape;
    boolean sumsFloats = sumsFloats(inputs, variant, aggregates);
    lanes = sumsFloats ? ReduceShape.FLOAT_LANES : shape.lanes();
    sized = !sumsFloats && shape.blockRowsMax() > ReduceShape.BLOCK_ROWS;
    b = new KernelBuilder(name);
    b.blockSize(lanes);
    head = new LaneScan(b, inputs, variant);
    scan = head;
    this.filter = filter;
    this.aggregates = aggregates;
    for (Aggregate aggregate : aggregates) {
      LaneProgram argument = aggregate.argument();
      if (argument != null && !arguments.contains(argument)) {
        arguments.add(argument);
      }
    }
  }

  private static boolean sumsFloats(
      LaneInputs inputs, LaneVariant variant, List<Aggregate> aggregates) {
    List<LaneProgram> summed = new ArrayList<>();
    for (Aggregate aggregate : aggregates) {
      LaneProgram argument = aggregate.argument();
      if (argument != null && aggregate.function() == Aggregate.Function.SUM) {
        summed.add(argument);
      }
    }
    return Lane.trialValues(inputs, variant, summed).stream()
        .anyMatch(value -> value.type() == Type.F32 || value.type() == Type.F64);
  }

  Written<Places> write() {
    List<LaneValue> types = trialValues();
    part(ReduceOp.ADD, Type.I32);
    List<Sources> sources = declareParts(types);
    int scalar = sized ? b.scalarCount() : -1;
    Reg blockRows = sized ? b.scalar("block_rows", Type.I32) : b.i32(ReduceShape.BLOCK_ROWS);
    Reg first = b.mul(b.block(), blockRows);
    Reg end = b.min(b.add(first, blockRows), head.rows());
    Reg start = b.variable(first);
    if (shape.rowsOfATurn() > 1) {
      longTurns(start, end, sources);
    }
    b.whileLoop(
        () -> b.lt(start, end),
        () -> {
          scan = head.at(b.add(start, b.thread()));
          row(sources);
          b.set(start, b.add(start, lanes));
        });
    storeBlockResults();
    return new Written<>(b.build(), head.lane().layout(), new Places(parts, sources, scalar));
  }

  /** Turns in which each lane takes several rows, all of which exist. */
  private void longTurns(Reg start, Reg end, List<Sources> sources) {
    int step = shape.rowsOfATurn() * lanes;
    b.whileLoop(
        () -> b.compare(CompareOp.LE, b.add(start, b.i32(step)), end),
        () -> {
          for (int i = 0; i < shape.rowsOfATurn(); i++) {
            scan = head.at(b.add(b.add(start, (long) i * lanes), b.thread()));
            scan.ifLive(() -> rowWithoutBranches(sources));
          }
          b.set(start, b.add(start, step));
        });
  }

  /** The scan's row, which may not exist. */
  private void row(List<Sources> sources) {
    Reg passes = b.variable(b.pred(false));
    scan.filter(filter, passes);
    add(0, b.select(passes, b.i32(1), b.i32(0)));
    for (int i = 0; i < arguments.size(); i++) {
      List<LaneProgram> argument = List.of(arguments.get(i));
      b.ifThen(passes, () -> accumulate(argument, null, sources));
    }
  }

  /** The scan's row, which exists: loads of several rows are under way together. */
  private void rowWithoutBranches(List<Sources> sources) {
    Lane lane = scan.lane();
    Reg passes;
    if (filter == null) {
      passes = b.pred(true);
    } else {
      lane.stage(List.of(filter));
      passes = lane.isTrue(filter.emit(lane));
    }
    add(0, b.select(passes, b.i32(1), b.i32(0)));
    if (filter != null && lane.needsGuard(arguments)) {
      b.ifThen(passes, () -> accumulate(arguments, null, sources));
    } else {
      accumulate(arguments, passes, sources);
    }
  }

  /** The arguments' types and nullability, found by writing them into a kernel thrown away. */
  private List<LaneValue> trialValues() {
    return head.lane().trialValues(arguments);
  }

  private int part(ReduceOp op, Type type) {
    Reg accumulator = b.variable(b.constant(type, Reductions.identity(op, type)));
    ReducePart part = new ReducePart(op, type, -1);
    int buffer = b.output("partial" + parts.size(), part.element());
    parts.add(new ReducePart(op, type, buffer));
    accumulators.add(accumulator);
    return parts.size() - 1;
  }

  private List<Sources> declareParts(List<LaneValue> types) {
    int[] counts = new int[arguments.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = types.get(i).isNullable() ? part(ReduceOp.ADD, Type.I32) : 0;
    }
    List<Sources> sources = new ArrayList<>();
    for (Aggregate aggregate : aggregates) {
      LaneProgram argument = aggregate.argument();
      int number = argument == null ? -1 : arguments.indexOf(argument);
      int count = number < 0 ? 0 : counts[number];
      Type type = number < 0 ? Type.I64 : numeric(types.get(number).type());
      sources.add(
          switch (aggregate.function()) {
            case COUNT -> new Sources(count, -1, -1, Type.I64);
            case SUM -> sumSources(count, type);
            case MIN -> new Sources(count, part(ReduceOp.MIN, OrderWords.type(type)), -1, type);
            case MAX -> new Sources(count, part(ReduceOp.MAX, OrderWords.type(type)), -1, type);
          });
    }
    return sources;
  }

  private Sources sumSources(int count, Type type) {
    return switch (type) {
      case I32, PRED -> new Sources(count, part(ReduceOp.ADD, Type.I64), -1, Type.I64);
      case I64 -> {
        int low = part(ReduceOp.ADD, Type.I64);
        yield new Sources(count, low, part(ReduceOp.ADD, Type.I64), Type.I64);
      }
      case F32, F64 -> new Sources(count, part(ReduceOp.ADD, Type.F64), -1, Type.F64);
    };
  }

  private static Type numeric(Type type) {
    return type == Type.PRED ? Type.I32 : type;
  }

  /**
   * Adds the scan's row.
   *
   * @param passes whether the row counts; null where it does
   */
  private void accumulate(List<LaneProgram> programs, @Nullable Reg passes, List<Sources> sources) {
    Lane lane = scan.lane();
    lane.stage(programs);
    for (LaneProgram program : programs) {
      LaneValue value = program.emit(lane);
      Reg present = value.present();
      Reg counts = both(passes, present);
      Reg number = value.type() == Type.PRED ? b.convert(value.value(), Type.I32) : value.value();
      boolean counted = false;
      for (int k = 0; k < aggregates.size(); k++) {
        if (program.equals(aggregates.get(k).argument())) {
          if (present != null && counts != null && !counted) {
            int part = sources.get(k).count();
            add(part, b.select(counts, b.i32(1), b.i32(0)));
            counted = true;
          }
          setValue(aggregates.get(k).function(), sources.get(k), number, counts);
        }
      }
    }
  }

  private @Nullable Reg both(@Nullable Reg p, @Nullable Reg q) {
    return p == null ? q : q == null ? p : b.and(p, q);
  }

  private void setValue(
      Aggregate.Function function, Sources source, Reg value, @Nullable Reg counts) {
    switch (function) {
      case COUNT -> {}
      case MIN, MAX -> setPart(source.value(), OrderWords.ordering(b, value), counts);
      case SUM -> {
        switch (value.type()) {
          case I32, PRED -> setPart(source.value(), b.convert(value, Type.I64), counts);
          case I64 -> {
            setPart(source.value(), b.and(value, 0xffffffffL), counts);
            setPart(source.high(), b.shr(value, 32), counts);
          }
          case F32 -> setPart(source.value(), b.convert(value, Type.F64), counts);
          case F64 -> setPart(source.value(), value, counts);
        }
      }
    }
  }

  private void setPart(int number, Reg value, @Nullable Reg counts) {
    if (counts == null) {
      add(number, value);
      return;
    }
    ReducePart part = parts.get(number);
    Reg identity = b.constant(part.type(), Reductions.identity(part.op(), part.type()));
    add(number, b.select(counts, value, identity));
  }

  /** Combines a lane's value with those of its rows before. */
  private void add(int number, Reg value) {
    Reg accumulator = accumulators.get(number);
    BinaryOp op =
        switch (parts.get(number).op()) {
          case ADD -> BinaryOp.ADD;
          case MIN -> BinaryOp.MIN;
          case MAX -> BinaryOp.MAX;
          case AND -> BinaryOp.AND;
          case OR -> BinaryOp.OR;
        };
    b.set(accumulator, b.binary(op, accumulator, value));
  }

  private void storeBlockResults() {
    List<Reg> results = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      results.add(b.blockReduce(parts.get(i).op(), accumulators.get(i)));
    }
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          for (int i = 0; i < parts.size(); i++) {
            b.store(parts.get(i).buffer(), b.block(), results.get(i));
          }
        });
  }
}
