package io.gpdb.exec.library.lane;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LaneProgram} writes into: the kernel's builder, and its inputs as registers.
 *
 * <p>A kernel opens a <i>stage</i> for programs that run one after the other: the columns that they
 * read are loaded once, at the stage's head, so that {@link #column} returns a valid register at
 * any nesting. To know those columns, the stage first runs its programs into a kernel that is
 * thrown away.
 */
public final class Lane {
  private final KernelBuilder builder;
  private final LaneInputs inputs;
  private final LaneVariant variant;
  private final LaneLayout layout;
  private final Reg row;
  private final Map<Integer, Reg> parameters;
  private final BitSet stored;
  private final Reg storedRow;
  private final String prefix;
  private final @Nullable Reg matched;
  private @Nullable Map<Integer, LaneValue> loaded;
  private final TreeSet<Integer> columnsRead = new TreeSet<>();
  private boolean looksUp;

  public Lane(KernelBuilder builder, LaneInputs inputs, LaneVariant variant, Reg row) {
    this(builder, inputs, variant, row, "");
  }

  /**
   * @param prefix of the names of what the programs read
   */
  public Lane(
      KernelBuilder builder, LaneInputs inputs, LaneVariant variant, Reg row, String prefix) {
    this(
        builder,
        inputs,
        variant,
        new LaneLayout(inputs),
        row,
        new HashMap<>(),
        new BitSet(),
        row,
        prefix);
  }

  private Lane(
      KernelBuilder builder,
      LaneInputs inputs,
      LaneVariant variant,
      LaneLayout layout,
      Reg row,
      Map<Integer, Reg> parameters,
      BitSet stored,
      Reg storedRow,
      String prefix) {
    this.builder = builder;
    this.inputs = inputs;
    this.variant = variant;
    this.layout = layout;
    this.row = row;
    this.parameters = parameters;
    this.stored = stored;
    this.storedRow = storedRow;
    this.prefix = prefix;
    matched = variant.match() == null ? null : builder.variable(builder.i32(-1));
  }

  /** The same kernel's lane at another row. */
  public Lane at(Reg otherRow) {
    return at(otherRow, new BitSet(), otherRow);
  }

  private Lane at(Reg otherRow, BitSet numbers, Reg rowOfNumbers) {
    return new Lane(
        builder, inputs, variant, layout, otherRow, parameters, numbers, rowOfNumbers, prefix);
  }

  /** At row {@code position} of a batch, with the inputs of a tablet at a row of their own. */
  public Lane at(Reg position, Reg rowInTablet, List<LaneInputs.Stored> inTablet) {
    BitSet numbers = new BitSet();
    inTablet.forEach(s -> numbers.set(s.input().number()));
    return at(position, numbers, rowInTablet);
  }

  public KernelBuilder builder() {
    return builder;
  }

  /** The row's number in the launch, i32. */
  public Reg row() {
    return row;
  }

  /** The column's value of this row. */
  public LaneValue column(Column column) {
    columnsRead.add(column.number());
    LaneValue value = loaded == null ? null : loaded.get(column.number());
    return value == null ? load(column) : value;
  }

  public LaneValue parameter(Parameter parameter) {
    if (variant.nullParameters().get(parameter.number())) {
      return new LaneValue(builder.constant(parameter.type(), 0), builder.pred(false));
    }
    Reg known = parameters.get(parameter.number());
    if (known == null) {
      layout.parameterScalar(parameter.number(), builder.scalarCount());
      known = builder.scalar(name("p", parameter.number(), parameter.name()), parameter.type());
      parameters.put(parameter.number(), known);
    }
    return LaneValue.of(known);
  }

  /** {@code table[index]}; an index outside the table traps with {@link Op#OUT_OF_RANGE}. */
  public Reg lookUp(Table table, Reg index) {
    looksUp = true;
    if (!layout.hasTable(table.number())) {
      layout.tableBuffer(
          table.number(), builder.input(name("t", table.number(), table.name()), table.element()));
    }
    return builder.load(layout.tableBuffer(table.number()), index);
  }

  /** The row fails with {@code code} (1 to {@link KernelLibrary#USER_TRAP_MAX}) where p holds. */
  public void trap(Reg p, int code) {
    if (code < 1 || code > KernelLibrary.USER_TRAP_MAX) {
      throw new IllegalArgumentException(
          "trap code=" + code + ", limit=" + KernelLibrary.USER_TRAP_MAX);
    }
    builder.trap(p, code, row);
  }

  /** SQL's "is true": the predicate holds and is not NULL. */
  public Reg isTrue(LaneValue condition) {
    if (condition.type() != Type.PRED) {
      throw new IllegalArgumentException("condition is " + condition.type().text());
    }
    Reg present = condition.present();
    return present == null
        ? condition.value()
        : builder.binary(BinaryOp.AND, condition.value(), present);
  }

  /** Bit {@code index} of a bitmap in i32 words. */
  public static Reg bit(KernelBuilder b, int bitmap, Reg index) {
    Reg word = b.load(bitmap, b.ushr(index, 5));
    Reg count = index.type() == Type.I32 ? index : b.convert(index, Type.I32);
    return b.ne(b.and(b.ushr(word, count), 1), 0);
  }

  /** A parameter's name, apart from all others whatever the planner calls it. */
  private String name(String kind, int number, String given) {
    return KernelLibrary.identifier(prefix + kind + number + "_" + given);
  }

  public LaneLayout layout() {
    return layout;
  }

  /** Loads at this point what the programs read, for all that follows in this nesting. */
  public void stage(List<LaneProgram> programs) {
    Lane trial = trial(programs);
    Map<Integer, LaneValue> stageValues = new HashMap<>();
    for (int column : trial.columnsRead) {
      stageValues.put(column, load(inputs.column(column)));
    }
    loaded = stageValues;
  }

  /** Whether running the programs for a row whose result is not wanted could trap or be slow. */
  public boolean needsGuard(List<LaneProgram> programs) {
    Lane trial = trial(programs);
    return trial.looksUp || needsGuardIn(trial.builder.build().body());
  }

  private static boolean needsGuardIn(List<Op> ops) {
    for (Op op : ops) {
      if (op instanceof Op.Trap || op instanceof Op.If || op instanceof Op.While) {
        return true;
      }
      if (op instanceof Op.Binary binary
          && (binary.op() == BinaryOp.DIV || binary.op() == BinaryOp.REM)
          && (binary.a().type() == Type.I32 || binary.a().type() == Type.I64)) {
        return true;
      }
    }
    return false;
  }

  /** What the programs compute, in registers of a kernel thrown away: for types and nullability. */
  public List<LaneValue> trialValues(List<LaneProgram> programs) {
    return trialValues(inputs, variant, programs);
  }

  public static List<LaneValue> trialValues(
      LaneInputs inputs, LaneVariant variant, List<LaneProgram> programs) {
    KernelBuilder scratch = new KernelBuilder("trial");
    Lane trial = new Lane(scratch, inputs, variant, scratch.global());
    return programs.stream().map(program -> program.emit(trial)).toList();
  }

  private Lane trial(List<LaneProgram> programs) {
    KernelBuilder scratch = new KernelBuilder("trial");
    Lane trial = new Lane(scratch, inputs, variant, scratch.global());
    programs.forEach(program -> program.emit(trial));
    return trial;
  }

  /**
   * Writes {@code body} where the scan wants the row.
   *
   * @param found the row of the other table, -1 for none
   */
  void ifMatched(Reg found, Runnable body) {
    RowMatch.Shape match = Objects.requireNonNull(variant.match());
    builder.set(Objects.requireNonNull(matched), found);
    switch (match.passing()) {
      case FOUND -> builder.ifThen(builder.ge(found, builder.i32(0)), body);
      case NOT_FOUND -> builder.ifThen(builder.lt(found, builder.i32(0)), body);
      case ALL -> body.run();
    }
  }

  private LaneValue load(Column column) {
    RowMatch.Shape match = variant.match();
    Reg other = matched;
    if (match == null || other == null || !match.inputs().get(column.number())) {
      return load(column, stored.get(column.number()) ? storedRow : row);
    }
    return match.passing() == RowMatch.Passing.ALL
        ? loadIfFound(column, other)
        : load(column, other);
  }

  /** NULL where there is no row. */
  private LaneValue loadIfFound(Column column, Reg at) {
    Reg value = builder.variable(builder.constant(column.element().register(), 0));
    Reg present = builder.variable(builder.pred(false));
    builder.ifThen(
        builder.ge(at, builder.i32(0)),
        () -> {
          LaneValue loaded = load(column, at);
          Reg loadedPresent = loaded.present();
          builder.set(value, loaded.value());
          builder.set(present, loadedPresent == null ? builder.pred(true) : loadedPresent);
        });
    return new LaneValue(value, present);
  }

  private LaneValue load(Column column, Reg at) {
    int number = column.number();
    if (!layout.hasColumn(number)) {
      layout.columnBuffer(
          number, builder.input(name("c", number, column.name()), column.element()));
    }
    Reg value = builder.load(layout.columnBuffer(number), at);
    if (!variant.validity().get(number)) {
      return LaneValue.of(value);
    }
    if (!layout.hasValidity(number)) {
      layout.validityBuffer(
          number, builder.input(name("v", number, column.name()), Kernel.Element.I32));
    }
    return new LaneValue(value, bit(builder, layout.validityBuffer(number), at));
  }
}
