package io.gpdb.planner.expression.compiler;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.StatementTime;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.kernel.ExpressionCompiler;
import io.gpdb.planner.expression.kernel.KernelCasts;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.planner.expression.kernel.KernelInputs;
import io.gpdb.planner.expression.kernel.KernelSums;
import io.gpdb.planner.expression.kernel.KernelValues;
import io.gpdb.planner.expression.kernel.TrapCodes;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * The expressions of one kernel: compiles row expressions into lane programs over the columns of
 * one input, remembers what must be bound before a launch, and binds it.
 */
public final class KernelExpressions implements ExpressionCompiler, KernelValues {
  private final KernelInputs inputs;
  private final RexBuilder rexBuilder;
  private final KernelStrings strings;

  public KernelExpressions(List<SqlTypeSpec> columnTypes, RexBuilder rexBuilder) {
    this.inputs = new KernelInputs(columnTypes);
    this.rexBuilder = rexBuilder;
    this.strings = new KernelStrings(inputs, new HostCompiler(rexBuilder));
  }

  @Override
  public KernelInputs reads() {
    return inputs;
  }

  /**
   * The program that computes what a column stores for a value: in its type, in range, and present
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
    return KernelSums.stored(stored, nullable);
  }

  @Override
  public KernelExpression condition(RexNode node) throws NotCovered {
    return compile(LazyLogic.condition(rexBuilder, node));
  }

  @Override
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
    return inputs.column(index);
  }

  private KernelExpression literal(RexLiteral literal) throws NotCovered {
    SqlTypeSpec type = RexValues.spec(literal.getType());
    Object value = RexValues.literal(literal);
    if (value == null) {
      return KernelExpression.noValue(type);
    }
    if (type.kind().isString()) {
      StringDomain.Made domain = new StringDomain.Made();
      int code = domain.intern(HostValue.bytes(type, value));
      return new KernelExpression(
          type, lane -> LaneValue.of(lane.builder().i32(code)), run -> domain);
    }
    return inputs.number(type, HostValue.raw(type, value));
  }

  private KernelExpression parameter(RexDynamicParam parameter) throws NotCovered {
    SqlTypeSpec type = RexValues.spec(parameter.getType());
    int index = parameter.getIndex();
    if (type.kind().isString()) {
      return strings.parameter(index, type);
    }
    Parameter lane = inputs.parameter("param" + index, KernelExpression.register(type));
    inputs.onBind(
        (binding, run) -> {
          if (run.parameters().isNull(index)) {
            binding.parameterNull(lane);
          } else {
            binding.parameter(lane, run.parameters().raw(index));
          }
        });
    return KernelExpression.number(type, l -> l.parameter(lane));
  }

  @Override
  public KernelExpression now(RexCall call) throws NotCovered {
    SqlTypeSpec type = RexValues.spec(call.getType());
    Parameter scalar = inputs.parameter("now", KernelExpression.register(type));
    inputs.onBind(
        (binding, run) ->
            binding.parameter(scalar, StatementTime.of(run.parameters(), type.kind())));
    return KernelExpression.number(type, lane -> lane.parameter(scalar));
  }

  private KernelExpression call(RexCall call) throws NotCovered {
    switch (call.getKind()) {
      case SEARCH -> {
        KernelExpression byTable = KernelSets.ofSearch(this, inputs, rexBuilder, call);
        return byTable != null ? byTable : compile(RexUtil.expandSearch(rexBuilder, null, call));
      }
      case AND, OR -> {
        KernelExpression byTable = KernelSets.ofJunction(this, inputs, call);
        if (byTable != null) {
          return byTable;
        }
      }
      case EQUALS, NOT_EQUALS -> {
        KernelExpression byCode = strings.equality(call);
        if (byCode != null) {
          return byCode;
        }
      }
      default -> {}
    }
    KernelExpression lookUp = strings.lookUp(call);
    if (lookUp != null) {
      return lookUp;
    }
    ScalarFunction function = Functions.of(call);
    if (function == null || function.kernel() == null) {
      throw new NotCovered(call.getOperator().getName());
    }
    return function.kernel().compile(this, call);
  }

  /** The codes of a string expression as codes of another domain, -1 where that lacks them. */
  public KernelExpression translated(KernelExpression expression, KernelExpression.Strings target) {
    return strings.translated(expression, target);
  }

  @Override
  public GpdbException failure(KernelTrap trap) {
    return trap.code() == TrapCodes.LOOK_UP ? strings.failure(trap) : TrapCodes.translate(trap);
  }
}
