package io.gpdb.planner.run.group;

import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** The aggregate calls of one operator as aggregates of the kernel library. */
public final class AggregatePlan {
  private final KernelExpressions expressions;
  private final List<AggregateCallSpec> calls;
  private final List<Aggregate> aggregates = new ArrayList<>();
  private final List<@Nullable StringRanks> ranks = new ArrayList<>();
  private final List<StringRanks> bound = new ArrayList<>();
  private final Map<List<Object>, LaneProgram> arguments = new HashMap<>();

  /** What a call computes; the same as Calcite's, with arguments as expressions of the input. */
  public enum Function {
    COUNT,
    SUM,
    /** SUM with 0 for no rows. */
    SUM_OR_ZERO,
    MIN,
    MAX,
    /** The value of the only row; an error where there are more. */
    SINGLE
  }

  /**
   * A call over the rows for which {@code filter} is true.
   *
   * @param argument null for COUNT(*)
   */
  public record AggregateCallSpec(
      Function function,
      @Nullable RexNode argument,
      boolean distinct,
      @Nullable RexNode filter,
      SqlTypeSpec type,
      String text) {}

  AggregatePlan(KernelExpressions expressions, List<AggregateCallSpec> calls) throws NotCovered {
    this.expressions = expressions;
    this.calls = List.copyOf(calls);
    for (AggregateCallSpec call : calls) {
      add(call);
    }
  }

  private void add(AggregateCallSpec call) throws NotCovered {
    RexNode argument = call.argument();
    RexNode filter = call.filter();
    if (argument == null) {
      LaneProgram condition = filter == null ? null : expressions.condition(filter).program();
      ranks.add(null);
      aggregates.add(
          condition == null
              ? Aggregate.countRows()
              : Aggregate.count(shared(List.of("rows", filter), onlyWhere(null, condition))));
      return;
    }
    KernelExpression value = expressions.compile(argument);
    boolean sum = call.function() == Function.SUM || call.function() == Function.SUM_OR_ZERO;
    if (sum && (isWide(value.type()) || isWide(call.type()))) {
      throw new NotCovered("sum of wide decimals");
    }
    boolean ordered =
        call.function() == Function.MIN
            || call.function() == Function.MAX
            || call.function() == Function.SINGLE;
    boolean ranked = ordered && value.type().kind().isString();
    LaneProgram program;
    if (ranked) {
      StringRanks order = new StringRanks(expressions.inputs(), value);
      ranks.add(order);
      bound.add(order);
      program = order.program();
    } else {
      ranks.add(null);
      program = value.program();
    }
    if (filter != null) {
      program = onlyWhere(program, expressions.condition(filter).program());
    }
    LaneProgram chosen =
        ranked || filter != null ? program : shared(List.of("value", argument), program);
    aggregates.add(
        switch (call.function()) {
          case COUNT -> Aggregate.count(chosen);
          case SUM, SUM_OR_ZERO -> Aggregate.sum(chosen);
          case MIN -> Aggregate.min(chosen);
          case MAX, SINGLE -> Aggregate.max(chosen);
        });
    if (value.type().kind() == Kind.BOOLEAN && call.function() == Function.SUM) {
      throw new NotCovered("sum of booleans");
    }
  }

  private static boolean isWide(SqlTypeSpec type) {
    return type.kind() == Kind.WIDE_DECIMAL;
  }

  /** Equal arguments become the same program, which kernels then evaluate once. */
  private LaneProgram shared(List<Object> key, LaneProgram program) {
    LaneProgram known = arguments.putIfAbsent(key, program);
    return known == null ? program : known;
  }

  private static LaneProgram onlyWhere(@Nullable LaneProgram value, LaneProgram condition) {
    return lane -> {
      LaneValue holds = condition.emit(lane);
      io.gpdb.exec.ir.Reg isTrue = lane.isTrue(holds);
      if (value == null) {
        return new LaneValue(lane.builder().convert(isTrue, io.gpdb.exec.ir.Type.I32), isTrue);
      }
      LaneValue inner = value.emit(lane);
      io.gpdb.exec.ir.Reg present = inner.present();
      return new LaneValue(
          inner.value(),
          present == null
              ? isTrue
              : lane.builder().binary(io.gpdb.exec.ir.Op.BinaryOp.AND, isTrue, present));
    };
  }

  /** The expressions that the calls evaluate. */
  List<RexNode> nodes() {
    return nodes(calls);
  }

  /** The expressions that calls evaluate. */
  static List<RexNode> nodes(List<AggregateCallSpec> calls) {
    List<RexNode> nodes = new ArrayList<>();
    for (AggregateCallSpec call : calls) {
      RexNode filter = call.filter();
      if (filter != null) {
        nodes.add(filter);
      }
      RexNode argument = call.argument();
      if (argument != null) {
        nodes.add(argument);
      }
    }
    return nodes;
  }

  List<AggregateCallSpec> calls() {
    return calls;
  }

  List<Aggregate> aggregates() {
    return aggregates;
  }

  /** The order of strings behind a MIN or MAX of strings; null for other calls. */
  @Nullable StringRanks ranks(int call) {
    return ranks.get(call);
  }

  List<StringRanks> bound() {
    return bound;
  }
}
