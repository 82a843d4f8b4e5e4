package io.gpdb.planner.expression;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.jspecify.annotations.Nullable;

/**
 * The expressions of one kernel: compiles row expressions into lane programs over the columns of
 * one input, remembers what must be bound before a launch, and binds it.
 *
 * <p>Strings are codes. A function of one string column becomes a {@link LookUp}; equality with a
 * constant compares codes; whatever else mixes strings is not covered.
 */
public final class KernelExpressions {
  private static final Pattern BLANKS = Pattern.compile(" +$");

  private final LaneInputs inputs = new LaneInputs();
  private final List<SqlTypeSpec> columnTypes;
  private final RexBuilder rexBuilder;
  private final HostCompiler host;
  private final TreeMap<Integer, Column> columns = new TreeMap<>();
  private final List<Binding> bindings = new ArrayList<>();
  private final List<LookUp> lookUps = new ArrayList<>();

  /** Something that is bound before each launch sequence. */
  @FunctionalInterface
  interface Binding {
    void bind(LaneBindings lane, RunInputs run);
  }

  public KernelExpressions(List<SqlTypeSpec> columnTypes, RexBuilder rexBuilder) {
    this.columnTypes = List.copyOf(columnTypes);
    this.rexBuilder = rexBuilder;
    this.host = new HostCompiler(rexBuilder);
  }

  public LaneInputs inputs() {
    return inputs;
  }

  SqlTypeSpec typeOf(int column) {
    return columnTypes.get(column);
  }

  void onBind(Binding binding) {
    bindings.add(binding);
  }

  /** The input columns that the compiled expressions read, ascending. */
  public int[] columnsRead() {
    return columns.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** How an input column that is read is known to the kernel. */
  public Column laneColumn(int column) {
    Column known = columns.get(column);
    if (known == null) {
      throw new IllegalArgumentException("column " + column + " is not read");
    }
    return known;
  }

  /** Binds parameters and look-up tables; the columns are bound for each launch. */
  public void bind(LaneBindings lane, RunInputs run) {
    for (Binding binding : bindings) {
      binding.bind(lane, run);
    }
  }

  GpdbException lookUpFailure(KernelTrap trap) {
    for (LookUp lookUp : lookUps) {
      GpdbException failure = lookUp.failure();
      if (failure != null) {
        return new GpdbException(failure.code(), String.valueOf(failure.getMessage()), trap);
      }
    }
    return new GpdbException(ErrorCode.INTERNAL, "a look-up failed without a reason", trap);
  }

  /**
   * The program that gives what a column stores for a value: in its type, in range, and present
   * where the column is NOT NULL; else it traps.
   *
   * @param unchanged whether every value of the expression's type is stored as it is
   */
  public LaneProgram assigned(
      KernelExpression value, SqlTypeSpec column, boolean unchanged, boolean nullable)
      throws NotCovered {
    LaneProgram stored = unchanged ? value.program() : KernelCasts.assignment(value, column);
    if (value.type().kind().isString()) {
      throw new NotCovered("assignment of strings");
    }
    if (nullable) {
      return stored;
    }
    return lane -> {
      LaneValue result = stored.emit(lane);
      Reg present = result.present();
      if (present != null) {
        lane.trap(lane.builder().not(present), TrapCodes.NULL_VALUE);
      }
      return LaneValue.of(result.value());
    };
  }

  /** An expression of which only TRUE counts. */
  public KernelExpression condition(RexNode node) throws NotCovered {
    return compile(LazyLogic.condition(rexBuilder, node));
  }

  public KernelExpression compile(RexNode node) throws NotCovered {
    return switch (node) {
      case RexInputRef input -> column(input.getIndex());
      case RexLiteral literal -> literal(literal);
      case RexDynamicParam parameter -> parameter(parameter);
      case RexCall call -> call(call);
      default -> throw new NotCovered(node.toString());
    };
  }

  /** The plain value of an input column. */
  public KernelExpression column(int index) {
    SqlTypeSpec type = columnTypes.get(index);
    Column column = laneColumnFor(index);
    if (type.kind() == Kind.BOOLEAN) {
      return KernelExpression.number(
          type,
          lane -> {
            LaneValue value = lane.column(column);
            return new LaneValue(lane.builder().ne(value.value(), 0), value.present());
          });
    }
    return new KernelExpression(
        type,
        lane -> lane.column(column),
        type.kind().isString() ? run -> requireDomain(run, index) : null);
  }

  private static StringDomain requireDomain(RunInputs run, int index) {
    StringDomain domain = run.domain(index);
    if (domain == null) {
      throw new IllegalStateException("string column " + index + " has no domain");
    }
    return domain;
  }

  private Column laneColumnFor(int index) {
    return columns.computeIfAbsent(
        index, i -> inputs.column("col" + i, LaneInputs.element(columnTypes.get(i).element())));
  }

  /** The register type of a stored type; booleans are predicates. */
  static Type register(SqlTypeSpec type) {
    return switch (type.kind()) {
      case BOOLEAN -> Type.PRED;
      case SMALLINT, INTEGER, DATE, CHAR, VARCHAR, VARBINARY -> Type.I32;
      case BIGINT, DECIMAL, TIME, TIMESTAMP -> Type.I64;
      case REAL -> Type.F32;
      case DOUBLE -> Type.F64;
    };
  }

  private KernelExpression literal(RexLiteral literal) throws NotCovered {
    SqlTypeSpec type = HostCompiler.spec(literal.getType());
    Object value = HostCompiler.literal(literal);
    Type register = register(type);
    if (value == null) {
      return noValue(type);
    }
    if (type.kind().isString()) {
      StringDomain.Made domain = new StringDomain.Made();
      int code = domain.intern(HostValue.bytes(value));
      return new KernelExpression(
          type, lane -> LaneValue.of(lane.builder().i32(code)), run -> domain);
    }
    // A scalar and not a constant of the text: statements that differ in literals share a kernel.
    long raw = HostValue.raw(type, value);
    Parameter scalar = inputs.parameter("literal", register);
    bindings.add((binding, run) -> binding.parameter(scalar, raw));
    return KernelExpression.number(type, lane -> lane.parameter(scalar));
  }

  /** The NULL of a type. */
  static KernelExpression noValue(SqlTypeSpec type) {
    Type register = register(type);
    StringDomain.Made none = new StringDomain.Made();
    return new KernelExpression(
        type,
        lane -> new LaneValue(lane.builder().constant(register, 0), lane.builder().pred(false)),
        type.kind().isString() ? run -> none : null);
  }

  private KernelExpression parameter(RexDynamicParam parameter) throws NotCovered {
    SqlTypeSpec type = HostCompiler.spec(parameter.getType());
    int index = parameter.getIndex();
    if (type.kind().isString()) {
      return stringParameter(index, type);
    }
    Parameter lane = inputs.parameter("param" + index, register(type));
    bindings.add(
        (binding, run) -> {
          if (run.parameters().isNull(index)) {
            binding.parameterNull(lane);
          } else {
            binding.parameter(lane, run.parameters().raw(index));
          }
        });
    return KernelExpression.number(type, l -> l.parameter(lane));
  }

  /** A bound string: the only one of a domain that each execution has for itself. */
  private KernelExpression stringParameter(int index, SqlTypeSpec type) {
    Parameter code = inputs.parameter("param" + index, Type.I32);
    Map<RunInputs, StringDomain.Made> domains = Collections.synchronizedMap(new WeakHashMap<>());
    bindings.add(
        (binding, run) -> {
          if (run.parameters().isNull(index)) {
            binding.parameterNull(code);
          } else {
            StringDomain.Made domain = domains.computeIfAbsent(run, r -> new StringDomain.Made());
            binding.parameter(code, domain.intern(run.parameters().bytes(index)));
          }
        });
    return new KernelExpression(
        type,
        lane -> lane.parameter(code),
        run -> domains.computeIfAbsent(run, r -> new StringDomain.Made()));
  }

  private KernelExpression now(SqlTypeSpec type) {
    Parameter scalar = inputs.parameter("now", register(type));
    bindings.add(
        (binding, run) ->
            binding.parameter(scalar, StatementTime.of(run.parameters(), type.kind())));
    return KernelExpression.number(type, lane -> lane.parameter(scalar));
  }

  private KernelExpression call(RexCall call) throws NotCovered {
    switch (call.getKind()) {
      case SEARCH -> {
        KernelExpression byTable = KernelSets.ofSearch(this, rexBuilder, call);
        return byTable != null ? byTable : compile(RexUtil.expandSearch(rexBuilder, null, call));
      }
      case AND, OR -> {
        KernelExpression byTable = KernelSets.ofJunction(this, call);
        if (byTable != null) {
          return byTable;
        }
      }
      case EQUALS, NOT_EQUALS -> {
        KernelExpression strings = stringEquality(call);
        if (strings != null) {
          return strings;
        }
      }
      default -> {}
    }
    if (StatementTime.isAsked(call)) {
      return now(HostCompiler.spec(call.getType()));
    }
    KernelExpression lookUp = lookUp(call);
    if (lookUp != null) {
      return lookUp;
    }
    return KernelCalls.compile(this, call);
  }

  /** Column = constant or parameter by code; column = column by translation. */
  private @Nullable KernelExpression stringEquality(RexCall call) throws NotCovered {
    RexNode left = StringCasts.removed(call.getOperands().get(0));
    RexNode right = StringCasts.removed(call.getOperands().get(1));
    if (!StringCasts.isString(left) || !StringCasts.isString(right)) {
      return null;
    }
    boolean negated = call.getKind() == SqlKind.NOT_EQUALS;
    for (boolean swapped : new boolean[] {false, true}) {
      RexInputRef padded = paddedColumn(swapped ? right : left);
      RexNode other = swapped ? left : right;
      if (padded != null && RexUtil.isConstant(other)) {
        return equalsConstant(padded.getIndex(), host.compile(other), negated);
      }
    }
    if (left instanceof RexInputRef a && right instanceof RexInputRef b) {
      return columnsEqual(a.getIndex(), b.getIndex(), negated);
    }
    if (right instanceof RexInputRef) {
      RexNode swap = left;
      left = right;
      right = swap;
    }
    if (!(left instanceof RexInputRef input) || !StringCasts.isConstant(right)) {
      return null;
    }
    return equalsConstant(input.getIndex(), host.compile(right), negated);
  }

  /** The CHAR column in a call that cuts its blanks; its codes stand for padded strings. */
  private @Nullable RexInputRef paddedColumn(RexNode node) throws NotCovered {
    if (!(node instanceof RexCall trim)
        || trim.getKind() != SqlKind.TRIM
        || !(trim.getOperands().get(0) instanceof RexLiteral flag)
        || flag.getValueAs(SqlTrimFunction.Flag.class) != SqlTrimFunction.Flag.TRAILING
        || !(trim.getOperands().get(1) instanceof RexLiteral blank)
        || !" ".equals(blank.getValueAs(String.class))
        || !(StringCasts.removed(trim.getOperands().get(2)) instanceof RexInputRef column)) {
      return null;
    }
    return columnTypes.get(column.getIndex()).kind() == Kind.CHAR ? column : null;
  }

  private KernelExpression equalsConstant(int index, HostExpression constant, boolean negated) {
    SqlTypeSpec type = columnTypes.get(index);
    Parameter code = inputs.parameter("code" + index, Type.I32);
    bindings.add(
        (lane, run) -> {
          Object value = constant.evaluate(new ParametersOnly(run.parameters()));
          if (value == null) {
            lane.parameterNull(code);
          } else {
            lane.parameter(code, requireDomain(run, index).find(padded(type, value)));
          }
        });
    Column column = laneColumnFor(index);
    return KernelExpression.number(
        SqlTypeSpec.BOOLEAN,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue value = lane.column(column);
          LaneValue wanted = lane.parameter(code);
          Reg equal =
              negated ? b.ne(value.value(), wanted.value()) : b.eq(value.value(), wanted.value());
          return new LaneValue(equal, KernelLogic.both(b, value, wanted));
        });
  }

  /** CHAR(n) is stored padded, and compares as if the constant were padded too. */
  static byte[] padded(SqlTypeSpec type, Object value) {
    if (type.kind() != Kind.CHAR) {
      return HostValue.bytes(value);
    }
    String text = BLANKS.matcher((String) value).replaceFirst("");
    int missing = type.precision() - text.codePointCount(0, text.length());
    return (text + " ".repeat(Math.max(0, missing))).getBytes(StandardCharsets.UTF_8);
  }

  private KernelExpression columnsEqual(int left, int right, boolean negated) {
    Column a = laneColumnFor(left);
    Column b = laneColumnFor(right);
    Table table = inputs.table("codes" + left + "_" + right, Element.I32);
    Translation translation = new Translation();
    bindings.add(
        (lane, run) ->
            lane.table(
                table, translation.table(requireDomain(run, left), requireDomain(run, right))));
    return KernelExpression.number(
        SqlTypeSpec.BOOLEAN,
        lane -> {
          KernelBuilder k = lane.builder();
          LaneValue x = lane.column(a);
          LaneValue y = lane.column(b);
          Reg translated = lane.lookUp(table, x.value());
          Reg equal = negated ? k.ne(translated, y.value()) : k.eq(translated, y.value());
          return new LaneValue(equal, KernelLogic.both(k, x, y));
        });
  }

  /** The codes of a string expression as codes of another domain, -1 where that lacks them. */
  public KernelExpression translated(KernelExpression expression, KernelExpression.Strings target) {
    Table table = inputs.table("translated", Element.I32);
    Translation translation = new Translation();
    KernelExpression.Strings source = expression.strings();
    if (source == null) {
      throw new IllegalArgumentException("not a string");
    }
    bindings.add(
        (lane, run) ->
            lane.table(table, translation.table(source.domain(run), target.domain(run))));
    LaneProgram program = expression.program();
    return new KernelExpression(
        expression.type(),
        lane -> {
          LaneValue value = program.emit(lane);
          return new LaneValue(lane.lookUp(table, value.value()), value.present());
        },
        target);
  }

  /** A function of one string column, if this is one and the host can evaluate it. */
  private @Nullable KernelExpression lookUp(RexCall call) throws NotCovered {
    Set<Integer> read = new TreeSet<>();
    boolean[] usesParameters = new boolean[1];
    call.accept(
        new RexVisitorImpl<Void>(true) {
          @Override
          public @Nullable Void visitInputRef(RexInputRef input) {
            read.add(input.getIndex());
            return null;
          }

          @Override
          public @Nullable Void visitDynamicParam(RexDynamicParam parameter) {
            usesParameters[0] = true;
            return null;
          }
        });
    if (read.size() != 1) {
      return null;
    }
    int index = read.iterator().next();
    SqlTypeSpec columnType = columnTypes.get(index);
    if (!columnType.kind().isString()) {
      return null;
    }
    SqlTypeSpec type = HostCompiler.spec(call.getType());
    HostExpression function = host.compile(call);
    Table values = inputs.table("values" + index, LaneInputs.element(type.element()));
    Table states = inputs.table("states" + index, Element.I8);
    LookUp lookUp =
        new LookUp(index, columnType, type, function, usesParameters[0], values, states);
    lookUps.add(lookUp);
    bindings.add(lookUp::bind);
    Column column = laneColumnFor(index);
    return new KernelExpression(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue code = lane.column(column);
          Reg present = code.present();
          Reg at =
              present == null
                  ? b.add(code.value(), 1)
                  : b.select(present, b.add(code.value(), 1), b.i32(0));
          Reg state = lane.lookUp(states, at);
          lane.trap(b.eq(state, LookUp.ERROR), TrapCodes.LOOK_UP);
          Reg value = lane.lookUp(values, at);
          Reg typed = type.kind() == Kind.BOOLEAN ? b.ne(value, 0) : value;
          return new LaneValue(typed, b.eq(state, LookUp.PRESENT));
        },
        type.kind().isString() ? lookUp::strings : null);
  }

  /** A row without columns. */
  private record ParametersOnly(io.gpdb.planner.statement.ParameterValues parameters)
      implements HostRow {
    @Override
    public @Nullable Object column(int index) {
      throw new IllegalStateException("a constant reads no column");
    }
  }
}
