package io.gpdb.planner.expression.compiler;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringCasts;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.Translation;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.planner.expression.kernel.KernelInputs;
import io.gpdb.planner.expression.kernel.KernelLogic;
import io.gpdb.planner.expression.kernel.TrapCodes;
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
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
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
 * Strings in kernels, where they are codes: a function of one string column becomes a {@link
 * LookUp}; equality with a constant compares codes; whatever else mixes strings is not covered.
 */
final class KernelStrings {
  private static final Pattern BLANKS = Pattern.compile(" +$");

  private final KernelInputs inputs;
  private final HostCompiler host;
  private final List<LookUp> lookUps = new ArrayList<>();

  KernelStrings(KernelInputs inputs, HostCompiler host) {
    this.inputs = inputs;
    this.host = host;
  }

  /** A bound string: the only one of a domain that each execution has for itself. */
  KernelExpression parameter(int index, SqlTypeSpec type) {
    Parameter code = inputs.parameter("param" + index, Type.I32);
    Map<RunInputs, StringDomain.Made> domains = Collections.synchronizedMap(new WeakHashMap<>());
    inputs.onBind(
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

  /** Column = constant or parameter by code; column = column by translation. */
  @Nullable KernelExpression equality(RexCall call) throws NotCovered {
    RexNode left = StringCasts.removed(call.getOperands().get(0));
    RexNode right = StringCasts.removed(call.getOperands().get(1));
    Kind kind = RexValues.spec(left.getType()).kind();
    boolean coded = kind == Kind.WIDE_DECIMAL || kind == Kind.UUID;
    if (coded && RexValues.spec(right.getType()).kind() == kind) {
      return codedEquality(left, right, call.getKind() == SqlKind.NOT_EQUALS);
    }
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

  /** As of strings, of UUIDs and of decimals with the same digits after the point. */
  private @Nullable KernelExpression codedEquality(RexNode left, RexNode right, boolean negated)
      throws NotCovered {
    if (left.getType().getScale() != right.getType().getScale()) {
      return null;
    }
    if (left instanceof RexInputRef a && right instanceof RexInputRef b) {
      return columnsEqual(a.getIndex(), b.getIndex(), negated);
    }
    boolean swapped = !(left instanceof RexInputRef);
    RexNode column = swapped ? right : left;
    RexNode constant = swapped ? left : right;
    boolean plain = constant instanceof RexLiteral || constant instanceof RexDynamicParam;
    return plain && column instanceof RexInputRef input
        ? equalsConstant(input.getIndex(), host.compile(constant), negated)
        : null;
  }

  /** The CHAR column in a call that cuts its blanks; its codes are those of padded strings. */
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
    return inputs.typeOf(column.getIndex()).kind() == Kind.CHAR ? column : null;
  }

  private KernelExpression equalsConstant(int index, HostExpression constant, boolean negated) {
    SqlTypeSpec type = inputs.typeOf(index);
    Parameter code = inputs.parameter("code" + index, Type.I32);
    inputs.onBind(
        (lane, run) -> {
          Object value = constant.evaluate(new ParametersOnly(run.parameters()));
          if (value == null) {
            lane.parameterNull(code);
          } else {
            lane.parameter(code, KernelInputs.requireDomain(run, index).find(padded(type, value)));
          }
        });
    Column column = inputs.read(index);
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
      return HostValue.bytes(type, value);
    }
    String text = BLANKS.matcher((String) value).replaceFirst("");
    int missing = type.precision() - text.codePointCount(0, text.length());
    return (text + " ".repeat(Math.max(0, missing))).getBytes(StandardCharsets.UTF_8);
  }

  private KernelExpression columnsEqual(int left, int right, boolean negated) {
    Column a = inputs.read(left);
    Column b = inputs.read(right);
    Table table = inputs.table("codes" + left + "_" + right, Element.I32);
    Translation translation = new Translation();
    inputs.onBind(
        (lane, run) ->
            lane.table(
                table,
                translation.table(
                    KernelInputs.requireDomain(run, left),
                    KernelInputs.requireDomain(run, right))));
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

  /** A function of one string column, if this is one and the host can evaluate it. */
  @Nullable KernelExpression lookUp(RexCall call) throws NotCovered {
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
    if (read.size() != 1 || !RexUtil.isDeterministic(call)) {
      return null; // each row has its own random UUID, or number of a sequence
    }
    int index = read.iterator().next();
    SqlTypeSpec columnType = inputs.typeOf(index);
    if (!columnType.kind().isString()) {
      return null;
    }
    SqlTypeSpec type = RexValues.spec(call.getType());
    HostExpression function = host.compile(call);
    Table values =
        type.kind() == Kind.BOOLEAN
            ? null
            : inputs.table("values" + index, LaneInputs.element(type.element()));
    Table states = inputs.table("states" + index, Element.I8);
    LookUp lookUp =
        new LookUp(index, columnType, type, function, usesParameters[0], values, states);
    lookUps.add(lookUp);
    inputs.onBind(lookUp::bind);
    Column column = inputs.read(index);
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
          return values == null
              ? new LaneValue(b.eq(state, LookUp.TRUE), b.ne(b.and(state, LookUp.PRESENT), 0))
              : new LaneValue(lane.lookUp(values, at), b.eq(state, LookUp.PRESENT));
        },
        type.kind().isString() ? lookUp::strings : null);
  }

  /** The codes of a string expression as codes of another domain, -1 where that lacks them. */
  KernelExpression translated(KernelExpression expression, KernelExpression.Strings target) {
    Table table = inputs.table("translated", Element.I32);
    Translation translation = new Translation();
    KernelExpression.Strings source = expression.strings();
    if (source == null) {
      throw new IllegalArgumentException("not a string");
    }
    inputs.onBind(
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

  /** The error of the look-up that failed. */
  GpdbException failure(KernelTrap trap) {
    for (LookUp lookUp : lookUps) {
      GpdbException failure = lookUp.failure();
      if (failure != null) {
        return new GpdbException(failure.code(), String.valueOf(failure.getMessage()), trap);
      }
    }
    return new GpdbException(ErrorCode.INTERNAL, "a look-up failed without a reason", trap);
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
