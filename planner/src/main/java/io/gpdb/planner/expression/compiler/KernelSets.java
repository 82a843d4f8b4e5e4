package io.gpdb.planner.expression.compiler;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.StringCasts;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.planner.expression.kernel.ExpressionCompiler;
import io.gpdb.planner.expression.kernel.KernelCasts;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.planner.expression.kernel.KernelInputs;
import io.gpdb.sql.type.ExactComparisons;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.Sarg;
import org.jspecify.annotations.Nullable;

/**
 * {@code e IN (constants)} and {@code e NOT IN (constants)} with many constants: a search in a
 * table of the sorted values, or, of a string column, a table that says for each code whether it is
 * in the list. They come as one SEARCH, or as an OR of equalities (an AND of inequalities). Lists
 * shorter than {@link #CONSTANTS_MIN} are compared one by one.
 */
final class KernelSets {
  private static final int CONSTANTS_MIN = 32;

  /** More than these do not fit a kernel one by one. */
  private static final int COMPARISONS_MAX = 4096;

  private final ExpressionCompiler in;
  private final KernelInputs inputs;
  private final RexNode tested;
  private final List<RexLiteral> constants;
  private final boolean negated;
  private final RexUnknownAs nullAs;

  private KernelSets(
      ExpressionCompiler in,
      KernelInputs inputs,
      RexNode tested,
      List<RexLiteral> constants,
      boolean negated,
      RexUnknownAs nullAs) {
    this.in = in;
    this.inputs = inputs;
    this.tested = tested;
    this.constants = constants;
    this.negated = negated;
    this.nullAs = nullAs;
  }

  /** A SEARCH by a table; null where comparing one by one serves. */
  static @Nullable KernelExpression ofSearch(
      ExpressionCompiler in, KernelInputs inputs, RexBuilder rexBuilder, RexCall search)
      throws NotCovered {
    RexLiteral list = (RexLiteral) search.getOperands().get(1);
    Sarg<?> sarg = list.getValueAs(Sarg.class);
    if (sarg == null || sarg.rangeSet.asRanges().size() < CONSTANTS_MIN) {
      return null;
    }
    boolean points = sarg.isPoints();
    List<RexLiteral> constants = new ArrayList<>();
    if (points || sarg.isComplementedPoints()) {
      for (var range : (points ? sarg : sarg.negate()).rangeSet.asRanges()) {
        RexNode literal = rexBuilder.makeLiteral(range.lowerEndpoint(), list.getType(), true, true);
        if (RexUtil.removeCast(literal) instanceof RexLiteral plain) {
          constants.add(plain);
        }
      }
    }
    KernelExpression byTable =
        constants.size() < CONSTANTS_MIN
            ? null
            : new KernelSets(
                    in, inputs, search.getOperands().getFirst(), constants, !points, sarg.nullAs)
                .compile();
    return orOneByOne(byTable, sarg.rangeSet.asRanges().size());
  }

  /** An OR of equalities or AND of inequalities with one operand; null where it is not one. */
  static @Nullable KernelExpression ofJunction(
      ExpressionCompiler in, KernelInputs inputs, RexCall junction) throws NotCovered {
    List<RexNode> operands = junction.getOperands();
    if (operands.size() < CONSTANTS_MIN) {
      return null;
    }
    boolean negated = junction.getKind() == SqlKind.AND;
    RexNode tested = operands.getFirst() instanceof RexCall c ? c.getOperands().getFirst() : null;
    List<RexLiteral> constants = new ArrayList<>();
    for (RexNode operand : operands) {
      if (operand instanceof RexCall call
          && call.getKind() == (negated ? SqlKind.NOT_EQUALS : SqlKind.EQUALS)
          && call.getOperands().getFirst().equals(tested)
          && RexUtil.removeCast(call.getOperands().get(1)) instanceof RexLiteral constant
          && !constant.isNull()) {
        constants.add(constant);
      }
    }
    KernelExpression byTable =
        tested == null || constants.size() < operands.size()
            ? null
            : new KernelSets(in, inputs, tested, constants, negated, RexUnknownAs.UNKNOWN)
                .compile();
    return orOneByOne(byTable, operands.size());
  }

  private static @Nullable KernelExpression orOneByOne(
      @Nullable KernelExpression byTable, int comparisons) throws NotCovered {
    if (byTable == null && comparisons > COMPARISONS_MAX) {
      throw new NotCovered(comparisons + " comparisons");
    }
    return byTable;
  }

  private @Nullable KernelExpression compile() throws NotCovered {
    return StringCasts.removed(tested) instanceof RexInputRef column
            && inputs.typeOf(column.getIndex()).kind().isString()
            && StringCasts.isString(column)
        ? strings(column.getIndex())
        : numbers();
  }

  private @Nullable KernelExpression numbers() throws NotCovered {
    KernelExpression value = in.compile(tested);
    SqlTypeSpec common = common(value.type());
    Type register = common == null ? Type.PRED : KernelExpression.register(common);
    if (common == null || (register != Type.I32 && register != Type.I64)) {
      return null;
    }
    LaneProgram searched = KernelCasts.cast(value, common);
    long[] sorted = new long[constants.size()];
    for (int i = 0; i < sorted.length; i++) {
      RexLiteral constant = constants.get(i);
      SqlTypeSpec own = RexValues.spec(constant.getType());
      sorted[i] = HostValue.raw(common, HostCasts.cast(literal(constant), own, common));
    }
    Arrays.sort(sorted);
    Table table = inputs.table("set", register == Type.I32 ? Element.I32 : Element.I64);
    Parameter count = inputs.parameter("set_size", Type.I32);
    PlanTable elements = new PlanTable(elements(sorted, register));
    inputs.onBind(
        (lane, run) -> {
          lane.table(table, elements.kept());
          lane.parameter(count, sorted.length);
        });
    return KernelExpression.bool(
        lane -> {
          LaneValue x = searched.emit(lane);
          Reg size = lane.parameter(count).value();
          BinaryOperator<Reg> less = (at, y) -> lane.builder().lt(lane.lookUp(table, at), y);
          Reg at = lowerBound(lane.builder(), less, size, x.value());
          Reg last = lane.builder().sub(size, 1);
          Reg found = lane.lookUp(table, lane.builder().min(at, last));
          return answer(lane.builder(), lane.builder().eq(found, x.value()), x.present());
        });
  }

  /** The exact or temporal type that holds the value and every constant; null where none does. */
  private @Nullable SqlTypeSpec common(SqlTypeSpec value) throws NotCovered {
    SqlTypeSpec common = value;
    for (RexLiteral constant : constants) {
      SqlTypeSpec own = RexValues.spec(constant.getType());
      if (own.kind().isString()
          || common.kind().isString()
          || ExactComparisons.lackCommonType(common, own)) {
        return null;
      }
      common = KernelCasts.common(common, own);
    }
    return common;
  }

  private static Object literal(RexLiteral constant) throws NotCovered {
    Object value = RexValues.literal(constant);
    if (value == null) {
      throw new NotCovered("NULL in a list");
    }
    return value;
  }

  private static HostBuffer elements(long[] sorted, Type register) {
    int bytes = register == Type.I32 ? Integer.BYTES : Long.BYTES;
    HostBuffer elements = HostBuffer.collected((long) sorted.length * bytes);
    for (int i = 0; i < sorted.length; i++) {
      if (register == Type.I32) {
        elements.setInt(i, (int) sorted[i]);
      } else {
        elements.setLong(i, sorted[i]);
      }
    }
    return elements;
  }

  /** The first place of the table whose value is not less than x, or {@code size}. */
  private static Reg lowerBound(KernelBuilder b, BinaryOperator<Reg> less, Reg size, Reg x) {
    Reg from = b.variable(b.i32(0));
    Reg to = b.variable(size);
    b.whileLoop(
        () -> b.lt(from, to),
        () -> {
          Reg middle = b.ushr(b.add(from, to), 1);
          b.ifElse(
              less.apply(middle, x), () -> b.set(from, b.add(middle, 1)), () -> b.set(to, middle));
        });
    return from;
  }

  private KernelExpression strings(int column) throws NotCovered {
    SqlTypeSpec type = inputs.typeOf(column);
    List<byte[]> wanted = new ArrayList<>();
    for (RexLiteral constant : constants) {
      wanted.add(KernelStrings.padded(type, literal(constant)));
    }
    KernelExpression codes = inputs.column(column);
    KernelExpression.Strings domainOf = codes.strings();
    if (domainOf == null) {
      throw new IllegalStateException("string column " + column + " has no domain");
    }
    Table table = inputs.table("set" + column, Element.I8);
    inputs.onBind((lane, run) -> lane.table(table, members(domainOf.domain(run), wanted)));
    return KernelExpression.bool(
        lane -> {
          LaneValue code = codes.program().emit(lane);
          Reg isIn = lane.builder().ne(lane.lookUp(table, code.value()), 0);
          return answer(lane.builder(), isIn, code.present());
        });
  }

  /** One byte for each code, 1 where its string is wanted. */
  private static DeviceBuffer members(StringDomain domain, List<byte[]> wanted) {
    HostBuffer members = HostBuffer.collected(domain.size() + 1L);
    for (byte[] string : wanted) {
      int code = domain.find(string);
      if (code >= 0 && code <= domain.size()) {
        members.setByte(code, (byte) 1);
      }
    }
    return MemoryAccount.current().memory().keep(members);
  }

  private LaneValue answer(KernelBuilder b, Reg found, @Nullable Reg present) {
    Reg holds = negated ? b.not(found) : found;
    if (present == null || nullAs == RexUnknownAs.UNKNOWN) {
      return new LaneValue(holds, present);
    }
    return LaneValue.of(
        nullAs == RexUnknownAs.TRUE ? b.or(holds, b.not(present)) : b.and(holds, present));
  }
}
