package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.sql.tree.LazyLogic;
import io.gpdb.sql.tree.Raising;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Logic, CASE, COALESCE, GREATEST and LEAST in kernels. */
public final class KernelCalls {
  /** Nested branches of a CASE; those of a longer one are not nested. */
  private static final int NESTED_BRANCHES_MAX = 8;

  private KernelCalls() {}

  public static KernelExpression not(ExpressionCompiler in, RexCall call) throws NotCovered {
    LaneProgram operand = in.operand(call, 0).program();
    return KernelExpression.bool(lane -> KernelLogic.not(lane.builder(), operand.emit(lane)));
  }

  /** A predicate on a value and its presence that is itself never NULL. */
  public interface Test {
    Reg emit(KernelBuilder b, LaneValue value);
  }

  public static KernelForm test(Test test) {
    return (in, call) -> {
      LaneProgram operand = in.operand(call, 0).program();
      return KernelExpression.bool(
          lane -> LaneValue.of(test.emit(lane.builder(), operand.emit(lane))));
    };
  }

  public static KernelExpression junction(ExpressionCompiler in, RexCall call) throws NotCovered {
    List<LaneProgram> operands = new ArrayList<>();
    for (RexNode operand : LazyLogic.ordered(call.getOperands())) {
      operands.add(in.compile(operand).program());
    }
    boolean conjunction = call.getKind() == SqlKind.AND;
    if (Raising.mayRaise(call)) {
      return KernelExpression.bool(
          lane -> {
            List<Supplier<LaneValue>> later = new ArrayList<>();
            operands.forEach(program -> later.add(() -> program.emit(lane)));
            return KernelLogic.lazily(lane, later, conjunction);
          });
    }
    return KernelExpression.bool(
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue all = operands.getFirst().emit(lane);
          for (LaneProgram program : operands.subList(1, operands.size())) {
            LaneValue next = program.emit(lane);
            all = conjunction ? KernelLogic.and(b, all, next) : KernelLogic.or(b, all, next);
          }
          return all;
        });
  }

  public static KernelExpression caseOf(ExpressionCompiler in, RexCall call) throws NotCovered {
    SqlTypeSpec type = RexValues.spec(call.getType());
    if (type.kind().isString()) {
      return stringCase(in, call, type);
    }
    List<LaneProgram> branches = new ArrayList<>();
    for (int i = 0; i < call.getOperands().size(); i++) {
      RexNode operand = call.getOperands().get(i);
      boolean isCondition = i % 2 == 0 && i + 1 < call.getOperands().size();
      branches.add(
          isCondition
              ? in.condition(operand).program()
              : KernelCasts.branch(in.compile(operand), type));
    }
    return KernelExpression.number(type, lane -> emitCase(lane, branches, type));
  }

  private static LaneValue emitCase(Lane lane, List<LaneProgram> branches, SqlTypeSpec type) {
    LaneValue result = KernelLogic.variable(lane.builder(), KernelExpression.register(type));
    if (branches.size() <= 2 * NESTED_BRANCHES_MAX + 1) {
      emitBranch(lane, branches, 0, result);
    } else {
      emitInTurn(lane, branches, result);
    }
    return result;
  }

  /** Each branch is looked at where none before was taken; kernels limit how deep lists nest. */
  private static void emitInTurn(Lane lane, List<LaneProgram> branches, LaneValue result) {
    KernelBuilder b = lane.builder();
    Reg open = b.variable(b.pred(true));
    for (int i = 0; i + 1 < branches.size(); i += 2) {
      LaneProgram when = branches.get(i);
      LaneProgram then = branches.get(i + 1);
      b.ifThen(
          open,
          () ->
              b.ifThen(
                  KernelLogic.isTrue(b, when.emit(lane)),
                  () -> {
                    KernelLogic.assign(b, result, then.emit(lane));
                    b.set(open, b.pred(false));
                  }));
    }
    b.ifThen(open, () -> KernelLogic.assign(b, result, branches.getLast().emit(lane)));
  }

  private static void emitBranch(Lane lane, List<LaneProgram> branches, int at, LaneValue result) {
    KernelBuilder b = lane.builder();
    if (at == branches.size() - 1) {
      KernelLogic.assign(b, result, branches.get(at).emit(lane));
      return;
    }
    Reg condition = KernelLogic.isTrue(b, branches.get(at).emit(lane));
    b.ifElse(
        condition,
        () -> KernelLogic.assign(b, result, branches.get(at + 1).emit(lane)),
        () -> emitBranch(lane, branches, at + 2, result));
  }

  /** CASE whose results are constants: their codes in a domain of the plan's own. */
  private static KernelExpression stringCase(ExpressionCompiler in, RexCall call, SqlTypeSpec type)
      throws NotCovered {
    StringDomain.Made domain = new StringDomain.Made();
    List<LaneProgram> branches = new ArrayList<>();
    for (int i = 0; i < call.getOperands().size(); i++) {
      boolean isCondition = i % 2 == 0 && i + 1 < call.getOperands().size();
      branches.add(
          isCondition
              ? in.condition(call.getOperands().get(i)).program()
              : constant(call.getOperands().get(i), type, domain));
    }
    return new KernelExpression(type, lane -> emitCase(lane, branches, type), run -> domain);
  }

  private static LaneProgram constant(RexNode node, SqlTypeSpec type, StringDomain.Made domain)
      throws NotCovered {
    RexNode bare = node;
    while (bare.getKind() == SqlKind.CAST) {
      bare = ((RexCall) bare).getOperands().getFirst();
    }
    if (!(bare instanceof RexLiteral literal)) {
      throw new NotCovered("CASE of strings that are no constants");
    }
    Object value = RexValues.literal(literal);
    if (value == null) {
      return lane -> new LaneValue(lane.builder().i32(0), lane.builder().pred(false));
    }
    if (!(value instanceof String)) {
      throw new NotCovered("CASE of strings and others");
    }
    Object fitted = HostCasts.cast(value, SqlTypeSpec.VARCHAR, type);
    int code = domain.intern(HostValue.bytes(fitted));
    return lane -> LaneValue.of(lane.builder().i32(code));
  }

  public static KernelExpression coalesce(ExpressionCompiler in, RexCall call) throws NotCovered {
    SqlTypeSpec type = RexValues.spec(call.getType());
    if (type.kind().isString()) {
      throw new NotCovered("COALESCE of strings");
    }
    List<LaneProgram> operands = new ArrayList<>();
    for (int i = 0; i < call.getOperands().size(); i++) {
      operands.add(KernelCasts.branch(in.operand(call, i), type));
    }
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue result = KernelLogic.variable(b, KernelExpression.register(type));
          KernelLogic.assign(b, result, operands.getFirst().emit(lane));
          for (LaneProgram operand : operands.subList(1, operands.size())) {
            b.ifThen(
                b.not(KernelLogic.requirePresent(result)),
                () -> KernelLogic.assign(b, result, operand.emit(lane)));
          }
          return result;
        });
  }

  /** GREATEST or LEAST: of equal values the later one. */
  public static KernelForm extreme(CompareOp keeps) {
    return (in, call) -> {
      SqlTypeSpec type = RexValues.spec(call.getType());
      if (type.kind().isString()) {
        throw new NotCovered(call.getOperator().getName() + " of strings");
      }
      List<LaneProgram> operands = new ArrayList<>();
      for (int i = 0; i < call.getOperands().size(); i++) {
        operands.add(KernelCasts.branch(in.operand(call, i), type));
      }
      return KernelExpression.number(
          type,
          lane -> {
            LaneValue best = operands.getFirst().emit(lane);
            for (LaneProgram operand : operands.subList(1, operands.size())) {
              best = better(lane.builder(), keeps, best, operand.emit(lane));
            }
            return best;
          });
    };
  }

  private static LaneValue better(KernelBuilder b, CompareOp keeps, LaneValue x, LaneValue y) {
    Reg kept = KernelComparisons.compare(b, keeps, x.value(), y.value());
    return new LaneValue(b.select(kept, x.value(), y.value()), KernelLogic.both(b, x, y));
  }
}
